import TestSupport
import Testing
import TexelCodecs
import TexelPixels

@Suite struct XMPTests {
    private let size = PixelSize(width: 640, height: 480)

    /// Returns a packet whose description has these attributes and elements.
    private func packet(_ attributes: String = "", _ elements: String = "") -> String {
        """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <!-- a comment with <tags tiff:Orientation="3"> -->
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Someone's > toolkit">
         <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
          <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
            xmlns:e='http://ns.adobe.com/exif/1.0/' xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmlns:dc="http://purl.org/dc/elements/1.1/"\(attributes)>
           \(elements)
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>
        """
    }

    private func rewritten(
        _ packet: String, _ policy: MetadataPolicy = .all, orientation: Orientation = .identity,
        keepsThumbnail: Bool = false
    ) throws -> String? {
        try #require(XMP(Array(packet.utf8))).rewritten(
            for: policy, orientation: orientation, size: size, keepsThumbnail: keepsThumbnail
        ).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func attributesAreCorrected() throws {
        let before = packet(" tiff:Orientation = '6' tiff:ImageWidth=\"4000\"\ne:PixelYDimension='3000' e:Flash='0'")
        let after = packet(" tiff:Orientation = '1' tiff:ImageWidth=\"640\"\ne:PixelYDimension='480' e:Flash='0'")
        #expect(XMP(Array(before.utf8))?.orientation == .rotated90)
        #expect(try rewritten(before) == after)
    }

    @Test func elementsAreCorrected() throws {
        let before = packet(
            "", "<tiff:Orientation> 8\n</tiff:Orientation><e:PixelXDimension>4000</e:PixelXDimension><tiff:Make/>")
        let after = packet(
            "", "<tiff:Orientation>6</tiff:Orientation><e:PixelXDimension>640</e:PixelXDimension><tiff:Make/>")
        #expect(XMP(Array(before.utf8))?.orientation == .rotated270)
        #expect(try rewritten(before, orientation: .rotated90) == after)
    }

    @Test func namesMeanWhatTheirPrefixMeans() throws {
        let foreign = packet(" xmlns:tiff2=\"http://example.com/\" tiff2:Orientation=\"6\" Orientation=\"6\"")
        #expect(XMP(Array(foreign.utf8))?.orientation == nil)
        #expect(try rewritten(foreign) == foreign)
        let renamed = packet(" t:Orientation=\"6\" xmlns:t=\"http://ns.adobe.com/tiff/1.0/\"")
        #expect(XMP(Array(renamed.utf8))?.orientation == .rotated90)
    }

    @Test func otherImagesAreLeftAlone() throws {
        let ingredient = packet(
            "", "<xmp:Pantry><rdf:Bag><rdf:li><rdf:Description tiff:Orientation='6'/></rdf:li></rdf:Bag></xmp:Pantry>")
        #expect(XMP(Array(ingredient.utf8))?.orientation == nil)
        #expect(try rewritten(ingredient) == ingredient)
    }

    @Test func numbersInAnotherFormAreRemoved() throws {
        let before = packet("", "<tiff:Orientation><rdf:Description rdf:value='6'/></tiff:Orientation>")
        #expect(try rewritten(before) == packet())
    }

    @Test func thumbnailsGoWithTheOldPixels() throws {
        let thumbnails = "<xmp:Thumbnails><rdf:Alt><rdf:li>SECRET</rdf:li></rdf:Alt></xmp:Thumbnails>"
        #expect(try rewritten(packet("", thumbnails)) == packet())
        #expect(try rewritten(packet("", thumbnails), keepsThumbnail: true) == packet("", thumbnails))
    }

    @Test func rewritingRemovesExtendedXMPReference() throws {
        #expect(try rewritten(packet(" xmpNote:HasExtendedXMP='0123456789ABCDEF'")) == packet())
    }

    /// The density is removed only if the file gets another one.
    @Test func xmpDensityIsRemovedOnlyIfReplaced() throws {
        let elements = "<tiff:YResolution>72/1</tiff:YResolution>"
        let xmp = try #require(XMP(Array(packet(" tiff:XResolution='72/1' tiff:ResolutionUnit='2'", elements).utf8)))
        func kept(_ keepsDensity: Bool) -> [UInt8]? {
            xmp.rewritten(
                for: .all, orientation: .identity, size: size, keepsThumbnail: true, keepsDensity: keepsDensity)
        }
        #expect(kept(true) == xmp.bytes)
        #expect(kept(false).map { String(decoding: $0, as: UTF8.self) } == packet())
    }

    @Test func invalidUTF8IsKeptByteForByte() throws {
        // The packet has no other tilde.
        func damaged(_ packet: String) -> [UInt8] { packet.utf8.map { $0 == UInt8(ascii: "~") ? 0xFF : $0 } }
        let title = "<dc:title>~</dc:title>"
        let xmp = try #require(XMP(damaged(packet(" tiff:Orientation='6'", title))))
        #expect(xmp.orientation == .rotated90)
        let kept = xmp.rewritten(for: .all, orientation: .identity, size: size, keepsThumbnail: true)
        #expect(kept == damaged(packet(" tiff:Orientation='1'", title)))
    }

