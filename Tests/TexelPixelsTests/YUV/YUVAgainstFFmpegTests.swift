import Foundation
import TestSupport
import Testing
import TexelPixels

/// Conversions against those of ffmpeg's scaler with its most accurate flags.
@Suite(.enabled(if: Program.ffmpeg != nil, "needs ffmpeg on PATH")) struct YUVAgainstFFmpegTests {
    /// An image of waves whose colours stay inside RGB.
    private func waves(_ format: YUVFormat, _ color: YUVColor, size: PixelSize) throws -> YUVImage {
        let steps = format.bitDepth == 8 ? 1.0 : 4.0
        return try YUVImage(format, color, size: size) { plane, x, y in
            let phase = Double(plane)
            let across = sin(phase + Double(x) * 0.31 + Double(y) * 0.07)
            return Int((128 + (plane == 0 ? 70 : 60) * across * cos(phase - Double(y) * 0.23)) * steps)
        }
    }

    private static func name(_ format: YUVFormat) -> String {
        let name = format.sampling == .none ? "gray" : "yuv\(format.sampling.rawValue)p"
        return format.isInterleaved ? "nv12" : format.bitDepth == 8 ? name : name + "10le"
    }

    /// The formats that ffmpeg 5 reads.
    static var formats: [YUVFormat] { YUVFormat.all.filter { !$0.isInterleaved || $0 == .nv12 } }

    /// The matrices that ffmpeg's scaler knows.
    private static var colors: [YUVColor] { YUVColor.all.filter { $0.matrix != .ycgco } }

    /// Returns the largest difference of two BGRA images, and how many bytes differ. Leaves out the third row and
    /// column if chroma is filtered in their direction: ffmpeg weights the edge differently there.
    private func difference(_ a: [UInt8], _ b: [UInt8], _ image: YUVImage) throws -> (largest: Int, count: Int) {
        try #require(a.count == b.count)
        let width = image.size.width
        var (largest, count) = (0, 0)
        for index in a.indices where a[index] != b[index] {
            let (x, y) = (index / 4 % width, index / 4 / width)
            if x == 2 && image.format.sampling.pixelsPerSample.x == 2 { continue }
            if y == 2 && image.format.sampling.pixelsPerSample.y == 2 { continue }
            largest = max(largest, abs(Int(a[index]) - Int(b[index])))
            count += 1
        }
        return (largest, count)
    }

    private func expectAgreement(_ images: [YUVImage], _ comment: String) throws {
        // ffmpeg reads grey images as full range, whatever range is given.
        let images = images.filter { $0.format.sampling != .none || $0.color.range == .full }
        let conversions = images.map { image in
            FFmpeg.Conversion(
                bytes: image.bytes, format: Self.name(image.format), size: Self.name(image.size), result: "bgra",
                side: "in", matrix: image.color.matrix.rawValue, range: Self.name(image.color.range))
        }
        for (image, theirs) in zip(images, try FFmpeg.convert(conversions)) {
            let (format, color) = (image.format, image.color)
            let (largest, count) = try difference(image.convertedBGRA(), theirs, image)
            #expect(largest <= 1, "\(comment) \(format), \(color), \(image.size)")
            // Only rounding differs. Exception: in 10-bit full range ffmpeg uses 1020 for white, not 1023.
            if format.bitDepth == 10 && color.range == .full { continue }
            #expect(count <= theirs.count / 25, "\(comment) \(format), \(color), \(image.size)")
        }
    }

    private static func name(_ size: PixelSize) -> String { "\(size.width)x\(size.height)" }

    private static func name(_ range: YUVRange) -> String { range == .limited ? "tv" : "pc" }

    private static let sizes = [(32, 16), (126, 34), (320, 180)].map { PixelSize(width: $0, height: $1) }

    @Test(arguments: formats) func wavesAgree(format: YUVFormat) throws {
        let images = try Self.sizes.flatMap { size in
            try Self.colors.map { try waves(format, $0, size: size) }
        }
        try expectAgreement(images, "waves")
    }

    /// Converts noise and waves to YUV.
    @Test(arguments: formats.filter { $0.bitDepth == 8 }) func writingAgrees(format: YUVFormat) throws {
        var generator = SeededGenerator(seed: 91)
        var conversions: [FFmpeg.Conversion] = []
        var written: [(bytes: [UInt8], comment: String)] = []
        for size in Self.sizes {
            for color in Self.colors {
                for content in ["noise", "waves"] {
                    let pixels =
                        content == "noise"
                        ? SampleContent.random.bytes(size.width * size.height * 4, using: &generator)
                        : try waves(YUVFormat(.yuv444), color, size: size).convertedBGRA()
                    conversions.append(
                        FFmpeg.Conversion(
                            bytes: pixels, format: "bgra", size: Self.name(size), result: Self.name(format),
                            side: "out", matrix: color.matrix.rawValue, range: Self.name(color.range)))
                    let ours = try BGRAToYUV(format, color, size: size).planes(of: pixels, bandRows: size.height)
                    written.append((ours, "\(content), \(format), \(color), \(size)"))
                }
            }
        }
        for ((ours, comment), theirs) in zip(written, try FFmpeg.convert(conversions)) {
            try #require(ours.count == theirs.count)
            let differences = zip(ours, theirs).map { abs(Int($0) - Int($1)) }
            #expect(differences.allSatisfy { $0 <= 1 }, "\(comment)")
            let count = differences.count { $0 > 0 }
            #expect(count <= ours.count / 25, "\(comment)")
        }
    }

    /// The last image of each clip, with each matrix.
    @Test(.enabled(if: TestFolders.corpora != nil, "needs TEXEL_CORPORA")) func clipsAgree() throws {
        let folder = try #require(TestFolders.corpora)
        let clips = [
            ("av-metrics/yuv420p8_input.y4m", 640, 360, ChromaSampling.yuv420),
            ("av-metrics/yuv444p8_input.y4m", 640, 360, .yuv444),
            ("libavif/kodim23_yuv420_8bpc.y4m", 768, 512, .yuv420),
            ("rav1e/small_input.y4m", 64, 64, .yuv420),
            ("vmaf_resource/park_joy_420_720p50_frm0to9_480x270.y4m", 480, 270, .yuv420),
            ("openh264/Static_152_100.yuv", 152, 100, .yuv420),
        ]
        for (name, width, height, sampling) in clips {
            let file = try Data(contentsOf: folder.appendingPathComponent("video/\(name)"))
            let format = YUVFormat(sampling)
            let size = PixelSize(width: width, height: height)
            // The file ends with a frame, and the frame with its image.
            let bytes = [UInt8](file.suffix(try format.byteCount(of: size)))
            let images = try Self.colors.filter { $0.range == .limited }.map {
                try YUVImage(format, $0, size: size, bytes: bytes)
            }
            try expectAgreement(images, name)
        }
    }
}
