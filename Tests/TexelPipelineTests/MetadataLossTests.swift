import TestSupport
import Testing
import TexelFormats
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG
@testable import TexelPipeline

/// `--metadata all` keeps every block that a format can hold, and a warning names each that it cannot.
@Suite(.timeLimit(.minutes(30))) struct MetadataLossTests {
    private static let size = PixelSize(width: 24, height: 16)

    private static func packet(_ properties: String, attributes: String = "") -> [UInt8] {
        Array(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:t="http://example.com/t/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"\
            \(attributes)>\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    private static func source(
        _ metadata: WrittenMetadata, _ encoding: ImageEncoding = .png(PNGOptions(effort: .fast))
    ) throws -> any ImageFile {
        try CodecRegistry.shared.open(
            InputBytes(try PixelBuffer.smooth(size).encoded(as: encoding, metadata: metadata)))
    }

    private static func recipe(_ format: ImageFormat?, _ policy: MetadataPolicy = .all) -> Recipe {
        Recipe().encoding(as: format, effort: .fast).keepingMetadata(policy)
    }

    private static var untouched: Recipe {
        var recipe = Recipe().keepingMetadata(.all)
        recipe.output.compresses = false
        return recipe
    }

    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    // MARK: Large XMP

    /// A packet of more than 64 KiB is split for a JPEG, and joined for all other formats.
    @Test func largeXMPTravels() throws {
        let texts = ["a", "b", "c"].map { String(repeating: $0, count: 40_000) }
        let packet = Self.packet(
            "<t:A>\(texts[0])</t:A><t:small>1</t:small><t:B>\(texts[1])</t:B>", attributes: " t:C=\"\(texts[2])\"")
        let jpeg = try Self.source(WrittenMetadata(xmp: packet)).processed(Self.recipe(.jpeg))
        #expect(jpeg.warnings == [])
        let stored = try jpeg.source.info.metadata
        #expect(stored.xmp.map { $0.bytes.count <= 65_502 } == true)
        let own = text(stored.xmp?.bytes)
        #expect(own.contains("<t:small>1</t:small>"))
        let extended = try #require(stored.extendedXMP)
        #expect(stored.xmp?.extensionName == MD5.name(of: extended))
        let segments = try JPEGFile(InputBytes(jpeg.bytes)).segments.filter { $0.marker == 0xE1 }
        #expect(segments.allSatisfy { $0.payload.count <= 65_400 + 75 } && segments.count == 3)
        // Changed pixels, unchanged pixels, moved coefficients, and other formats.
        let recipes = [
            Self.recipe(.jpeg).resizing(width: 10), Self.untouched, Self.untouched.rotating(by: 180), Self.recipe(.png),
            Self.recipe(ImageFormat(rawValue: "webp")),
        ]
        for recipe in recipes {
            let result = try jpeg.source.processed(recipe)
            #expect(result.warnings.filter { $0.contains("XMP") } == [])
            let metadata = try result.source.info.metadata
            let all: String = text(metadata.xmp?.bytes) + text(metadata.extendedXMP)
            let properties = ["<t:A>\(texts[0])</t:A>", "<t:B>\(texts[1])</t:B>", "t:C=\"\(texts[2])\""]
            #expect(properties.allSatisfy { all.contains($0) }, "\(result.route)")
            #expect((metadata.extendedXMP != nil) == (result.format == .jpeg))
            #expect((metadata.xmp?.extensionName != nil) == (result.format == .jpeg))
            // Rewriting leaves no traces of former extensions.
            #expect(all.utf8.count < packet.count + 1500)
        }
    }

    /// A small extension becomes a part of the packet.
    @Test func smallExtensionsAreJoined() throws {
        let (own, other) = (Self.packet("<t:A>1</t:A>"), Self.packet("<t:B>2</t:B>"))
        let joined = try #require(XMP(own)?.joined(with: other))
        #expect(text(joined.bytes).contains("<t:A>1</t:A>") && text(joined.bytes).contains("<t:B>2</t:B>"))
        #expect(try XMPDescriptions(joined.bytes).descriptions.count == 2)
        #expect(joined.orientation == nil)
    }

    @Test func incompleteExtensionsAreAWarning() throws {
        let packet = Self.packet("<t:A>\(String(repeating: "a", count: 150_000))</t:A>")
        let whole = try Self.source(WrittenMetadata(xmp: packet), .jpeg(JPEGOptions()))
        let extended = try #require(whole.info.metadata.extendedXMP).count
        // Without the last part of the extension.
        let bytes = Array(try whole.wholeFile(nil))
        let segments = try JPEGFile(InputBytes(bytes)).segments
        let last = try #require(segments.last { $0.marker == 0xE1 }).payload
        let source = try CodecRegistry.shared.open(
            InputBytes(Array(bytes[..<(last.lowerBound - 4)] + bytes[last.upperBound...])))
        #expect(
            try source.processed(Self.untouched).warnings == [
                "extended XMP of \(extended) bytes was dropped: it is damaged"
            ])
        #expect(try source.processed(Self.recipe(.png, .color)).warnings == [])
        var limits = Limits()
        limits.metadataBytes = 100_000
        let limited = try CodecRegistry.shared.open(InputBytes(bytes), limits: limits)
        #expect(limited.info.metadata.unreadBlocks.map(\.reason) == [.exceedsLimit(100_000)])
    }

    @Test(arguments: [
        ("", "D41D8CD98F00B204E9800998ECF8427E"), ("abc", "900150983CD24FB0D6963F7D28E17F72"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57EDF4A22BE3C955AC49DA2E2107B67A"
        ),
    ]) func extendedXMPIsNamedByItsMD5(text: String, digest: String) {
        #expect(MD5.name(of: Array(text.utf8)) == digest)
    }

    @Test func mutationsOfExtensionsNeverTrap() {
        let valid = Self.packet("<t:A>aaaaaaaaaaaaaaaaaaaaaaaaa</t:A><t:B/>", attributes: " t:C='cccccccccc'")
        let interesting = Array("<>/='\"!?:& \0".utf8)
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    interesting.randomElement(using: &generator) ?? 0
            }
            guard let xmp = XMP(bytes) else { continue }
            _ = xmp.joined(with: valid)
            _ = XMP(valid)?.joined(with: bytes)
            if let (packet, _) = xmp.split(limit: 600) { #expect(packet.count <= 600) }
        }
    }

    // MARK: Blocks without a place

    @Test func largeEXIFIsAWarningForJPEG() throws {
        var builder = EXIFBuilder(byteOrder: .littleEndian)
        builder.add(EXIFTag.orientation, .short([6]), to: \.image)
        builder.add(EXIFTag.makerNote, .undefined([UInt8](repeating: 7, count: 70_000)), to: \.exif)
        let block = builder.block()
        let source = try Self.source(WrittenMetadata(exif: block))
        let warning = "EXIF of \(block.count) bytes was dropped: a JPEG holds at most 65527 bytes"
        #expect(try source.processed(Self.recipe(.jpeg)).warnings == [warning])
        #expect(try source.processed(Self.recipe(.jpeg, .color)).warnings == [])
        #expect(try source.processed(Self.recipe(.png)).source.info.metadata.exif != nil)
        // The orientation is kept nevertheless.
        var stored = Self.recipe(.jpeg)
        stored.appliesOrientation = false
        let result = try source.processed(stored)
        #expect(try result.source.info.orientation == .rotated90)
        #expect(result.warnings == [warning])
    }

    /// Each block that the result does not hold is named; the codec declares which ones these are.
    /// PNG stores XMP as text, so bytes that are no text would make the chunk invalid.
    @Test func textThatIsNoUTF8IsAWarningForPNG() throws {
        let packet = Self.packet("<t:a>\u{20AC}</t:a>")
        let damaged = packet.map { $0 == 0xE2 ? 0xF1 : $0 }
        for (xmp, isKept) in [(packet, true), (damaged, false)] {
            let source = try Self.source(WrittenMetadata(xmp: xmp), .jpeg(JPEGOptions(quality: 90)))
            let result = try source.processed(Self.recipe(.png))
            #expect(try (result.source.info.metadata.xmp != nil) == isKept)
            let warning = "XMP of \(xmp.count) bytes was dropped: it is damaged"
            #expect(result.warnings.contains(warning) == !isKept, "\(result.warnings)")
        }
    }

    @Test func blocksWithoutAPlaceAreNamed() throws {
        let iptc = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 2, 1, 2]
        let metadata = WrittenMetadata(
            exif: TestEXIF.block(orientation: .identity), xmp: Self.packet("<t:A>1</t:A>"), iptc: iptc,
            comments: [TextComment(bytes: Array("text".utf8), encoding: .unknown)],
            density: PixelDensity(pixelsPerInch: 300))
        let source = try Self.source(metadata, .jpeg(JPEGOptions()))
        for codec in CodecRegistry.builtIn where codec.capabilities.writes {
            let (stored, name) = (codec.capabilities.metadata, codec.displayName)
            let expected: [(CodecCapabilities.MetadataBlocks, String)] = [
                (.exif, "EXIF of \(try #require(metadata.exif).count) bytes"),
                (.xmp, "XMP of \(try #require(metadata.xmp).count) bytes"), (.iptc, "IPTC of \(iptc.count) bytes"),
                (.comments, "text of 4 bytes"), (.density, "the density"),
            ]
            let result = try source.processed(Self.recipe(codec.format))
            let warnings = result.warnings.filter { $0.contains("was dropped") }
            #expect(
                warnings
                    == expected.filter { !stored.contains($0.0) }.map {
                        "\($0.1) was dropped: \(name) has no place for it"
                    }, "\(name)")
            let read = try result.source.info.metadata
            #expect((read.exif != nil) == stored.contains(.exif), "\(name)")
            #expect((read.xmp != nil) == stored.contains(.xmp), "\(name)")
            // What is dropped on purpose is not named.
            let plain = try source.processed(Self.recipe(codec.format, .color))
            #expect(plain.warnings.filter { $0.contains("was dropped") } == [], "\(name)")
        }
    }

    /// The tag is kept, or a warning says that it is lost.
    @Test(arguments: MetadataPolicy.allCases) func orientationWithoutAPlace(policy: MetadataPolicy) throws {
        let source = try Self.source(
            WrittenMetadata(exif: TestEXIF.block(orientation: .rotated90)), .jpeg(JPEGOptions()))
        for codec in CodecRegistry.builtIn where codec.capabilities.writes {
            var recipe = Self.recipe(codec.format, policy)
            #expect(try !source.processed(recipe).warnings.contains { $0.contains("orientation was dropped") })
            recipe.appliesOrientation = false
            let result = try source.processed(recipe)
            let isStored = codec.capabilities.metadata.contains(.exif)
            #expect(try result.source.info.orientation == (isStored ? .rotated90 : .identity), "\(codec.displayName)")
            let warning = "the orientation was dropped: \(codec.displayName) has no place for it"
            #expect(result.warnings.contains(warning) == !isStored, "\(codec.displayName)")
        }
    }

    // MARK: Damaged blocks

    @Test func damagedBlocksAreNamed() throws {
        let source = try Self.source(
            WrittenMetadata(
                exif: Array("II*\0".utf8) + [1, 2, 3, 4], xmp: Array("<x:xmpmeta".utf8),
                iptc: Array("no resource".utf8),
                comments: [TextComment(keyword: "Raw profile type exif", bytes: [1, 2], encoding: .latin1)]),
            .jpeg(JPEGOptions()))
        let expected = [
            "IPTC of 11 bytes was dropped: it is damaged", "EXIF of 8 bytes was dropped: it is damaged",
            "XMP of 10 bytes was dropped: it is damaged",
        ]
        for recipe in [Self.untouched, Self.recipe(.jpeg).resizing(width: 10)] {
            let result = try source.processed(recipe)
            #expect(result.warnings == expected)
            #expect(try result.source.info.metadata.xmp == nil)
        }
        #expect(try source.processed(Self.untouched.keepingMetadata(.color)).warnings == [])
        // A segment that is not read.
        let bytes = Array(try Self.source(WrittenMetadata(), .jpeg(JPEGOptions())).wholeFile(nil))
        let segment: [UInt8] = [0xFF, 0xEC, 0, 9] + Array("Ducky".utf8) + [0, 1]
        let other = try CodecRegistry.shared.open(InputBytes(bytes[..<2] + segment + bytes[2...]))
        #expect(
            try other.processed(Self.untouched).warnings == [
                "the segment APP12 “Ducky” of 7 bytes was dropped: it may not fit the written pixels"
            ])
        let text = TextComment(keyword: "Raw profile type exif", bytes: [65, 66], encoding: .latin1)
        #expect(
            try Self.source(WrittenMetadata(comments: [text])).processed(Self.untouched).warnings == [
                "the text “Raw profile type exif” of 2 bytes was dropped: it may not fit the written pixels"
            ])
    }

    // MARK: Attachments

    /// Namespaces, and properties as attributes and as elements.
    private static let attachments = [
        ("http://ns.adobe.com/hdr-gain-map/1.0/", " p:Version='1.0'", "<p:GainMapMax>2</p:GainMapMax>"),
        (
            "http://ns.google.com/photos/1.0/container/", "",
            "<p:Directory><rdf:Seq><rdf:li>x</rdf:li></rdf:Seq></p:Directory>"
        ),
        (
            "http://ns.google.com/photos/1.0/camera/", " p:MotionPhoto='1' p:MicroVideoOffset='99'",
            "<p:MotionPhotoVersion>1</p:MotionPhotoVersion>"
        ),
        ("http://ns.apple.com/HDRGainMap/1.0/", " p:HDRGainMapVersion='65536'", ""),
    ]

    /// XMP declares no gain map and no video that the result does not have; other properties stay.
    @Test(arguments: attachments.indices) func descriptionsOfDroppedAttachmentsGo(index: Int) throws {
        let (namespace, attributes, elements) = Self.attachments[index]
        let (other, declaration) = ("<t:A>1</t:A>", " xmlns:p=\"\(namespace)\"")
        let packet = Self.packet(elements + other, attributes: declaration + attributes)
        let bare = Self.packet(other, attributes: declaration)
        let source = try Self.source(WrittenMetadata(xmp: packet), .jpeg(JPEGOptions()))
        func xmp(_ recipe: Recipe) throws -> [UInt8]? {
            try source.processed(recipe).source.info.metadata.xmp?.bytes
        }
        #expect(try xmp(Self.untouched) == packet)
        for recipe in [
            Self.recipe(.jpeg).resizing(width: 10), Self.recipe(.png), Self.untouched.rotating(by: 180),
            Self.untouched.rotating(by: 90),
        ] {
            #expect(try text(xmp(recipe)) == text(bare), "\(recipe)")
        }
    }

    // MARK: Orientation beside the pixels

    /// Where a format stores the orientation outside of EXIF and XMP, these declare none: no reader turns twice.
    @Test func orientationIsStoredOnce() throws {
        let metadata = WrittenMetadata(
            exif: TestEXIF.block(orientation: .rotated90), xmp: Self.packet("", attributes: " tiff:Orientation=\"6\""))
        let source = try Self.source(metadata)
        for name in ["avif", "jxl"] {
            var recipe = Self.recipe(ImageFormat(rawValue: name))
            recipe.appliesOrientation = false
            let first = try source.processed(recipe)
            var untouched = Self.untouched
            untouched.appliesOrientation = false
            for result in [first, try first.source.processed(untouched)] {
                let info = try result.source.info
                #expect(info.orientation == .rotated90)
                #expect(info.metadata.exif?.orientation == .identity)
                #expect(info.metadata.xmp?.orientation == .identity)
                #expect(info.metadata.exif?.hasGPS == true)
            }
        }
    }
}
