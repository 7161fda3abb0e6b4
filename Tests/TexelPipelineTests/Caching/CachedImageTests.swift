import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelFormats
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Results as cache entries: they are restored exactly or not at all.
@Suite struct CachedImageTests {
    private let folder: TemporaryDirectory
    private let cache: DiskCache

    init() throws {
        folder = try TemporaryDirectory()
        cache = DiskCache(directory: FilePath(folder("cache")), sizeLimit: 1 << 30)
    }

    private static func image(using generator: inout SeededGenerator) -> EncodedImage {
        let warnings = ["", "one", "zwei: ü\n\0", String(repeating: "long ", count: 1000)]
        return EncodedImage(
            .memory(.random(count: .random(in: 0...3000, using: &generator), using: &generator)),
            size: PixelSize(
                width: .random(in: 1...65_535, using: &generator), height: .random(in: 1...65_535, using: &generator)),
            format: ImageFormat.tested.randomElement(using: &generator) ?? .png,
            route: Route.allCases.randomElement(using: &generator) ?? .buffered,
            isKept: .random(using: &generator),
            score: Bool.random(using: &generator) ? .random(in: -50...100, using: &generator) : nil,
            searchSummary: [nil, "", "quality 73"].randomElement(using: &generator) ?? nil,
            warnings: Array(warnings.shuffled(using: &generator).prefix(.random(in: 0...4, using: &generator))))
    }

    @Test func encodedImagesComeBack() throws {
        var generator = SeededGenerator(seed: 3)
        for index in 0..<60 {
            let image = Self.image(using: &generator)
            try cache.store(image, for: .test(index))
            let found = cache.encodedImage(for: .test(index))
            #expect(found?.bytes == image.bytes)
            #expect(found?.size == image.size)
            #expect(found?.format == image.format)
            #expect(found?.route == image.route)
            #expect(found?.isKept == image.isKept)
            #expect(found?.score == image.score && found?.searchSummary == image.searchSummary)
            #expect(found?.warnings == image.warnings)
        }
        #expect(cache.encodedImage(for: .test(1000)) == nil)
    }

    /// Negative zero is never written, so an entry with it is not valid.
    @Test func negativeZeroIsRefused() throws {
        var generator = SeededGenerator(seed: 5)
        var image = Self.image(using: &generator)
        func isFound(_ metadata: [UInt8]) -> Bool {
            EncodedImage(CacheEntry(metadata: metadata, content: InputBytes(image.bytes))) != nil
        }
        image.score = -0.0
        #expect(isFound(try image.cacheMetadata()))
        image.score = 1
        var metadata = try image.cacheMetadata()
        let one = [UInt8](littleEndian: Int((1.0).bitPattern), count: 8)
        let place = try #require(metadata.indices.first { metadata[$0...].starts(with: one) })
        metadata.replaceSubrange(place..<place + 8, with: [0, 0, 0, 0, 0, 0, 0, 0x80])
        #expect(!isFound(metadata))
    }

