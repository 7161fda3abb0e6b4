import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPipeline
import TexelPixels

@testable import TexelFrames

@Suite("Deinterlaced images")
struct FieldInterpolatorTests {
    private static let color = YUVColor(.bt709, .limited)
    private static let formats: [SampleLayout.Format] =
        [ChromaSampling.yuv420, .yuv422, .yuv444, .none].flatMap { sampling in
            [8, 10].map { .yuv(YUVFormat(sampling, bitDepth: $0), color) }
        } + [.yuv(.nv12, color), .bgra, .rgba]

    /// Three frames of noise that changes in parts, so that some samples move and others do not.
    private static func frames(_ layout: SampleLayout, _ order: FieldOrder = .topFirst) throws -> [SampleSource.Image] {
        let count = try layout.byteCount
        let still = noise(count, seed: 1)
        let isWide = if case .yuv(let format, _) = layout.format { format.bitDepth > 8 } else { false }
        return (0..<3).map { number in
            let moving = noise(count, seed: UInt64(2 + number))
            // The high bytes of words stay below four, as those of 10 bits.
            let bytes = still.indices.map { index in
                let byte = index / 8 % 3 == 0 ? moving[index] : still[index] &+ moving[index] % 3
                return isWide && index % 2 == 1 ? byte % 4 : byte
            }
            return SampleSource.Image(
                layout: layout, bytes: bytes, milliseconds: 40 * number, duration: 40, fields: order)
        }
    }

    /// The samples of a field with its missing rows, by the scalar kernel.
    private static func expected(
        _ images: [SampleSource.Image], _ number: Int, firstRow: Int, isSecond: Bool
    ) -> [UInt8] {
        let layout = images[number].layout
        let bits = if case .yuv(let format, _) = layout.format { format.bitDepth } else { 8 }
        return layout.planes.flatMap { plane -> [UInt8] in
            func row(_ image: Int, _ y: Int) -> [Int] {
                var y = y
                while !(0..<plane.rowCount).contains(y) { y = y < 0 ? -y : 2 * plane.rowCount - 2 - y }
                let start = plane.offset + y * plane.bytesPerRow
                let bytes = images[min(max(image, 0), 2)].bytes[start..<(start + plane.bytesPerRow)].map { Int($0) }
                guard bits > 8 else { return bytes }
                return stride(from: 0, to: bytes.count, by: 2).map { bytes[$0] + bytes[$0 + 1] * 256 }
            }
            var bytes: [UInt8] = []
            for y in 0..<plane.rowCount {
                var samples = row(number, y)
                if y % 2 != firstRow, plane.rowCount > 1 {
                    func rows(_ image: Int, _ offsets: [Int]) -> [[Int]] { offsets.map { row(image, y + $0) } }
                    let near = [-4, -2, 0, 2, 4]
                    let fields = FieldRows(
                        before: rows(isSecond ? number : number - 1, near),
                        after: rows(isSecond ? number + 1 : number, near), shown: rows(number, [-3, -1, 1, 3]),
                        earlier: rows(number - 1, [-1, 1]), later: rows(number + 1, [-1, 1]))
                    samples = ScalarKernels.missingFieldRow(fields, bits: bits)
                }
                for sample in samples {
                    bytes.append(UInt8(sample % 256))
                    if bits > 8 { bytes.append(UInt8(sample / 256)) }
                }
            }
            return bytes
        }
    }

    @Test("Every layout and height, from memory and from a file, as the scalar kernel", arguments: formats)
    func interpolationEqualsTheScalarKernel(format: SampleLayout.Format) throws {
        let directory = try TemporaryDirectory()
        for height in [1, 2, 3, 4, 5, 9, 16, 17, 50] {
            for order in [FieldOrder.topFirst, .bottomFirst] {
                let layout = SampleLayout(format, PixelSize(width: 37, height: height))
                let images = try Self.frames(layout, order)
                let raw = try directory.add("\(height)\(order)", images.flatMap(\.bytes))
                let file = try InterlacedFile(
                    RawVideoSource(.file(FilePath(raw)), layout: layout), order)
                for source in [SampleSource(images).deinterlaced(), file.deinterlaced()] {
                    var count = 0
                    while let frame = try source.next(StopToken()) {
                        guard case .field(let field) = frame.takeContent() else { break }
                        let expected = Self.expected(
                            images, count / 2, firstRow: (order == .topFirst) == (count % 2 == 0) ? 0 : 1,
                            isSecond: count % 2 == 1)
                        #expect(try field.image.bytes() == expected, "height \(height), \(order), frame \(count)")
                        count += 1
                    }
                    #expect(count == 6)
                }
            }
        }
    }

    @Test("Resized, cropped and turned, alone and by several threads, as the same samples without fields")
    func recipesTreatFieldsAsProgressiveFrames() throws {
        let threadGroup = BandThreadGroup(size: 3)
        defer { threadGroup.dismiss() }
        let recipes = [
            Recipe(), Recipe().resizing(width: 20), Recipe().resizing(width: 29), Recipe().rotating(by: 90),
            Recipe().cropping(to: PixelRectangle(x: 3, y: 5, width: 31, height: 40)),
        ]
        for format in Self.formats {
            let layout = SampleLayout(format, PixelSize(width: 58, height: 90))
            let images = try Self.frames(layout)
            let progressive = (0..<6).map { number in
                SampleSource.Image(
                    layout: layout,
                    bytes: Self.expected(images, number / 2, firstRow: number % 2, isSecond: number % 2 == 1))
            }
            for recipe in recipes {
                let expected = try SampleSource(progressive).rendered(recipe).map(\.pixels)
                for threadGroup in [nil, threadGroup] {
                    let found = try SampleSource(images).deinterlaced().rendered(recipe, threadGroup: threadGroup)
                        .map(\.pixels)
                    #expect(found == expected, "\(format)")
                }
            }
        }
    }

