import TestSupport
import Testing
import Texel

/// An orientation after the pixels of a PNG, which a pipe delivers after the header.
@Suite struct LateOrientationTests {
    private let workspace: Workspace
    /// A file of several buffers of a pipe: 400 × 100 pixels as stored, 100 × 400 as displayed.
    private let file: [UInt8]

    init() throws {
        workspace = try Workspace()
        let image = try PixelBuffer.noise(PixelSize(width: 400, height: 100), alphaMode: .opaque)
        let early = try image.encoded(
            as: .png(PNGOptions(effort: .fast)),
            metadata: WrittenMetadata(exif: TestEXIF.block(orientation: .rotated90)))
        var (chunks, late) = ([UInt8](), [UInt8]())
        var start = 8
        while start < early.count {
            let count = early[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } + 12
            let chunk = early[start..<(start + count)]
            if chunk.dropFirst(4).starts(with: "eXIf".utf8) { late += chunk } else { chunks += chunk }
            start += count
        }
        let end = 12
        file = Array(early.prefix(8) + chunks.dropLast(end) + late + chunks.suffix(end))
        try #require(file.count > 100_000 && !late.isEmpty)
    }

    @Test func namesAndReportsAreForTheUprightImage() throws {
        let named = try workspace.texel(
            "resize", "-", "--width", "50", "-o", "{name}-{width}x{height}.png", input: file)
        #expect(named.status == 0, "\(named.errors)")
        let files = try workspace.files()
        #expect(files == ["stdin-50x200.png"])
        let planned = try workspace.texel(
            "resize", "-", "--width", "50", "--dry-run", "--json", "-o", "b.png", input: file)
        #expect(planned.text.contains(#""height":200"#) && planned.text.contains(#""width":50"#), "\(planned.text)")
        let enlarged = try workspace.texel("resize", "-", "--width", "300", "--json", "-o", "c.png", input: file)
        #expect(enlarged.text.contains(#""requestedHeight":1200,"requestedWidth":300"#), "\(enlarged.text)")
    }

    /// The crop is inside the upright image, but not inside the stored one.
    @Test func cropsAreOfTheUprightImage() throws {
        let outcome = try workspace.texel("resize", "-", "--crop", "90x270+0+120", "-o", "a.png", input: file)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let image = try CodecRegistry.shared.open(InputBytes(try workspace.bytes("a.png"))).info
        #expect(image.size == PixelSize(width: 90, height: 270))
    }
}
