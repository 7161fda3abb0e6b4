import TestSupport
import Testing

import TexelCore
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG
@testable import TexelPixels

/// Rows that are encoded as they arrive give the file of the image in memory.
@Suite(.timeLimit(.minutes(30))) struct RowEncoderTests {
    /// Passes an image to an encoder as often as it asks for it.
    static func encoded(
        _ image: PixelBuffer, _ options: any RowOptions, _ context: EncodingContext = EncodingContext()
    ) throws -> (content: EncodedBytes, passes: Int) {
        let shape = RasterShape(size: image.size, alphaMode: image.alphaMode)
        #expect(options.acceptsRows(shape, image.colorSpace))
        let encoder = try options.rowEncoder(shape, image.colorSpace, context)
        for pass in 1...3 {
            for y in stride(from: 0, to: image.height, by: encoder.bandHeight) {
                let height = min(encoder.bandHeight, image.height - y)
                try encoder.take(
                    try image.cropped(to: PixelRectangle(x: 0, y: y, width: image.width, height: height)),
                    parallelism: context.parallelism)
            }
            if let content = try encoder.finish(parallelism: context.parallelism) { return (content, pass) }
        }
        throw TexelError.cannotEncode("the encoder asked for the rows too often")
    }

    private static func context(_ parallelism: Int) -> EncodingContext {
        let comment = TextComment(bytes: Array("a comment".utf8), encoding: .utf8)
        return EncodingContext(metadata: WrittenMetadata(comments: [comment]), parallelism: parallelism)
    }

    @Test(arguments: StoredContent.allCases) func smallPNGs(content: StoredContent) throws {
        for (width, height) in [(1, 1), (3, 2), (67, 41), (400, 700), (9000, 40)] {
            let image = try content.image(PixelSize(width: width, height: height))
            for reduces in [true, false] {
                let options = PNGOptions(reducesLosslessly: reduces, effort: .fast)
                let found = try Self.encoded(image, options, Self.context(2))
                #expect(found.passes == 1)
                let expected = try options.encode(image, Self.context(1))
                #expect(found.content.inMemory == expected, "\(width)×\(height), reduces: \(reduces)")
            }
        }
    }

    /// The rows that are held back do not show how to store these images.
    @Test(arguments: [
        (StoredContent.colors, 1), (.translucent, 1), (.gray, 2), (.fewColors, 2), (.opaqueAlpha, 2), (.colorKey, 3),
        (.takenColorKey, 3), (.lateColor, 2),
    ])
    func largePNGs(content: StoredContent, passes: Int) throws {
        let image = try content.image(PixelSize(width: 3001, height: 2900))
        try #require(image.height > PNGEffort.windowRows(of: image.size))
        let options = PNGOptions(effort: .fast)
        let found = try Self.encoded(image, options, Self.context(2))
        #expect(found.passes == passes)
        #expect(found.content.inMemory == (try options.encode(image, Self.context(2))))
    }

    @Test func levelsAndFilters() throws {
        let image = try StoredContent.colors.image(PixelSize(width: 500, height: 300))
        for (level, filter) in [(0, nil), (6, nil), (nil, .paeth), (9, .unfiltered)]
            as [(Int?, PNGOptions.Filter?)]
        {
            let options = PNGOptions(level: level, filter: filter, effort: .fast)
            #expect(try Self.encoded(image, options).content.inMemory == (try options.encode(image, EncodingContext())))
        }
        #expect(throws: TexelError.self) { try Self.encoded(image, PNGOptions(level: 10, effort: .fast)) }
    }

    @Test(arguments: [StoredContent.colors, .gray, .lateColor], [ChromaSubsampling.yuv444, .yuv422, .yuv420])
    func rowsEncodeToTheSameJPEGAsImages(content: StoredContent, subsampling: ChromaSubsampling) throws {
        for (width, height) in [(1, 1), (17, 63), (64, 64), (300, 129)] {
            let image = try content.image(PixelSize(width: width, height: height))
            for isProgressive in [nil, true] {
                for reduces in [true, false] {
                    let options = JPEGOptions(
                        quality: 80, subsampling: subsampling, isProgressive: isProgressive, effort: .fast,
                        reducesLosslessly: reduces)
                    let found = try Self.encoded(image, options, Self.context(1))
                    #expect(found.passes == (image.isGray && reduces ? 2 : 1))
                    #expect(found.content.inMemory == (try options.encode(image, Self.context(1))))
                }
            }
        }
    }

    @Test func whatNeedsTheWholeImage() throws {
        let opaque = RasterShape(size: PixelSize(width: 100, height: 100), alphaMode: .opaque)
        var alpha = opaque
        #expect(!JPEGOptions().acceptsRows(opaque, .sRGB) && !PNGOptions().acceptsRows(opaque, .sRGB))
        var palette = PNGOptions(effort: .fast)
        palette.palette = PaletteOptions(colors: 16)
        #expect(!palette.acceptsRows(opaque, .sRGB))
        for (mode, acceptsPNG) in [(AlphaMode.straight, true), (.premultiplied, false)] {
            alpha.alphaMode = mode
            #expect(!JPEGOptions(effort: .fast).acceptsRows(alpha, .sRGB))
            #expect(PNGOptions(effort: .fast).acceptsRows(alpha, .sRGB) == acceptsPNG)
        }
        let gray = ColorSpace.iccProfile(try grayProfile(gamma: 2))
        #expect(!JPEGOptions(effort: .fast).acceptsRows(opaque, gray))
        #expect(!PNGOptions(effort: .fast).acceptsRows(opaque, gray))
    }

    @Test func stoppedRowEncodersThrow() throws {
        let stop = StopToken()
        stop.cancel()
        let image = try StoredContent.colors.image(PixelSize(width: 100, height: 100))
        for options in [PNGOptions(effort: .fast), JPEGOptions(effort: .fast)] as [any RowOptions] {
            #expect(throws: TexelError.stopped(.cancelled)) {
                try Self.encoded(image, options, EncodingContext(stop: stop))
            }
        }
    }

    // MARK: The bytes

    /// Many bytes leave while the rest is encoded.
    @Test func bytesThatOverflow() throws {
        let image = try PixelBuffer.random(width: 1100, height: 1000)
        for options in [PNGOptions(effort: .fast), JPEGOptions(quality: 100, effort: .fast)] as [any RowOptions] {
            let expected = try options.encode(image, EncodingContext())
            try #require(expected.count > 5 << 19)
            for limit in [0, 1 << 20, expected.count - 1, expected.count] {
                var context = EncodingContext()
                context.overflow = StoredOutput.overflow(limit)
                let content = try Self.encoded(image, options, context).content
                if case .file = content { #expect(limit < expected.count) } else { #expect(limit == expected.count) }
                #expect(content.inMemory == expected && content.count == expected.count)
                #expect(content.bytes(10..<2000) == Array(expected[10..<2000]))
            }
            var context = EncodingContext()
            context.overflow = StoredOutput.overflow(1000, capacity: 2 << 20)
            #expect(throws: TexelError.stopped(.outputFailed)) { try Self.encoded(image, options, context) }
        }
    }

    @Test func sinksCountTheirBytes() throws {
        let bytes = [UInt8](repeating: 7, count: 3 << 20)
        let input = InputBytes(bytes)
        let count = try OutputSink.count { sink throws(TexelError) in
            try sink.append(Array(bytes.prefix(10)))
            try sink.append(5..<(3 << 20), of: input)
        }
        #expect(count == bytes.count + 5)
        let sink = OutputSink(StoredOutput.overflow(100))
        try sink.append(Array(bytes.prefix(100)))
        try sink.append(0..<bytes.count, of: input)
        #expect(sink.count == bytes.count + 100)
        #expect(sink.finish().inMemory == bytes + bytes.prefix(100))
    }

    /// A rewritten file is the same in memory and in a sink.
    @Test func rewritingToASink() throws {
        let image = try StoredContent.colors.image(PixelSize(width: 90, height: 70))
        for bytes in [
            try image.encoded(as: .png(PNGOptions())), try image.encoded(as: .jpeg(JPEGOptions())) + [1, 2, 3],
        ] {
            let source = try CodecRegistry.shared.open(InputBytes(bytes))
            let metadata = WrittenMetadata(comments: [TextComment(bytes: Array("new".utf8), encoding: .utf8)])
            for parts in [[], .color, .attachments] as [KeptParts] {
                let expected = try source.rewritten(metadata: metadata, keeping: parts, stop: nil)
                let sink = OutputSink(StoredOutput.overflow(10))
                try source.rewrite(metadata: metadata, keeping: parts, to: sink, stop: nil)
                #expect(sink.finish().inMemory == expected)
            }
        }
    }
}
