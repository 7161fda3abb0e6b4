import TestImageWriting
import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

/// Written metadata is read back, in both formats and after conversion between them.
@Suite struct WrittenMetadataTests {
    private static let encodings: [ImageEncoding] = [.jpeg(JPEGOptions()), .png(PNGOptions())]

    private func image(_ colorSpace: ColorSpace = .sRGB) throws -> PixelBuffer {
        var image = try PixelBuffer.random(width: 20, height: 10)
        image.colorSpace = colorSpace
        return image
    }

    /// Returns a valid profile, padded with noise to `byteCount`.
    private func profile(of byteCount: Int) throws -> ICCProfile {
        var bytes = try #require(try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile()).bytes
        var generator = SeededGenerator(seed: 4)
        bytes += .random(count: byteCount - bytes.count, using: &generator)
        for (index, shift) in [24, 16, 8, 0].enumerated() { bytes[index] = UInt8(byteCount >> shift & 255) }
        return try #require(ICCProfile(bytes))
    }

    /// A codec writes the blocks that it declares, and no others.
    @Test(arguments: encodings) func declaredBlocksAreWritten(encoding: ImageEncoding) throws {
        let written = WrittenMetadata(
            exif: TestEXIF.block(orientation: .rotated90), xmp: Array("<x:xmpmeta/>".utf8), iptc: [1, 2, 3, 4],
            comments: [TextComment(bytes: Array("text".utf8), encoding: .utf8)],
            density: PixelDensity(horizontal: Rational(300), vertical: Rational(300), unit: .perInch))
        let colors = ColorSpace.iccProfile(try profile(of: 4096))
        let bytes = try image(colors).encoded(as: encoding, metadata: written)
        let info = try CodecRegistry.tested.open(InputBytes(bytes)).info
        var found: CodecCapabilities.MetadataBlocks = []
        if info.colorSpace == colors { found.insert(.profile) }
        if info.metadata.exif != nil { found.insert(.exif) }
        if info.metadata.xmp != nil { found.insert(.xmp) }
        if info.metadata.iptc != nil { found.insert(.iptc) }
        if !info.metadata.comments.isEmpty { found.insert(.comments) }
        if info.metadata.density != nil { found.insert(.density) }
        #expect(found == CodecRegistry.tested[encoding.format]?.capabilities.metadata)
    }

    @Test(arguments: encodings, [4096, 65_516, 65_520, 200_000])
    func profilesOfAnySizeTravel(encoding: ImageEncoding, byteCount: Int) throws {
        let profile = try profile(of: byteCount)
        let bytes = try image(.iccProfile(profile)).encoded(as: encoding)
        let source = try bytes.source()
        #expect(source.info.colorSpace == .iccProfile(profile))
        #expect(try source.decodedAsStored().image.colorSpace == .iccProfile(profile))
        #expect(source.info.metadata == ImageMetadata())
        if encoding.format == .jpeg {
            let parts = try JPEGFile(InputBytes(bytes)).payloads(0xE2, beginningWith: JPEGFile.profileIdentifier)
            #expect(parts.count == (byteCount + 65_518) / 65_519)
        }
    }

    @Test func jpegCarriesACalibrationAsProfile() throws {
        let source = try image(.calibrated(TestImage.wideGamut)).encoded(as: .jpeg(JPEGOptions())).source()
        let profile = try #require(try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile())
        #expect(source.info.colorSpace == .iccProfile(profile))
        // sRGB in another form needs no profile.
        let plain = try image(.calibrated(Calibration(gamma: 45_455, chromaticities: .sRGB)))
        #expect(try plain.encoded(as: .jpeg(JPEGOptions())).source().info.colorSpace == .sRGB)
    }

