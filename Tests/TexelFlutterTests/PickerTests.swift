import TestSupport
import Testing

import TexelCore
@testable import TexelFlutter

/// `ImagePicker` on real files.
@Suite(.timeLimit(.minutes(30))) struct PickerTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func add(_ name: String, _ bytes: [UInt8]) throws -> FilePath { FilePath(try directory.add(name, bytes)) }

    @Test func withoutOptionsNothingHappens() async throws {
        for name in ["orientation-6.jpg", "metadata.png", "rgba-16-bit.png", "progressive.jpg"] {
            let bytes = try TestFolders.testImage(name)
            let path = try add(name, bytes)
            let image = try await ImagePicker.pickImage(path)
            #expect(image.bytes == bytes && image.isKept)
            #expect(try image.format == bytes.info.format && image.size == bytes.info.size)
            #expect(try await ImagePicker.pickImage(path, imageQuality: 100) == image)
        }
    }

    /// The plugin also returns files that are not images.
    @Test func whatIsNoImageFails() async throws {
        let text = try add("text.jpg", Array("no picture".utf8))
        await #expect(throws: TexelError.self) { try await ImagePicker.pickImage(text) }
        await #expect(throws: TexelError.self) { try await ImagePicker.pickImage(text, maxWidth: 10) }
        let missing = FilePath(directory("missing.jpg"))
        await #expect(throws: TexelError.missingFile(missing)) { try await ImagePicker.pickImage(missing) }
        let path = try add("a.jpg", try TestFolders.testImage("rgb.jpg"))
        for quality in [-1, 101] {
            await #expect(throws: TexelError.self) {
                try await ImagePicker.pickImage(path, maxWidth: 4, imageQuality: quality)
            }
        }
        await #expect(throws: TexelError.self) { try await ImagePicker.pickImage(path, maxWidth: 0) }
    }

    /// The plugin's result is 1000 × 100.
    @Test func aBannerInABox() async throws {
        let path = try add("a.png", try Input.file(displaying: .smooth(PixelSize(width: 1000, height: 100))))
        let image = try await ImagePicker.pickImage(path, maxWidth: 500, maxHeight: 400)
        #expect(image.size == PixelSize(width: 500, height: 50))
    }

    /// The result is never larger than the box or the image, and as large as that allows.
    @Test func boxesHoldForAnyImage() async throws {
        var generator = SeededGenerator(seed: 8)
        for number in 0..<60 {
            let size = PixelSize(
                width: Int.random(in: 1...90, using: &generator), height: Int.random(in: 1...90, using: &generator))
            let orientation = try #require(Orientation(rawValue: number % 8 + 1))
            let path = try add("a.png", try Input.file(displaying: .smooth(size), orientation: orientation))
            let maxWidth = number % 3 == 0 ? nil : Int.random(in: 1...120, using: &generator)
            let maxHeight = number % 3 == 1 ? nil : Int.random(in: 1...120, using: &generator)
            let new = try await ImagePicker.pickImage(path, maxWidth: maxWidth, maxHeight: maxHeight).size
            let box = PixelSize(width: min(maxWidth ?? .max, size.width), height: min(maxHeight ?? .max, size.height))
            #expect(new.width <= box.width && new.height <= box.height)
            #expect(new.width == box.width || new.height == box.height)
            #expect(abs(new.width * size.height - new.height * size.width) <= max(size.width, size.height))
        }
    }

    @Test func transparentImagesStayPNGAndOthersBecomeJPEG() async throws {
        let size = PixelSize(width: 40, height: 30)
        let clear = try add("clear.png", try Input.file(displaying: .noise(size)))
        let png = try await ImagePicker.pickImage(clear, maxWidth: 20, imageQuality: 10)
        #expect(try png.format == .png && png.bytes.info.hasAlpha)
        #expect(try await ImagePicker.pickImage(clear, maxWidth: 20, imageQuality: 90) == png)
        let opaque = try add("opaque.png", try Input.file(displaying: .smooth(size)))
        let jpeg = try await ImagePicker.pickImage(opaque, imageQuality: 80)
        #expect(jpeg.format == .jpeg && jpeg.size == size)
        let worse = try await ImagePicker.pickImage(opaque, imageQuality: 20)
        #expect(worse.bytes.count < jpeg.bytes.count)
        // The default is the highest quality.
        let best = try await ImagePicker.pickImage(opaque, maxWidth: 20)
        #expect(try await ImagePicker.pickImage(opaque, maxWidth: 20, imageQuality: 100) == best)
    }

    @Test(arguments: Orientation.allCases) func metadataStayTrue(orientation: Orientation) async throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 96, height: 64))
        let path = try add("a.jpg", try Input.file(displaying: image, .jpeg, orientation: orientation, quality: 98))
        let result = try await ImagePicker.pickImage(path, maxWidth: 48)
        let info = try result.bytes.info
        #expect(info.orientation == .identity && info.metadata.exif?.summary.hasGPS == true)
        expectPixelsEqual(
            try result.bytes.image, try image.resized(to: PixelSize(width: 48, height: 32)), tolerance: 12)
    }
}
