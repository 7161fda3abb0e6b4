import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPipeline
import TexelPixels

@testable import TexelFrames

@Suite("Chroma of interlaced frames")
struct InterlacedChromaTests {
    private static let color = YUVColor(.bt601, .limited)
    private static let formats = [YUVFormat.i420, .nv12, YUVFormat(.yuv420, bitDepth: 10)]

    private static func image(_ bytes: [UInt8], _ format: YUVFormat, _ size: PixelSize) -> SampleSource.Image {
        SampleSource.Image(layout: SampleLayout(.yuv(format, color), size), bytes: bytes, fields: .topFirst)
    }

    /// The image of one field; a chroma row that it lacks is the one before.
    private static func field(_ first: Int, of image: SampleSource.Image) -> SampleSource.Image {
        guard case .yuv(let format, _) = image.layout.format else { return image }
        let size = PixelSize(width: image.layout.size.width, height: (image.layout.size.height - first + 1) / 2)
        var result = SampleSource.Image(layout: SampleLayout(image.layout.format, size), bytes: [])
        for (index, plane) in image.layout.planes.enumerated() {
            for row in 0..<format.planeSize(index, of: size).height {
                let stored = 2 * row + first
                let start = plane.offset + (stored < plane.rowCount ? stored : stored - 2) * plane.bytesPerRow
                result.bytes += image.bytes[start..<(start + plane.bytesPerRow)]
            }
        }
        return result
    }

    /// The pixels of an image whose fields are rendered one by one.
    private static func expected(_ image: SampleSource.Image) throws -> PixelBuffer {
        let size = image.layout.size
        let fields = try (0..<2).map { try SampleSource([field($0, of: image)]).rendered().first.orFail().pixels }
        var pixels: [UInt32] = []
        for y in 0..<size.height {
            let start = y / 2 * size.width
            pixels += fields[y % 2][start..<(start + size.width)]
        }
        return try PixelBuffer(width: size.width, height: size.height, pixels: pixels, alphaMode: .opaque)
    }

    @Test("Rows of pure blue and red stay pure, with every recipe that keeps rows")
    func pureRowsStayPure() throws {
        // BT.601: blue is 41, 240, 110; red is 81, 90, 240.
        for format in [YUVFormat.i420, .nv12] {
            let size = PixelSize(width: 16, height: 16)
            var image = Self.image([], format, size)
            for (index, plane) in image.layout.planes.enumerated() {
                for row in 0..<plane.rowCount {
                    let (y, u, v): (UInt8, UInt8, UInt8) = row % 2 == 0 ? (41, 240, 110) : (81, 90, 240)
                    for x in 0..<plane.bytesPerRow {
                        let chroma = format.isInterleaved ? x % 2 == 0 ? u : v : index == 1 ? u : v
                        image.bytes.append(index == 0 ? y : chroma)
                    }
                }
            }
            let whole = try SampleSource([image]).rendered().first.orFail()
            func isNear(_ pixel: UInt32, _ other: UInt32) -> Bool {
                (0..<4).allSatisfy { channel -> Bool in
                    let (first, second) = (pixel >> (8 * channel) & 255, other >> (8 * channel) & 255)
                    return abs(Int(first) - Int(second)) <= 2
                }
            }
            for y in 0..<16 {
                let pure: UInt32 = y % 2 == 0 ? 0xFF00_00FF : 0xFFFF_0000
                #expect(whole.pixels[(y * 16)..<((y + 1) * 16)].allSatisfy { isNear($0, pure) }, "row \(y)")
            }
            let rectangle = PixelRectangle(x: 2, y: 3, width: 9, height: 7)
            let cropped = try SampleSource([image]).rendered(Recipe().cropping(to: rectangle)).first.orFail()
            #expect(cropped.pixels == (try whole.cropped(to: rectangle).pixels))
            let turned = try SampleSource([image]).rendered(Recipe().rotating(by: 90)).first.orFail()
            for x in 0..<16 { #expect(isNear(turned.pixels[x], x % 2 == 1 ? 0xFF00_00FF : 0xFFFF_0000), "column \(x)") }
            // Only across: rows stay what they are.
            let narrow = Recipe().resizing(width: 8, height: 16, fit: .fill)
            let resized = try SampleSource([image]).rendered(narrow).first.orFail()
            for y in 0..<16 {
                let pure: UInt32 = y % 2 == 0 ? 0xFF00_00FF : 0xFFFF_0000
                #expect(resized.pixels[(y * 8)..<((y + 1) * 8)].allSatisfy { isNear($0, pure) }, "resized, row \(y)")
            }
        }
    }

    @Test("Every height gives the pixels of its fields, from any number of threads", arguments: formats)
    func pixelsAreThoseOfTheFields(format: YUVFormat) throws {
        let threadGroup = BandThreadGroup(size: 2)
        defer { threadGroup.dismiss() }
        for height in [3, 4, 5, 6, 7, 8, 9, 10, 34, 101, 262] {
            let size = PixelSize(width: 23, height: height)
            var bytes = noise(try format.byteCount(of: size), seed: UInt64(height))
            if format.bitDepth > 8 { for index in bytes.indices where index % 2 == 1 { bytes[index] %= 4 } }
            let image = Self.image(bytes, format, size)
            let expected = try Self.expected(image).pixels
            for threadGroup in [nil, threadGroup] {
                let found = try SampleSource([image]).rendered(threadGroup: threadGroup)
                #expect(found.map(\.pixels) == [expected], "height \(height), \(threadGroup == nil ? 1 : 2) threads")
            }
        }
    }

    @Test("Images of a single chroma row, and samples whose rows share no chroma, are converted as a whole")
    func imagesWithoutSharedChromaIgnoreFields() throws {
        let cases = [
            (YUVFormat.i420, 1), (.i420, 2), (YUVFormat(.yuv422), 8), (YUVFormat(.yuv444), 8), (YUVFormat(.none), 8),
        ]
        for (format, height) in cases {
            let size = PixelSize(width: 9, height: height)
            var image = Self.image(noise(try format.byteCount(of: size), seed: 5), format, size)
            let found = try SampleSource([image]).rendered().map(\.pixels)
            image.fields = nil
            #expect(found == (try SampleSource([image]).rendered().map(\.pixels)))
        }
    }

    @Test("Both images of a crossfade")
    func crossfadedImagesKeepTheirFields() throws {
        let size = PixelSize(width: 8, height: 8)
        let second = Self.image(noise(try YUVFormat.i420.byteCount(of: size), seed: 6), .i420, size)
        var first = second
        first.milliseconds = 50
        let fade = CrossfadeSource(
            SampleSource([first]), SampleSource([second]), at: .zero, duration: .milliseconds(100))
        // An image over itself.
        #expect(try fade.rendered().first.orFail().pixels == (try Self.expected(first).pixels))
    }
}
