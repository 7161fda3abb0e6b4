import Testing
import TexelPixels

@testable import TexelCodecs

@Suite struct EXIFRewritingTests {
    private let size = PixelSize(width: 640, height: 480)

    private func rewritten(
        _ builder: EXIFBuilder, _ policy: MetadataPolicy, orientation: Orientation = .identity,
        size: PixelSize = PixelSize(width: 640, height: 480), keepsThumbnail: Bool = false
    ) throws -> [UInt8]? {
        try #require(EXIF(builder.block())).rewritten(
            for: policy, orientation: orientation, size: size, keepsThumbnail: keepsThumbnail)
    }

    @Test func noneAndColorKeepNothing() throws {
        #expect(try rewritten(SampleEXIF.builder(.bigEndian), .none) == nil)
        #expect(try rewritten(SampleEXIF.builder(.bigEndian), .color) == nil)
    }

    // MARK: All

    /// The corrected block equals what the builder writes for the corrected values.
    @Test(arguments: ByteOrder.allCases, [true, false])
    func allCorrectsInPlace(order: ByteOrder, keepsThumbnail: Bool) throws {
        let original = SampleEXIF.builder(order)
        var expected = original
        func replace(
            _ tag: UInt16, _ value: TIFFField.Value, in directory: WritableKeyPath<EXIFBuilder, [TIFFField]>
        ) {
            expected[keyPath: directory] = expected[keyPath: directory].map {
                $0.tag == tag ? TIFFField(tag, value, in: order) : $0
            }
        }
        replace(EXIFTag.orientation, .short([1]), in: \.image)
        replace(EXIFTag.orientation, .short([1]), in: \.thumbnail)
        replace(EXIFTag.imageWidth, .short([640]), in: \.image)
        replace(EXIFTag.imageLength, .short([480]), in: \.image)
        replace(EXIFTag.pixelXDimension, .short([640]), in: \.exif)
        replace(EXIFTag.pixelYDimension, .short([480]), in: \.exif)
        replace(EXIFTag.relatedImageWidth, .short([640]), in: \.interoperability)
        if !keepsThumbnail {
            expected.thumbnail = []
            expected.thumbnailData = []
        }
        #expect(try rewritten(original, .all, keepsThumbnail: keepsThumbnail) == expected.block())
    }

    @Test func shortsThatCannotHoldASideBecomeLongs() throws {
        let block = try #require(
            try rewritten(SampleEXIF.builder(.bigEndian), .all, size: PixelSize(width: 70000, height: 480)))
        #expect(block.contains([0x01, 0x00, 0, 4, 0, 0, 0, 1, 0, 1, 0x11, 0x70]))
        #expect(block.contains([0xA0, 0x02, 0, 4, 0, 0, 0, 1, 0, 1, 0x11, 0x70]))
        #expect(block.contains([0x01, 0x01, 0, 3, 0, 0, 0, 1, 0x01, 0xE0, 0, 0]))
    }

    @Test func orientationBecomesAShort() throws {
        var builder = EXIFBuilder(byteOrder: .littleEndian)
        builder.add(EXIFTag.orientation, .long([6]), to: \.image)
        var expected = EXIFBuilder(byteOrder: .littleEndian)
        expected.add(EXIFTag.orientation, .short([1]), to: \.image)
        #expect(try rewritten(builder, .all) == expected.block())
    }

    @Test(arguments: ByteOrder.allCases)
    func missingOrientationIsAddedOnlyWhenItMatters(order: ByteOrder) throws {
        var builder = SampleEXIF.builder(order)
        builder.image.removeAll { $0.tag == EXIFTag.orientation }
        let upright = try #require(try rewritten(builder, .all))
        #expect(EXIF(upright)?.orientation == nil)
        let turned = try #require(try rewritten(builder, .all, orientation: .rotated90, keepsThumbnail: true))
        let exif = try #require(EXIF(turned))
        #expect(exif.orientation == .rotated90)
        #expect(exif.hasThumbnail)
        #expect(exif.summary == EXIF(builder.block())?.summary)
        // Everything else is at its old offset.
        let plain = try #require(try rewritten(builder, .all, keepsThumbnail: true))
        #expect(turned.count > plain.count)
        #expect(turned[8..<20] == plain[8..<20])
    }

    @Test func thumbnailInTheMiddleIsErased() throws {
        var builder = EXIFBuilder(byteOrder: .bigEndian)
        builder.add(EXIFTag.make, .ascii("Texel Works"), to: \.image)
        builder.add(EXIFTag.xResolution, .rational([72, 1]), to: \.thumbnail)
        builder.thumbnailData = SampleEXIF.thumbnailData
        let tail = Array("more that a maker note may point to".utf8)
        let exif = try #require(EXIF(builder.block() + tail))
        let block = try #require(
            exif.rewritten(for: .all, orientation: .identity, size: size, keepsThumbnail: false))
        #expect(block.count == exif.bytes.count)
        #expect(!block.contains(SampleEXIF.secret))
        #expect(block.contains(tail))
        #expect(EXIF(block)?.hasThumbnail == false)
    }

    @Test func bytesThatATagSharesWithTheThumbnailStay() throws {
        // IFD1 claims that its image starts in the header and has unlimited length.
        var builder = EXIFBuilder(byteOrder: .bigEndian)
        builder.add(EXIFTag.make, .ascii("Texel Works"), to: \.image)
        builder.add(EXIFTag.thumbnailOffset, .long([0]), to: \.thumbnail)
        builder.add(EXIFTag.thumbnailLength, .long([.max]), to: \.thumbnail)
        let block = try #require(try rewritten(builder, .all))
        #expect(EXIF(block)?.summary.make == "Texel Works")
        #expect(EXIF(block)?.hasThumbnail == false)
        #expect(block.count < builder.block().count)
    }

    // MARK: Privacy

    @Test(arguments: ByteOrder.allCases)
    func privacyKeepsThePhotographAndNothingElse(order: ByteOrder) throws {
        let original = SampleEXIF.builder(order)
        let block = try #require(try rewritten(original, .privacy))
        #expect(!block.contains(SampleEXIF.secret))
        #expect(!block.contains(order.bytes(UInt32(0x5345_4352))))
        let dropped: [UInt16] = [
            EXIFTag.imageDescription, EXIFTag.software, EXIFTag.artist, EXIFTag.authorForExplorer, 0xC62F, 0xFDE8,
            EXIFTag.makerNote, EXIFTag.userComment, EXIFTag.imageUniqueID, EXIFTag.cameraOwnerName,
            EXIFTag.bodySerialNumber, EXIFTag.lensSerialNumber, EXIFTag.gpsDirectory,
            EXIFTag.interoperabilityDirectory, EXIFTag.imageWidth,
        ]
        let exif = try #require(EXIF(block))
        var expected = try #require(EXIF(original.block())).summary
        expected.hasGPS = false
        let tags = Set((exif.image.entries + (exif.exif?.entries ?? [])).map(\.tag))
        #expect(tags.isDisjoint(with: dropped))
        #expect(exif.summary == expected)
        #expect(exif.orientation == .identity)
        #expect(!exif.hasThumbnail)
        #expect(block.contains(Array("A photographer\0An editor\0".utf8)))
        #expect(block.contains(order.bytes(EXIFTag.pixelXDimension) + order.bytes(UInt16(4))))
        #expect(block.contains(order.bytes(UInt32(640))))
    }

    @Test func privacyOfNothingPermittedIsNothing() throws {
        var builder = EXIFBuilder(byteOrder: .bigEndian)
        builder.add(EXIFTag.orientation, .short([6]), to: \.image)
        builder.add(EXIFTag.artist, .ascii("SECRET"), to: \.image)
        builder.add(EXIFTag.gpsVersion, .undefined([2, 3, 0, 0]), to: \.gps)
        #expect(try rewritten(builder, .privacy) == nil)
        let turned = try #require(try rewritten(builder, .privacy, orientation: .rotated90))
        #expect(turned == EXIF.block(orientation: .rotated90))
    }

    @Test func privacyRefusesEndlessTexts() throws {
        var builder = EXIFBuilder(byteOrder: .bigEndian)
        builder.add(EXIFTag.make, .ascii(String(repeating: "x", count: 60000)), to: \.image)
        #expect(try rewritten(builder, .privacy) == nil)
    }

    @Test(arguments: ByteOrder.allCases)
    func rewritingAgainChangesNothing(order: ByteOrder) throws {
        for policy in [MetadataPolicy.privacy, .all] {
            let once = try #require(try rewritten(SampleEXIF.builder(order), policy))
            let twice = EXIF(once)?.rewritten(
                for: policy, orientation: .identity, size: size, keepsThumbnail: false)
            #expect(twice == once)
        }
    }
}
