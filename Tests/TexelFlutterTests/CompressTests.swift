import Foundation
import TestSupport
import Testing

import TexelCore
@testable import TexelFlutter

/// `FlutterImageCompress` on real files.
@Suite(.timeLimit(.minutes(30))) struct CompressTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func add(_ name: String, _ bytes: [UInt8]) throws -> FilePath { FilePath(try directory.add(name, bytes)) }

    // MARK: Defaults

    @Test func aPhotographOfTwelveMegapixels() async throws {
        let image = try PixelBuffer(width: 4032, height: 3024)
        let path = try add("photo.jpg", try image.encoded(as: .jpeg(JPEGOptions(quality: 50, effort: .fast))))
        let result = try await FlutterImageCompress.compressWithFile(path)
        #expect(result.size == PixelSize(width: 1920, height: 1440) && result.format == .jpeg && !result.isKept)
        #expect(result.sampleSize == 1 && result.retries == 0)
        #expect(try result.bytes.info.size == result.size)
    }

    #if WebP
        /// The plugin's formats by their names there; HEIC is refused.
        @Test func formatsAreEncodedAndHEICIsRefused() async throws {
            let bytes = try Input.file(displaying: .smooth(PixelSize(width: 90, height: 70)))
            for format in [CompressFormat.jpeg, .png, .webp] {
                let result = try await FlutterImageCompress.compressWithList(bytes, format: format)
                #expect(try result.bytes.info.format == format && result.format == format)
            }
            await #expect(throws: TexelError.self) {
                try await FlutterImageCompress.compressWithList(bytes, format: ImageFormat(rawValue: "heic"))
            }
        }
    #endif

    /// The default quality is 95, which keeps more than 50.
    @Test func qualityDefaultsTo95() async throws {
        let bytes = try Input.file(displaying: .smooth(PixelSize(width: 90, height: 70)))
        let best = try await FlutterImageCompress.compressWithList(bytes, quality: 95)
        #expect(try await FlutterImageCompress.compressWithList(bytes) == best)
        let worse = try await FlutterImageCompress.compressWithList(bytes, quality: 50)
        #expect(worse.bytes.count < best.bytes.count)
        let worst = try await FlutterImageCompress.compressWithList(bytes, quality: 0)
        #expect(try await FlutterImageCompress.compressWithList(bytes, quality: 1) == worst)
        for quality in [-1, 101] {
            await #expect(throws: TexelError.self) {
                try await FlutterImageCompress.compressWithList(bytes, quality: quality)
            }
        }
    }

    @Test func transparencyLiesOnWhite() async throws {
        let size = PixelSize(width: 16, height: 12)
        let clear = try PixelBuffer.drawn(size, alphaMode: .straight) { _, _ in 0x0012_3456 }
        let bytes = try Input.file(displaying: clear)
        let image = try await FlutterImageCompress.compressWithList(bytes)
        #expect(image.format == .jpeg)
        let white = try PixelBuffer.drawn(size) { _, _ in 0xFFFF_FFFF }
        expectPixelsEqual(try image.bytes.image, white, tolerance: 2)
        let png = try await FlutterImageCompress.compressWithList(bytes, format: .png)
        #expect(try png.bytes.image.pixels.allSatisfy { $0 >> 24 == 0 })
    }

    @Test func smallerOriginalsAreKept() async throws {
        let image = try PixelBuffer.noise(PixelSize(width: 80, height: 60), alphaMode: .opaque)
        let bytes = try Input.file(displaying: image, .jpeg, quality: 20)
        let result = try await FlutterImageCompress.compressWithList(bytes)
        #expect(result.isKept && result.bytes.count <= bytes.count)
        #expect(try result.bytes.info.metadata.exif == nil)
        expectPixelsEqual(try result.bytes.image, try bytes.image)
        // The input's pixels are not kept if the size changes.
        let smaller = try await FlutterImageCompress.compressWithList(bytes, minWidth: 40, minHeight: 30)
        #expect(!smaller.isKept && smaller.size == PixelSize(width: 40, height: 30))
    }

    // MARK: Orientation

    @Test(arguments: Orientation.allCases, [false, true])
    func orientationsAreAppliedUnlessDisabled(orientation: Orientation, keepExif: Bool) async throws {
        let image = try PixelBuffer.noise(PixelSize(width: 24, height: 15), alphaMode: .opaque)
        let bytes = try Input.file(displaying: image, orientation: orientation)
        let upright = try await FlutterImageCompress.compressWithList(bytes, format: .png, keepExif: keepExif)
        #expect(try upright.bytes.info.orientation == .identity)
        expectPixelsEqual(try upright.bytes.image, image)

        let stored = try await FlutterImageCompress.compressWithList(
            bytes, autoCorrectionAngle: false, format: .png, keepExif: keepExif)
        #expect(try stored.bytes.info.orientation == orientation)
        expectPixelsEqual(try stored.bytes.image, try bytes.image)
        for result in [upright, stored] {
            let summary = try result.bytes.info.metadata.exif?.summary
            #expect(summary?.make == (keepExif ? "Texel Works" : nil))
        }
    }

    @Test(arguments: Orientation.allCases) func orientedJPEGs(orientation: Orientation) async throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 96, height: 64))
        let bytes = try Input.file(displaying: image, .jpeg, orientation: orientation, quality: 98)
        let result = try await FlutterImageCompress.compressWithList(bytes, minWidth: 48, minHeight: 16)
        let expected = try image.resized(to: PixelSize(width: 48, height: 32))
        expectPixelsEqual(try result.bytes.image, expected, tolerance: 12)
    }

    // MARK: Turns

    @Test func quarterTurnsAreClockwiseAndExact() async throws {
        let image = try PixelBuffer.noise(PixelSize(width: 9, height: 5), alphaMode: .opaque)
        let bytes = try Input.file(displaying: image)
        let turns: [(Double, Orientation)] = [
            (90, .rotated90), (180, .rotated180), (270, .rotated270), (-90, .rotated270), (360, .identity),
        ]
        for (degrees, orientation) in turns {
            let result = try await FlutterImageCompress.compressWithList(bytes, rotate: degrees, format: .png)
            expectPixelsEqual(try result.bytes.image, try image.oriented(orientation), "\(degrees)")
        }
    }

    /// The EXIF orientation is applied first.
    @Test func turnsFollowTheOrientation() async throws {
        let image = try PixelBuffer.noise(PixelSize(width: 9, height: 5), alphaMode: .opaque)
        let bytes = try Input.file(displaying: image, orientation: .transversed)
        let result = try await FlutterImageCompress.compressWithList(bytes, rotate: 90, format: .png)
        expectPixelsEqual(try result.bytes.image, try image.oriented(.rotated90))
    }

    @Test func cornersOfOtherTurns() async throws {
        let blue = try PixelBuffer.drawn(PixelSize(width: 60, height: 40)) { _, _ in 0xFF00_00FF }
        let bytes = try Input.file(displaying: blue)
        let jpeg = try await FlutterImageCompress.compressWithList(bytes, rotate: 45)
        #expect(jpeg.size == blue.size.box(turnedBy: 45))
        let pixels = try jpeg.bytes.image
        #expect(pixels.channels(0, 0).allSatisfy { $0 > 245 })
        let center = pixels.channels(pixels.width / 2, pixels.height / 2)
        #expect(center[0] > 245 && center[1] < 10 && center[2] < 10)
        let png = try await FlutterImageCompress.compressWithList(bytes, rotate: 45, format: .png)
        #expect(try png.bytes.image.channels(0, 0)[3] == 0)
    }

    // MARK: Metadata

    @Test(arguments: [ImageFormat.jpeg, .png], [ImageFormat.jpeg, .png])
    func exifIsKeptOnRequest(input: ImageFormat, output: ImageFormat) async throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 64, height: 48))
        let bytes = try Input.file(displaying: image, input, orientation: .rotated90)
        let kept = try await FlutterImageCompress.compressWithList(
            bytes, minWidth: 32, minHeight: 16, format: output, keepExif: true)
        let info = try kept.bytes.info
        let summary = try #require(info.metadata.exif?.summary)
        #expect(summary.make == "Texel Works" && summary.date == "2024:01:02 03:04:05" && summary.hasGPS)
        #expect(info.orientation == .identity && info.size == PixelSize(width: 32, height: 24))
        let dropped = try await FlutterImageCompress.compressWithList(
            bytes, minWidth: 32, minHeight: 16, format: output)
        #expect(try dropped.bytes.info.metadata.exif == nil)
        #expect(try dropped.bytes.image.digest == kept.bytes.image.digest)
    }

    @Test(arguments: [false, true], [ImageFormat.jpeg, .png])
    func colourProfilesStay(keepExif: Bool, format: ImageFormat) async throws {
        let bytes = try TestFolders.testImage("wide-gamut-profile.jpg")
        let image = try await FlutterImageCompress.compressWithList(
            bytes, minWidth: 8, minHeight: 8, format: format, keepExif: keepExif)
        #expect(try image.bytes.info.colorSpace == bytes.info.colorSpace)
        #expect(try !bytes.info.colorSpace.isSRGB)
    }

    // MARK: The four functions

    @Test(arguments: [false, true], [ImageFormat.jpeg, .png])
    func allFunctionsAgree(keepExif: Bool, format: ImageFormat) async throws {
        let asset = "Assets/orientation-6.jpg"
        let bytes = try TestFolders.testImage("orientation-6.jpg")
        let (path, target) = (try add("in.jpg", bytes), FilePath(directory("out.\(format.fileExtension)")))
        let list = try await FlutterImageCompress.compressWithList(
            bytes, minWidth: 20, minHeight: 10, inSampleSize: 2, quality: 60, rotate: 33, format: format,
            keepExif: keepExif)
        let file = try await FlutterImageCompress.compressWithFile(
            path, minWidth: 20, minHeight: 10, inSampleSize: 2, quality: 60, rotate: 33, format: format,
            keepExif: keepExif)
        let resource = try await FlutterImageCompress.compressAssetImage(
            asset, bundle: .module, minWidth: 20, minHeight: 10, inSampleSize: 2, quality: 60, rotate: 33,
            format: format, keepExif: keepExif)
        let written = try await FlutterImageCompress.compressAndGetFile(
            path, target, minWidth: 20, minHeight: 10, inSampleSize: 2, quality: 60, rotate: 33, format: format,
            keepExif: keepExif)
        #expect(list == file && list == resource && list.format == format && list.sampleSize == 2)
        #expect(try directory.bytes("out.\(format.fileExtension)") == list.bytes)
        #expect(written.path == target && written.sampleSize == 2 && written.retries == 0)
        #expect(written.result.outputBytes == list.bytes.count && written.result.size == list.size)
        #expect(written.result.format == format && written.result.status == .written)
    }

    /// The height determines the scale: 1090 to 1080.
    @Test func allFunctionsHaveTheSameDefaults() async throws {
        let image = try PixelBuffer(width: 2000, height: 1090)
        let path = try add("in.jpg", try Input.file(displaying: image, .jpeg, orientation: .rotated90))
        let bundle = try #require(Bundle(path: directory.path))
        let spelledOut = try await FlutterImageCompress.compressWithList(
            try directory.bytes("in.jpg"), minWidth: 1920, minHeight: 1080, inSampleSize: 1, quality: 95, rotate: 0,
            autoCorrectionAngle: true, format: .jpeg, keepExif: false, numberOfRetries: 5)
        #expect(spelledOut.size == PixelSize(width: 1981, height: 1080))
        #expect(try await FlutterImageCompress.compressWithList(try directory.bytes("in.jpg")) == spelledOut)
        #expect(try await FlutterImageCompress.compressWithFile(path) == spelledOut)
        #expect(try await FlutterImageCompress.compressAssetImage("in.jpg", bundle: bundle) == spelledOut)
        _ = try await FlutterImageCompress.compressAndGetFile(path, FilePath(directory("out.jpg")))
        #expect(try directory.bytes("out.jpg") == spelledOut.bytes)
    }

    @Test func assetsOutsideTheBundleAreRefused() async throws {
        let above = "../\(Bundle.module.bundleURL.lastPathComponent)"
        for name in ["Assets/none.jpg", "\(above)/Assets/orientation-6.jpg", "", "Assets"] {
            await #expect(throws: TexelError.self, "\(name)") {
                try await FlutterImageCompress.compressAssetImage(name, bundle: .module)
            }
        }
        // A leading slash refers to the bundle, not to the root of the file system.
        let image = try await FlutterImageCompress.compressAssetImage("/Assets/orientation-6.jpg", bundle: .module)
        #expect(try image.bytes.info.orientation == .identity)
    }

    // MARK: Targets

    @Test func targetsAreReplacedOnlyBySuccess() async throws {
        let good = try Input.file(displaying: .smooth(PixelSize(width: 60, height: 40)), .jpeg)
        let input = try add("good.jpg", good)
        let cut = try add("cut.jpg", Array(good.prefix(good.count / 2)))
        let text = try add("text.jpg", Array("no picture".utf8))
        let target = try add("target.jpg", [1, 2, 3])
        let before = try directory.contents()
        for path in [cut, text, FilePath(directory("missing.jpg")), FilePath(directory.path)] {
            await #expect(throws: TexelError.self, "\(path)") {
                try await FlutterImageCompress.compressAndGetFile(path, target)
            }
        }
        await #expect(throws: TexelError.self) {
            try await FlutterImageCompress.compressAndGetFile(input, target, quality: 101)
        }
        await #expect(throws: TexelError.isInput(input)) {
            try await FlutterImageCompress.compressAndGetFile(input, input)
        }
        await #expect(throws: TexelError.self) {
            try await FlutterImageCompress.compressAndGetFile(input, input.appending("folder.jpg"))
        }
        await #expect(throws: TexelError.stopped(.cancelled)) {
            try await cancelled { try await FlutterImageCompress.compressAndGetFile(input, target) }.value
        }
        #expect(try directory.contents() == before)

        let written = try await FlutterImageCompress.compressAndGetFile(input, target, quality: 40)
        #expect(try directory.bytes("target.jpg").count == written.result.outputBytes)
        #expect(try directory.bytes("target.jpg").info.size == PixelSize(width: 60, height: 40))
        #expect(try directory.files() == before.keys.sorted())
    }

    @Test func namesThatPromiseSomethingElse() async throws {
        let input = try add("in.jpg", try Input.file(displaying: .smooth(PixelSize(width: 20, height: 10)), .jpeg))
        let written = try await FlutterImageCompress.compressAndGetFile(input, FilePath(directory("out.png")))
        #expect(written.result.format == .jpeg && written.result.warnings.count == 1)
        #expect(try directory.bytes("out.png").info.format == .jpeg)
    }

    @Test func resultsCanBeWritten() async throws {
        let bytes = try Input.file(displaying: .smooth(PixelSize(width: 20, height: 10)))
        let image = try await FlutterImageCompress.compressWithList(bytes)
        try directory.add("out.jpg", [1])
        try await image.write(to: FilePath(directory("out.jpg")))
        #expect(try directory.contents() == ["out.jpg": image.bytes])
        await #expect(throws: TexelError.self) { try await image.write(to: FilePath(directory("out.jpg/out.jpg"))) }
    }

    // MARK: Failures

    @Test func failuresAreTyped() async throws {
        await #expect(throws: TexelError.empty) { try await FlutterImageCompress.compressWithList([]) }
        await #expect(throws: TexelError.missingFile("/no/such/file.jpg")) {
            try await FlutterImageCompress.compressWithFile("/no/such/file.jpg")
        }
        await #expect(throws: TexelError.invalidSize(PixelSize(width: -1, height: 1080))) {
            try await FlutterImageCompress.compressWithList(try TestFolders.testImage("rgb.jpg"), minWidth: -1)
        }
        let bytes = try TestFolders.testImage("photograph.jpg")
        await #expect(throws: TexelError.stopped(.cancelled)) {
            try await cancelled { try await FlutterImageCompress.compressWithList(bytes) }.value
        }
    }
}
