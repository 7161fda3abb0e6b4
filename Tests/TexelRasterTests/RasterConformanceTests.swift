import Foundation
import TestSupport
import Testing
import TexelBMP
import TexelCore
import TexelPNG
import TexelPNM
import TexelPixels
import TexelQOI

@testable import TexelCodecs

/// Public test images and the references that come with them. They are not part of the repository; each test runs if
/// the folder of the environment variable TEXEL_CORPORA has its files.
@Suite struct RasterConformanceTests {
    /// The files of a corpus; empty without it.
    private static func files(_ folder: String, _ suffix: String) -> [String] {
        guard let root = TestFolders.corpora?.appendingPathComponent(folder, isDirectory: true) else { return [] }
        return TestFolders.files(below: root).map { String($0.path.dropFirst(root.path.count)) }
            .map { String($0.drop { $0 == "/" }) }.filter { $0.hasSuffix(suffix) }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        let root = try #require(TestFolders.corpora)
        return Array(try Data(contentsOf: root.appendingPathComponent(path)))
    }

    private static func reference(_ path: String) throws -> PixelBuffer {
        try CodecChecks(PNGCodec()).decoded(try bytes(path)).image
    }

    // MARK: BMP

    /// The references of bmpsuite, whose page names them, where they do not have the name of the file.
    private static let references: [String: String] = [
        "g/pal1wb": "pal1", "g/pal4rle": "pal4", "g/pal8-0": "pal8", "g/pal8rle": "pal8", "g/pal8topdown": "pal8",
        "q/pal8offs": "pal8", "q/pal8oversizepal": "pal8", "g/pal8nonsquare": "pal8nonsquare-e", "g/pal8os2": "pal8",
        "q/pal8os2-sz": "pal8", "q/pal8os2-hs": "pal8", "q/pal8os2sp": "pal8", "q/pal8os2v2": "pal8",
        "q/pal8os2v2-16": "pal8", "q/pal8os2v2-sz": "pal8", "q/pal8os2v2-40sz": "pal8", "q/rgb24rle24": "pal8",
        "g/pal8v4": "pal8", "g/pal8v5": "pal8", "g/rgb16bfdef": "rgb16", "g/rgb16-565pal": "rgb16-565",
        "q/rgb16faketrns": "rgb16", "g/rgb24pal": "rgb24", "q/rgb24largepal": "rgb24", "q/rgb24prof": "rgb24",
        "q/rgb24prof2": "rgb24", "q/rgb24lprof": "rgb24", "g/rgb32": "rgb24", "g/rgb32bfdef": "rgb24",
        "g/rgb32bf": "rgb24", "q/rgb32h52": "rgb24", "q/rgb32-xbgr": "rgb24", "q/rgb32fakealpha": "rgb24",
        "q/rgb32-111110": "rgb24", "q/rgba32-1": "rgba32", "q/rgba32-2": "rgba32", "q/rgba32abf": "rgba32",
        "q/rgba32h56": "rgba32", "q/rgba64": "rgba32",
    ]

    private static let unsupported: [String: String] = [
        "q/pal1huffmsb": "a BMP with Huffman compression", "q/rgb24jpeg": "a JPEG in a BMP",
        "q/rgb24png": "a PNG in a BMP",
    ]

    private static let bmpFiles = files("bmpsuite", ".bmp")

    @Test(.enabled(if: !bmpFiles.isEmpty), arguments: bmpFiles.filter { $0.hasPrefix("g/") || $0.hasPrefix("q/") })
    func bmpsuiteFilesDecodeLikeTheirReference(file: String) throws {
        let (checks, bytes) = (CodecChecks(BMPCodec()), try Self.bytes("bmpsuite/\(file)"))
        let name = String(file.dropLast(4))
        if let feature = Self.unsupported[name] {
            #expect(throws: TexelError.unsupported(feature)) { try checks.source(bytes) }
            return
        }
        var image = try checks.decoded(bytes, .error).image
        // The colours of its profile are part of what the file shows.
        if name == "q/rgb24prof2" { image = try image.convertedToSRGB() }
        let own = String(name.dropFirst(2))
        let reference = try Self.reference("bmpsuite/html/\(Self.references[name] ?? own).png")
        // The colours of transparent pixels do not matter.
        let (left, right) = (try image.premultiplied(), try reference.premultiplied())
        // The curves of that profile are not exactly those of sRGB; other differences are rounding.
        expectPixelsEqual(left, right, tolerance: name == "q/rgb24prof2" ? 9 : 1, file)
    }

    /// Invalid files, with the errors of those that have no image.
    @Test(.enabled(if: !bmpFiles.isEmpty), arguments: bmpFiles.filter { $0.hasPrefix("b/") })
    func invalidFilesOfBmpsuite(file: String) throws {
        let (checks, bytes) = (CodecChecks(BMPCodec()), try Self.bytes("bmpsuite/\(file)"))
        let errors: [String: TexelError] = [
            "b/badbitcount.bmp": .damaged(.bmp, .invalidValue(30_000, of: "number of bits per pixel")),
            "b/badheadersize.bmp": .damaged(.bmp, .invalidValue(66, of: "header size")),
            "b/badwidth.bmp": .damaged(.bmp, .invalidDimensions(width: -127, height: 64)),
            "b/reallybig.bmp": .limitExceeded(.side, value: 3_000_000, allowed: 65_535),
            "b/shortfile.bmp": .truncated(rowsRead: 13, rows: 64),
        ]
        do throws(TexelError) {
            let image = try checks.decoded(bytes).image
            #expect(image.width == 127 && image.height == 64)
            #expect(errors[file] == nil)
        } catch {
            #expect(error == errors[file], "\(file)")
        }
    }

    // MARK: QOI

    private static let qoiFiles = files("qoi", ".qoi")

    /// The test images of the format's author, each with the PNG that it was made from.
    @Test(.enabled(if: !qoiFiles.isEmpty), arguments: qoiFiles) func qoiSamplesDecodeLikeTheirReference(file: String)
        throws
    {
        let image = try CodecChecks(QOICodec()).decoded(try Self.bytes("qoi/\(file)"), .warning).image
        expectPixelsEqual(image, try Self.reference("qoi/\(file.dropLast(3))png"), file)
    }

    // MARK: PNM

    private static let pnmFiles = files("netpbm", ".png")

    /// Files that Netpbm has written, and the PNGs that its `pamtopng` has made of them.
    @Test(.enabled(if: !pnmFiles.isEmpty), arguments: pnmFiles) func netpbmFilesDecodeLikeTheirReference(file: String)
        throws
    {
        let image = try CodecChecks(PNMCodec()).decoded(try Self.bytes("netpbm/\(file.dropLast(4))"), .warning).image
        expectPixelsEqual(image, try Self.reference("netpbm/\(file)"), file)
    }
}
