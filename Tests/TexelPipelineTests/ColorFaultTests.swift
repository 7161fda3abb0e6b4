import TestImageWriting
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelOperations
import TexelPixels

@testable import TexelPNG
@testable import TexelPipeline

/// Profiles that do not describe the pixels are neither used nor written, in every format and on every route, and are
/// named in one warning.
@Suite struct ColorFaultTests {
    /// The fault of a profile.
    enum Fault: CaseIterable {
        case noCurves, damagedCurves, cutOff, tooShort, noTags, absurdCount, abstract, connection, unknownVersion

        func apply(to profile: [UInt8]) -> [UInt8] {
            var bytes = profile
            switch self {
            case .noCurves, .damagedCurves:
                for index in 0..<Int(bytes[131]) {
                    let entry = 132 + 12 * index
                    guard bytes[(entry + 1)..<(entry + 4)].elementsEqual("TRC".utf8) else { continue }
                    if self == .noCurves {
                        bytes[entry] = UInt8(ascii: "x")
                    } else {
                        let offset = bytes[(entry + 4)..<(entry + 8)].reduce(0) { $0 << 8 | Int($1) }
                        bytes.replaceSubrange(offset..<(offset + 4), with: "none".utf8)
                    }
                }
            case .cutOff: bytes.removeLast(bytes.count - 260)
            case .tooShort: bytes[3] += 1
            case .noTags: bytes.replaceSubrange(128..<132, with: [0, 0, 0, 0])
            case .absurdCount: bytes.replaceSubrange(128..<132, with: [0xFF, 0xFF, 0xFF, 0xFF])
            case .abstract: bytes.replaceSubrange(12..<16, with: "abst".utf8)
            case .connection: bytes.replaceSubrange(20..<24, with: "RGB ".utf8)
            case .unknownVersion:
                bytes[8] = 99
                bytes.replaceSubrange(128..<132, with: [0, 0, 0, 0])
            }
            return bytes
        }
    }

    /// The formats whose encoders embed any profile. GIF stores none, and libjxl checks what it is given.
    private static let formats = ImageFormat.tested.filter {
        $0.capabilities.metadata.contains(.profile) && $0.rawValue != "jxl"
    }

    private static let size = PixelSize(width: 40, height: 24)

    private static func wideGamut() throws -> [UInt8] {
        try #require(try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile()).bytes
    }