    @Test(arguments: encodings)
    func densitiesTravel(encoding: ImageEncoding) throws {
        let densities: [(PixelDensity?, jpeg: PixelDensity?, png: PixelDensity?)] = [
            (
                PixelDensity(jfifUnit: 1, x: 300, y: 150), PixelDensity(jfifUnit: 1, x: 300, y: 150),
                PixelDensity(pHYsUnit: 1, x: 11_811, y: 5_906)
            ),
            (
                PixelDensity(jfifUnit: 2, x: 100, y: 100), PixelDensity(jfifUnit: 2, x: 100, y: 100),
                PixelDensity(pHYsUnit: 1, x: 10_000, y: 10_000)
            ),
            (
                PixelDensity(pHYsUnit: 1, x: 2_835, y: 2_835), PixelDensity(jfifUnit: 1, x: 72, y: 72),
                PixelDensity(pHYsUnit: 1, x: 2_835, y: 2_835)
            ),
            (
                PixelDensity(pHYsUnit: 0, x: 4, y: 3), PixelDensity(jfifUnit: 0, x: 4, y: 3),
                PixelDensity(pHYsUnit: 0, x: 4, y: 3)
            ),
            (nil, nil, nil),
        ]
        for (density, jpeg, png) in densities {
            let bytes = try image().encoded(as: encoding, metadata: WrittenMetadata(density: density))
            #expect(try bytes.source().info.metadata.density == (encoding.format == .jpeg ? jpeg : png))
        }
    }

    @Test(arguments: encodings)
    func blocksTravelByteForByte(encoding: ImageEncoding) throws {
        let written = WrittenMetadata(
            exif: TestImage.fullEXIF, xmp: TestImage.packet,
            comments: [
                TextComment(keyword: "Comment", bytes: Array("plain".utf8), encoding: .latin1),
                TextComment(keyword: "Title", bytes: Array("夜".utf8), encoding: .utf8),
            ])
        let source = try image().encoded(as: encoding, metadata: written).source()
        for metadata in [source.info.metadata, try source.decodedAsStored().metadata] {
            let exif = try #require(metadata.exif)
            #expect(exif == EXIF(TestImage.fullEXIF))
            #expect(exif.hasGPS)
            #expect(exif.summary.copyright == "The Texel project")
            #expect(metadata.xmp == XMP(TestImage.packet))
            // A JPEG comment has no keyword, so the keyword precedes the text.
            let isPNG = encoding.format == .png
            #expect(metadata.comments.map(\.keyword) == (isPNG ? ["Comment", "Title"] : ["", ""]))
            #expect(metadata.comments.map(\.text) == (isPNG ? ["plain", "夜"] : ["Comment: plain", "Title: 夜"]))
        }
    }

    /// A JPEG stores each block in one segment; larger blocks are dropped instead of failing.
    @Test func blocksTooLargeForJPEGAreLeftOut() throws {
        let written = WrittenMetadata(exif: [UInt8](repeating: 65, count: 70_000), xmp: TestImage.packet)
        let metadata = try image().encoded(as: .jpeg(JPEGOptions()), metadata: written).source().info.metadata
        #expect(metadata.exif == nil)
        #expect(metadata.xmp != nil)
    }

    @Test(arguments: encodings, ["metadata.jpg", "metadata.png"])
    func metadataCrossesFormats(encoding: ImageEncoding, name: String) throws {
        let original = try TestFolders.testImage(name).source()
        let before = original.info.metadata
        let kept = before.kept(
            under: .all, orientation: .identity, size: original.info.size, keepsThumbnail: true)
        let after = try original.decodedAsStored().image.encoded(as: encoding, metadata: kept).source().info.metadata
        #expect(after.exif?.summary == before.exif?.summary)
        #expect(after.xmp.map { String(decoding: $0.bytes, as: UTF8.self).contains("xmp:Rating") } == true)
        let comments = before.comments.map(\.text)
        #expect(after.comments.map(\.text).elementsEqual(comments) { $0.hasSuffix($1) })
        #expect(after.effectiveDensity?.jfif.map { [$0.x, $0.y] } == [300, 300])
    }

    @Test func theExpectedNotesAreInTheTestImages() throws {
        for name in ["metadata.jpg", "metadata.png"] {
            let metadata = try TestFolders.testImage(name).source().info.metadata
            #expect(metadata.exif?.hasGPS == true)
            #expect(metadata.comments.first?.text == TestImage.comment)
            #expect(metadata.xmp == XMP(TestImage.packet))
            #expect(metadata.density?.jfif.map { [UInt16($0.unit), $0.x, $0.y] } == [1, 300, 300])
        }
    }
}