    /// Fields of another version or another type.
    @Test func wrongMetadataIsRefused() throws {
        var generator = SeededGenerator(seed: 4)
        let image = Self.image(using: &generator)
        let good = try image.cacheMetadata()
        let content = InputBytes(image.bytes)
        #expect(EncodedImage(CacheEntry(metadata: good, content: content)) != nil)
        for count in good.indices {
            #expect(EncodedImage(CacheEntry(metadata: Array(good.prefix(count)), content: content)) == nil)
        }
        #expect(EncodedImage(CacheEntry(metadata: good + [0], content: content)) == nil)
        // Random metadata must not crash the parser.
        for _ in 0..<2000 {
            var bytes = good
            bytes[.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            let entry = CacheEntry(metadata: bytes, content: content)
            if let found = EncodedImage(entry) { #expect(try found.cacheMetadata() == bytes) }
            _ = PixelBuffer(entry)
        }
        let pixels = try PixelBuffer.random(width: 3, height: 2)
        let entry = CacheEntry(
            metadata: try pixels.cacheMetadata(), content: InputBytes(try #require(pixels.cacheContent())))
        #expect(EncodedImage(entry) == nil)
    }

    /// Colour spaces that a PNG can hold, and others that it cannot.
    private static var colorSpaces: [ColorSpace] {
        let chromaticities = Calibration.Chromaticities(
            white: (31_271, -5), red: (.max, .min), green: (30_000, 60_000), blue: (15_000, 6_000))
        var spaces: [ColorSpace] = [
            .sRGB, .calibrated(Calibration(gamma: nil, chromaticities: nil)),
            .calibrated(Calibration(gamma: .max, chromaticities: nil)),
            .calibrated(Calibration(gamma: 45_455, chromaticities: .sRGB)),
            .calibrated(Calibration(gamma: nil, chromaticities: chromaticities)),
        ]
        for model in ["RGB ", "GRAY", "CMYK"] {
            let header = [UInt8](repeating: 0, count: 16) + Array(model.utf8) + [UInt8](repeating: 0, count: 16)
            let profile = ICCProfile(header + Array("acsp".utf8) + [UInt8](repeating: 9, count: 200))
            if let profile { spaces.append(.iccProfile(profile)) }
        }
        return spaces
    }

    @Test(arguments: [AlphaMode.opaque, .straight]) func pixelsComeBack(alphaMode: AlphaMode) throws {
        #expect(Self.colorSpaces.count == 8)
        var index = 0
        for colorSpace in Self.colorSpaces {
            for (width, height) in [(1, 1), (7, 3), (1, 50), (50, 1), (33, 41)] {
                var image = try PixelBuffer.random(
                    width: width, height: height, alphaMode: alphaMode, seed: UInt64(index))
                image.colorSpace = colorSpace
                #expect(try cache.store(image, for: .test(index)))
                let found = try #require(cache.pixelBuffer(for: .test(index)))
                #expect(found.pixels == image.pixels)
                #expect(found.alphaMode == alphaMode)
                #expect(found.colorSpace == colorSpace)
                index += 1
            }
        }
    }

    /// Images that a reducing encoder would write with fewer bits, and a part of a larger image.
    @Test func plainPixelsComeBack() throws {
        let images = [
            try PixelBuffer(width: 20, height: 10, filledWith: 0, alphaMode: .straight),
            try PixelBuffer(width: 20, height: 10, filledWith: 0x00FF_8040, alphaMode: .straight),
            try PixelBuffer(width: 20, height: 10, filledWith: 0xFF80_8080, alphaMode: .straight),
            try PixelBuffer(width: 20, height: 10, filledWith: 0xFF80_8080, alphaMode: .opaque),
            try PixelBuffer.random(width: 20, height: 20).cropped(
                to: PixelRectangle(x: 3, y: 4, width: 11, height: 13)),
        ]
        for (index, image) in images.enumerated() {
            try cache.store(image, for: .test(index))
            let found = try #require(cache.pixelBuffer(for: .test(index)))
            #expect(found.pixels == image.pixels)
            #expect(found.alphaMode == image.alphaMode)
        }
    }

    @Test func premultipliedPixelsAreNotKept() throws {
        let image = try PixelBuffer.random(width: 5, height: 5, alphaMode: .premultiplied)
        #expect(try !cache.store(image, for: .test(0)))
        #expect(cache.pixelBuffer(for: .test(0)) == nil)
        #expect(try folder.files().isEmpty)
    }

    @Test func mismatchedPixelsAreRefused() throws {
        let image = try PixelBuffer.random(width: 5, height: 4, alphaMode: .straight)
        let content = try #require(image.cacheContent())
        let metadata = try image.cacheMetadata()
        func found(_ metadata: [UInt8], _ content: [UInt8], limits: Limits = Limits()) -> PixelBuffer? {
            PixelBuffer(CacheEntry(metadata: metadata, content: InputBytes(content)), limits: limits)
        }
        #expect(found(metadata, content) != nil)
        for count in metadata.indices {
            #expect(found(Array(metadata.prefix(count)), content) == nil)
        }
        #expect(found(metadata, Array(content.dropLast(20))) == nil)
        // Another size, another alpha mode, an image above the limits.
        #expect(
            found(try PixelBuffer.random(width: 4, height: 5, alphaMode: .straight).cacheMetadata(), content) == nil)
        #expect(found(try PixelBuffer.random(width: 5, height: 4).cacheMetadata(), content) == nil)
        var limits = Limits()
        limits.pixels = 19
        #expect(found(metadata, content, limits: limits) == nil)
    }
}