    /// Returns an image whose file has this profile.
    private static func file(_ format: ImageFormat, _ profile: [UInt8]) throws -> [UInt8] {
        var image = try PixelBuffer.smooth(size)
        image.colorSpace = .iccProfile(try #require(ICCProfile(profile)))
        var settings = EncodingSettings()
        settings.effort = .fast
        return try image.encoded(as: try #require(format.encoding(settings)))
    }

    private static var recipes: [Recipe] {
        var quiet = Recipe()
        quiet.output.compresses = false
        var wide = Recipe()
        wide.output.colorSpace = .displayP3
        return [
            quiet, Recipe(), quiet.rotating(by: 90), Recipe().keepingMetadata(.none), Recipe().keepingMetadata(.all),
            wide, Recipe().resizing(width: 16), Recipe().encoding(as: ImageFormat(rawValue: "ppm")),
            Recipe().encoding(as: .png),
        ]
    }

    /// The warnings of the file about its colours.
    private static func check(
        _ bytes: [UInt8], like plain: PixelBuffer?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let source = try CodecRegistry.shared.open(InputBytes(bytes))
        #expect(source.info.colorSpace == .sRGB, sourceLocation: sourceLocation)
        let fault = try #require(source.info.colorFault, sourceLocation: sourceLocation)
        let decoded = try source.decodedAsStored()
        #expect(decoded.warnings == [fault] && decoded.image.colorSpace == .sRGB, sourceLocation: sourceLocation)
        if let plain { #expect(decoded.image.pixels == plain.pixels, sourceLocation: sourceLocation) }
        var strict = DecodeOptions()
        strict.policy.strictness = .warning
        #expect(throws: TexelError.self, sourceLocation: sourceLocation) { try source.decodedAsStored(strict) }
        for recipe in recipes {
            let result = try source.processed(recipe)
            #expect(result.warnings.filter { $0.contains("profile") } == [fault], sourceLocation: sourceLocation)
            let info = try result.source.info
            #expect(info.colorFault == nil, sourceLocation: sourceLocation)
            let storesColors = recipe.output.colorSpace != nil && info.format.capabilities.metadata.contains(.profile)
            #expect((info.colorSpace == .sRGB) == !storesColors, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: formats, Fault.allCases)
    func brokenProfilesAreReadAsSRGB(format: ImageFormat, fault: Fault) throws {
        let bytes = try Self.file(format, fault.apply(to: Self.wideGamut()))
        let plain = try CodecRegistry.shared.open(InputBytes(Self.file(format, Self.wideGamut()))).decodedAsStored()
            .image
        try Self.check(bytes, like: plain)
    }

    /// Bytes after the size that a profile declares are not written: libpng would refuse it.
    @Test(arguments: formats.filter { $0 != .png }) func paddingOfProfilesIsDropped(format: ImageFormat) throws {
        let profile = try Self.wideGamut()
        let source = try CodecRegistry.shared.open(InputBytes(Self.file(format, profile + [0, 0, 0])))
        #expect(try source.info.colorSpace == .iccProfile(#require(ICCProfile(profile))))
        #expect(source.info.colorFault == nil)
        let result = try source.processed(Recipe().encoding(as: .png))
        #expect(try result.source.info.colorSpace == source.info.colorSpace)
        #expect(try result.source.info.colorFault == nil)
    }

    /// The header of the profile of a file that stores it as it is says CMYK, grey or Lab.
    @Test(arguments: formats.filter { $0 != .png }, ["CMYK", "GRAY", "Lab "])
    func profilesOfOtherModels(format: ImageFormat, model: String) throws {
        var bytes = try Self.file(format, Self.wideGamut())
        let signature = try #require(bytes.indices.first { bytes[$0...].starts(with: "acsp".utf8) })
        bytes.replaceSubrange((signature - 20)..<(signature - 16), with: model.utf8)
        try Self.check(bytes, like: nil)
    }

    /// libpng refuses such profiles itself.
    @Test(arguments: ["CMYK", "GRAY"]) func profilesOfOtherModelsInPNG(model: String) throws {
        var profile = try Self.wideGamut()
        profile.replaceSubrange(16..<20, with: model.utf8)
        for depth in [8, 16] {
            let writer = PNGWriter(Self.size, .rgb, bitDepth: depth)
            var bytes = try writer.bytes((0..<(40 * 24 * 3)).map { UInt16($0) })
            var chunk = PNGChunkWriter()
            chunk.append("iCCP", Array("ICC profile".utf8) + [0, 0] + (try Zlib.compressed(profile, effort: .fast)))
            // After the signature and IHDR.
            bytes.insert(contentsOf: chunk.bytes.dropFirst(8), at: 33)
            try Self.check(bytes, like: nil)
        }
    }

    /// A part of a JPEG's profile is missing: in the middle, or at its end.
    @Test(arguments: [1, 2, 3]) func incompleteProfilesAreReadAsSRGB(part: Int) throws {
        let profile = try Self.wideGamut()
        var bytes = try PixelBuffer.smooth(Self.size).encoded(as: .jpeg(JPEGOptions()))
        let plain = try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image
        let third = profile.count / 3
        let parts = [profile[..<third], profile[third..<(2 * third)], profile[(2 * third)...]]
        for (index, content) in parts.enumerated().reversed() where index + 1 != part {
            let payload = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), 3] + content
            bytes.insert(
                contentsOf: [0xFF, 0xE2, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload,
                at: 2)
        }
        try Self.check(bytes, like: plain)
    }

    @Test func rgbProfilesOfCMYKFilesAreIgnoredWithAWarning() throws {
        var bytes = try TestFolders.testImage("cmyk.jpg")
        let plain = try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image
        let profile = try Self.wideGamut()
        let payload = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        bytes.insert(
            contentsOf: [0xFF, 0xE2, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload, at: 2
        )
        let source = try CodecRegistry.shared.open(InputBytes(bytes))
        let fault = try #require(source.info.colorFault)
        #expect(try source.decodedAsStored().image == plain)
        let result = try source.processed(Recipe())
        #expect(result.route == .recompress && result.warnings == [fault])
        #expect(try result.source.info.colorFault == nil)
    }

    /// An image with such a profile can be laid over another one.
    @Test func imagesWithBrokenProfilesCanBeOverlays() throws {
        let bytes = try Self.file(.png, Fault.noCurves.apply(to: Self.wideGamut()))
        let image = try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image
        #expect(try OverlayImage(image).pixels.pixels == image.pixels)
    }
}