    @Test(arguments: [
        "", "<a", "<a>", "</a>", "<a></b>", "<a b></a>", "<a b=c></a>", "<a b='c></a>", "<!-- ", "<?a", "<![CDATA[ ]]",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<a b='1'c='2'/>", "< a/>", "<a/ >",
    ])
    func malformedPacketsAreNotKept(packet: String) {
        let kept = XMP(Array(packet.utf8))?.rewritten(
            for: .all, orientation: .identity, size: size, keepsThumbnail: true)
        #expect(kept == nil)
    }

    @Test func wideCharactersAreNotKept() {
        let wide = packet(" tiff:Orientation='6'").utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let xmp = XMP([0xFE, 0xFF] + wide)
        #expect(xmp != nil)
        #expect(xmp?.orientation == nil)
        #expect(xmp?.rewritten(for: .all, orientation: .identity, size: size, keepsThumbnail: true) == nil)
    }

    @Test func signatureAndPaddingAreTakenOff() {
        let packet = Array(packet().utf8)
        #expect(XMP(XMP.jpegSignature + packet + [0, 0])?.bytes == packet)
        #expect(XMP([0, 0]) == nil)
    }

    // MARK: Privacy

    @Test func privacyKeepsTheCopyrightOnly() throws {
        let rights = """
            <dc:rights><rdf:Alt><rdf:li xml:lang='de'>Alle Rechte</rdf:li>
            <rdf:li xml:lang='x-default'>© Foto &amp; Co</rdf:li></rdf:Alt></dc:rights>
            <dc:creator>SECRET</dc:creator>
            """
        let kept = try #require(try rewritten(packet(" tiff:Orientation='6' xmp:Label='SECRET'", rights), .privacy))
        #expect(kept.contains(">© Foto &amp; Co</rdf:li>"))
        #expect(!kept.contains("SECRET"))
        #expect(!kept.contains("Orientation"))
        // The result is a valid packet.
        #expect(try rewritten(kept) == kept)
        #expect(try rewritten(kept, .privacy) == kept)
    }

    @Test(arguments: [
        "", " ", "&evil;", "a<b/>c", "&", "<![CDATA[a]]>", "\u{1B}[31m", String(repeating: "x", count: 9999),
    ])
    func privacyRefusesOddStatements(text: String) throws {
        let rights = "<dc:rights><rdf:Alt><rdf:li xml:lang='x-default'>\(text)</rdf:li></rdf:Alt></dc:rights>"
        #expect(try rewritten(packet("", rights), .privacy) == nil)
    }

    @Test func noneAndColorKeepNothing() throws {
        #expect(try rewritten(packet(), .none) == nil)
        #expect(try rewritten(packet(), .color) == nil)
    }

    // MARK: Hostile packets

    @Test func mutationsNeverTrap() {
        let valid = Array(
            packet(
                " tiff:Orientation='6' xmpNote:HasExtendedXMP='0'",
                "<e:PixelXDimension>4000</e:PixelXDimension>"
                    + "<dc:rights><rdf:Alt><rdf:li>x</rdf:li></rdf:Alt></dc:rights>"
            ).utf8)
        let interesting = Array("<>/='\"!?:& \0".utf8)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[position] = interesting.randomElement(using: &generator) ?? 0
            }
            let end = Int.random(in: 0...(bytes.count * 4), using: &generator)
            guard let xmp = XMP(Array(bytes.prefix(end))) else { continue }
            _ = xmp.orientation
            for policy in [MetadataPolicy.privacy, .all] {
                _ = xmp.rewritten(for: policy, orientation: .identity, size: size, keepsThumbnail: false)
            }
        }
    }

    /// A packet inside another packet describes another image; it is kept or removed with the element that contains it.
    @Test func packetsInsideBelongToWhatTheyLieIn() throws {
        let inner =
            "<rdf:RDF><rdf:Description tiff:Orientation='3'><e:PixelXDimension>9</e:PixelXDimension>"
            + "</rdf:Description></rdf:RDF>"
        let before = packet(
            " tiff:Orientation='6'", "<xmp:Thumbnails>\(inner)</xmp:Thumbnails><e:Flash>\(inner)</e:Flash>")
        #expect(XMP(Array(before.utf8))?.orientation == .rotated90)
        #expect(try rewritten(before) == packet(" tiff:Orientation='1'", "<e:Flash>\(inner)</e:Flash>"))
        // Not a number, so the element is removed.
        let odd = packet("", "<tiff:ImageWidth>\(inner)</tiff:ImageWidth>")
        #expect(try rewritten(odd) == packet("", ""))
    }

    @Test(.timeLimit(.minutes(30)))
    func deepNestingIsQuick() {
        let depth = 20_000
        let deep = String(repeating: "<a xmlns:a='b'>", count: depth) + String(repeating: "</a>", count: depth)
        #expect(XMP(Array(deep.utf8))?.orientation == nil)
    }
}
