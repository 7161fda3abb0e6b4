import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

@Suite struct ImageMetadataTests {
    private let size = PixelSize(width: 640, height: 480)
    private let xmp = XMP(
        Array(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="3"/></rdf:RDF>
            """.utf8))

    private var metadata: ImageMetadata {
        ImageMetadata(
            exif: EXIF(SampleEXIF.builder(.littleEndian).block()), xmp: xmp, iptc: resource(0x0404, [1, 2, 3]),
            comments: [
                TextComment(bytes: Array("hello".utf8), encoding: .unknown),
                TextComment(keyword: "Raw profile type exif", bytes: [], encoding: .latin1),
            ],
            density: PixelDensity(jfifUnit: 1, x: 72, y: 72))
    }

    private func resource(_ identifier: UInt16, _ data: [UInt8]) -> [UInt8] {
        let header = Array("8BIM".utf8) + ByteOrder.bigEndian.bytes(identifier) + [0, 0]
        let padding = [UInt8](repeating: 0, count: data.count % 2)
        return header + ByteOrder.bigEndian.bytes(UInt32(data.count)) + data + padding
    }

    private func kept(
        _ metadata: ImageMetadata, _ policy: MetadataPolicy, _ orientation: Orientation = .identity
    ) -> WrittenMetadata {
        metadata.kept(under: policy, orientation: orientation, size: size, keepsThumbnail: false)
    }

    @Test func exifIsAskedBeforeXMP() {
        #expect(metadata.orientation == .rotated90)
        #expect(ImageMetadata(xmp: xmp).orientation == .rotated180)
        #expect(ImageMetadata().orientation == .identity)
        let silent = EXIF(SampleEXIF.builder(.bigEndian, orientation: 0).block())
        #expect(ImageMetadata(exif: silent, xmp: xmp).orientation == .rotated180)
    }

    @Test func eachPolicyKeepsWhatItSays() throws {
        #expect(kept(metadata, .none) == WrittenMetadata())
        #expect(kept(metadata, .color) == WrittenMetadata(density: metadata.density))
        let privacy = kept(metadata, .privacy)
        #expect(try !#require(privacy.exif).contains(SampleEXIF.secret))
        #expect(privacy == WrittenMetadata(exif: privacy.exif, density: metadata.density))
        let all = kept(metadata, .all)
        #expect(all.exif.flatMap { EXIF($0) }?.orientation == .identity)
        #expect(all.xmp.flatMap { XMP($0) }?.orientation == .identity)
        #expect(all.iptc == metadata.iptc)
        #expect(all.comments.map(\.text) == ["hello"])
        #expect(all.density == metadata.density)
    }

    @Test(arguments: MetadataPolicy.allCases, Orientation.allCases)
    func imagesStayUpright(policy: MetadataPolicy, orientation: Orientation) {
        for metadata in [metadata, ImageMetadata(), ImageMetadata(xmp: xmp)] {
            let written = kept(metadata, policy, orientation)
            let read = ImageMetadata(exif: written.exif.flatMap { EXIF($0) }, xmp: written.xmp.flatMap { XMP($0) })
            #expect(read.orientation == orientation)
        }
    }

    @Test func exifKnowsTheDensityWhereTheContainerDoesNot() {
        var metadata = metadata
        metadata.density = PixelDensity(jfifUnit: 0, x: 1, y: 1)
        #expect(metadata.effectiveDensity?.pHYs?.x == 11811)
        metadata.density = nil
        #expect(kept(metadata, .color).density?.pHYs?.x == 11811)
        metadata.exif = nil
        #expect(metadata.effectiveDensity == nil)
    }

    // MARK: Photoshop's resources

    private func corrected(_ payload: [UInt8], keepsThumbnail: Bool, keepsDensity: Bool = true) -> [UInt8]? {
        PhotoshopResources.corrected(payload, keepsThumbnail: keepsThumbnail, keepsDensity: keepsDensity).kept
    }

    @Test func photoshopThumbnailsAndCopiesGo() {
        let signature = Array("Photoshop 3.0\0".utf8)
        let captions = resource(0x0404, [1, 2, 3])
        let payload = signature + resource(0x040C, SampleEXIF.secret) + captions + resource(0x0422, SampleEXIF.secret)
        #expect(corrected(payload, keepsThumbnail: false) == signature + captions)
        #expect(
            corrected(payload, keepsThumbnail: true) == signature + resource(0x040C, SampleEXIF.secret) + captions)
        #expect(corrected(signature + resource(0x0409, [1]), keepsThumbnail: false) == nil)
        // A missing last padding byte, and a truncated resource at the end.
        #expect(corrected(captions.dropLast(), keepsThumbnail: false) == captions.dropLast())
        #expect(corrected(captions + captions.prefix(13), keepsThumbnail: false) == captions)
        for count in 0..<payload.count {
            _ = corrected(Array(payload[..<count]), keepsThumbnail: false)
        }
    }

    /// Another density would contradict the file's.
    @Test func photoshopDensityGoesIfItIsReplaced() {
        let (density, captions) = (resource(0x03ED, [0, 72, 0, 0]), resource(0x0404, [1, 2, 3]))
        #expect(corrected(density + captions, keepsThumbnail: true) == density + captions)
        #expect(corrected(density + captions, keepsThumbnail: true, keepsDensity: false) == captions)
    }

    // MARK: Comments

    @Test func commentsAreReadInTheirEncoding() {
        #expect(TextComment(bytes: [0xE9], encoding: .latin1).text == "é")
        #expect(TextComment(bytes: [0xE9], encoding: .unknown).text == "é")
        #expect(TextComment(bytes: [0xC3, 0xA9], encoding: .unknown).text == "é")
        #expect(TextComment(bytes: [0xC3, 0xA9], encoding: .utf8).latin1Bytes == [0xE9])
        #expect(TextComment(bytes: Array("→".utf8), encoding: .utf8).latin1Bytes == nil)
    }

    @Test func commentsFitTheOtherFormat() {
        let title = TextComment(keyword: "Title", bytes: [0xE9], encoding: .latin1)
        #expect(title.jpegComment == Array("Title: é".utf8))
        #expect(title.pngKeyword == Array("Title".utf8))
        let raw = TextComment(bytes: [0xFF], encoding: .unknown)
        #expect(raw.jpegComment == [0xFF])
        for keyword in ["", " a", "a ", "a  b", "a\nb", "→", "\u{A0}", String(repeating: "x", count: 80)] {
            #expect(TextComment(keyword: keyword, bytes: [], encoding: .utf8).pngKeyword == Array("Comment".utf8))
        }
        #expect(TextComment(keyword: "é", bytes: [], encoding: .utf8).pngKeyword == [0xE9])
    }
}
