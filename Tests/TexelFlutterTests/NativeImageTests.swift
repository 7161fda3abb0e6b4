import TestSupport
import Testing

import TexelCore
@testable import TexelFlutter

/// `FlutterNativeImage` on real files.
@Suite(.timeLimit(.minutes(30))) struct NativeImageTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func add(
        _ size: PixelSize, _ format: ImageFormat = .png, orientation: Orientation = .identity
    ) throws -> FilePath {
        let bytes = try Input.file(displaying: .smooth(size), format, orientation: orientation)
        return FilePath(try directory.add("\(size)-\(orientation).\(format.fileExtension)", bytes))
    }

    /// Width, height, percentage, and the resulting sides. The plugin divides by 100 first, in integers.
    @Test(arguments: [
        // The plugin's result is 1330.
        (1999, 10, 70, 1399, 7),
        // The plugin's result is 0, and it crashes.
        (99, 99, 70, 69, 69), (50, 30, 70, 35, 21), (1, 1, 1, 1, 1),
        // Halves are rounded up.
        (3, 5, 50, 2, 3), (10, 8, 100, 10, 8), (10, 8, 150, 15, 12),
    ])
    func percentagesGiveTheSizesOfThePlugin(width: Int, height: Int, percentage: Int, newWidth: Int, newHeight: Int)
        async throws
    {
        let path = try add(PixelSize(width: width, height: height))
        let image = try await FlutterNativeImage.compressImage(path, percentage: percentage)
        #expect(image.size == PixelSize(width: newWidth, height: newHeight))
        #expect(try image.format == .jpeg && image.bytes.info.format == .jpeg)
    }

    @Test func percentageAndQualityDefaultTo70() async throws {
        let path = try add(PixelSize(width: 100, height: 60))
        let image = try await FlutterNativeImage.compressImage(path)
        #expect(try await FlutterNativeImage.compressImage(path, percentage: 70, quality: 70) == image)
        #expect(image.size == PixelSize(width: 70, height: 42))
        #expect(try await FlutterNativeImage.compressImage(path, quality: 71).bytes != image.bytes)
    }

    @Test func targetSidesKeepTheAspectRatioIfOneIsMissing() async throws {
        let path = try add(PixelSize(width: 100, height: 60))
        let targets = [(50, 0, 50, 30), (0, 30, 50, 30), (20, 50, 20, 50), (200, 0, 200, 120), (150, 30, 150, 30)]
        for (targetWidth, targetHeight, width, height) in targets {
            let image = try await FlutterNativeImage.compressImage(
                path, targetWidth: targetWidth, targetHeight: targetHeight)
            #expect(image.size == PixelSize(width: width, height: height))
        }
    }

    @Test func nonsensicalArgumentsAreRefused() async throws {
        let path = try add(PixelSize(width: 100, height: 60))
        for percentage in [0, -70] {
            await #expect(throws: TexelError.self) {
                try await FlutterNativeImage.compressImage(path, percentage: percentage)
            }
        }
        await #expect(throws: TexelError.self) { try await FlutterNativeImage.compressImage(path, targetWidth: -1) }
        await #expect(throws: TexelError.self) { try await FlutterNativeImage.compressImage(path, quality: 101) }
        // Excessive sizes are refused.
        await #expect(throws: TexelError.self) {
            try await FlutterNativeImage.compressImage(path, percentage: 1_000_000)
        }
        await #expect(throws: TexelError.missingFile("/none")) {
            try await FlutterNativeImage.compressImage("/none")
        }
        await #expect(throws: TexelError.missingFile("/none")) {
            try await FlutterNativeImage.getImageProperties("/none")
        }
    }

    /// The plugin keeps the pixels as stored; here targets apply to the upright image.
    @Test(arguments: Orientation.allCases) func targetsApplyToTheUprightImage(orientation: Orientation) async throws {
        let size = PixelSize(width: 96, height: 64)
        let path = try add(size, .jpeg, orientation: orientation)
        let image = try await FlutterNativeImage.compressImage(path, quality: 95, targetWidth: 48)
        let info = try image.bytes.info
        #expect(info.orientation == .identity && info.size == PixelSize(width: 48, height: 32))
        let summary = try #require(info.metadata.exif?.summary)
        #expect(summary.make == "Texel Works" && summary.hasGPS)
        expectPixelsEqual(
            try image.bytes.image, try .smooth(size).resized(to: PixelSize(width: 48, height: 32)), tolerance: 12)

        let properties = try await FlutterNativeImage.getImageProperties(path)
        let stored = orientation.applied(to: size)
        #expect(properties.width == stored.width && properties.height == stored.height)
        #expect(properties.displayedWidth == 96 && properties.displayedHeight == 64)
        #expect(properties.orientation == orientation)
        let result = FilePath(directory("out.jpg"))
        try await image.write(to: result)
        let written = try await FlutterNativeImage.getImageProperties(result)
        #expect(written.width == 48 && written.displayedWidth == 48 && written.orientation == .identity)
    }
}