    @Test("A still image stays as it is")
    func stillImageStaysAsItIs() throws {
        let layout = SampleLayout(.yuv(.i420, Self.color), PixelSize(width: 70, height: 50))
        let image = SampleSource.Image(layout: layout, bytes: noise(try layout.byteCount, seed: 3), fields: .topFirst)
        let source = SampleSource([image, image, image]).deinterlaced()
        var count = 0
        while let frame = try source.next(StopToken()) {
            count += 1
            guard case .field(let field) = frame.takeContent() else {
                Issue.record("frame \(count) is no field")
                break
            }
            #expect(try field.image.bytes() == image.bytes)
        }
        #expect(count == 6)
    }

    // MARK: Quality

    /// A texture that moves to the right, waves that move down, and a still corner; 4:2:0, 50 images per second.
    private static func movingImage(_ number: Int, _ size: PixelSize) -> [UInt8] {
        func value(_ x: Double, _ y: Double) -> Double {
            let time = Double(number)
            if x < 80, y < 60 { return 128 + 90 * sin(x * 0.7) * cos(y * 0.9) }
            let texture = 40 * sin((x - 3 * time) * 0.21) * sin(y * 0.33 + (x - 3 * time) * 0.05)
            return 128 + texture + 45 * sin((y - 1.5 * time) * 0.15 + x * 0.02)
        }
        func plane(_ size: PixelSize, _ step: Double) -> [UInt8] {
            (0..<size.height).flatMap { y in
                (0..<size.width).map { x in UInt8(min(max(value(Double(x) * step, Double(y) * step), 0), 255)) }
            }
        }
        let chroma = ChromaSampling.yuv420.chromaSize(of: size)
        return plane(size, 1) + plane(chroma, 2) + plane(chroma, 2)
    }

    /// The peak signal-to-noise ratio in decibels.
    private static func ratio(_ first: [UInt8], _ second: [UInt8]) -> Double {
        let error = zip(first, second).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
        return error == 0 ? .infinity : 10 * log10(255 * 255 * Double(first.count) / Double(error))
    }

    @Test(
        "Frames of a moving image are close to those of ffmpeg, and closer to the original",
        .enabled(if: Program.ffmpeg != nil))
    func againstFFmpeg() throws {
        let layout = SampleLayout(.yuv(.i420, Self.color), PixelSize(width: 320, height: 240))
        let truth = (0..<16).map { Self.movingImage($0, layout.size) }
        let interlaced = (0..<8).map { number -> SampleSource.Image in
            var bytes = truth[2 * number]
            for plane in layout.planes {
                for row in stride(from: 1, to: plane.rowCount, by: 2) {
                    let place =
                        (plane.offset + row * plane.bytesPerRow)..<(plane.offset + (row + 1) * plane.bytesPerRow)
                    bytes.replaceSubrange(place, with: truth[2 * number + 1][place])
                }
            }
            return SampleSource.Image(layout: layout, bytes: bytes, fields: .topFirst)
        }
        let directory = try TemporaryDirectory()
        let frames = interlaced.flatMap { Array("FRAME\n".utf8) + $0.bytes }
        let input = try directory.add("in.y4m", Array("YUV4MPEG2 W320 H240 F25:1 It C420mpeg2\n".utf8) + frames)
        let output = directory("out.yuv")
        try Program.run(
            Program.ffmpeg,
            [
                "-v", "error", "-nostdin", "-i", input, "-vf", "bwdif=mode=send_field:parity=tff", "-f", "rawvideo",
                output,
            ])
        let all = try directory.bytes("out.yuv")
        let count = try layout.byteCount
        try #require(all.count == 16 * count)
        let source = SampleSource(interlaced).deinterlaced()
        for number in 0..<16 {
            guard case .field(let field) = try source.next(StopToken()).orFail().takeContent() else {
                Issue.record("frame \(number) is no field")
                break
            }
            let bytes = try field.image.bytes()
            let reference = Array(all[(number * count)..<((number + 1) * count)])
            // Of the first and the last field ffmpeg uses nothing but the field itself.
            if (1..<15).contains(number) { #expect(Self.ratio(bytes, reference) > 40, "frame \(number)") }
            #expect(Self.ratio(bytes, truth[number]) >= Self.ratio(reference, truth[number]), "frame \(number)")
        }
    }
}

/// Says of another source's frames that they are interlaced.
private final class InterlacedFile: FrameSource {
    let format: FrameFormat
    private let source: any FrameSource
    private let order: FieldOrder

    init(_ source: any FrameSource, _ order: FieldOrder) {
        (self.source, self.order) = (source, order)
        format = source.format
    }

    func next(_ stop: StopToken) throws -> SourceFrame? {
        guard var frame = try source.next(stop) else { return nil }
        frame.fields = order
        return frame
    }
}
