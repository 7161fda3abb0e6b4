import TestSupport
import Testing
import TexelCodecs
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Which metadata of a file are in the result, on every route.
@Suite struct WrittenMetadataTests {
    /// Display P3's primaries with a plain gamma.
    private static var wideGamut: ColorSpace {
        get throws {
            let calibration = Calibration(
                gamma: 45_455,
                chromaticities: Calibration.Chromaticities(
                    white: (31_270, 32_900), red: (68_000, 32_000), green: (26_500, 69_000), blue: (15_000, 6_000)))
            return .iccProfile(try #require(try ColorSpace.calibrated(calibration).embeddableProfile()))
        }
    }

    private static let recipes: [(String, Recipe)] = [
        (
            "passthrough",
            {
                var recipe = Recipe(); recipe.output.compresses = false; return recipe
            }()
        ),
        (
            // So that the result is smaller than the input, which would be kept.
            "buffered", Recipe().encoding(as: nil, quality: 40)
        ), ("streaming", Recipe().resizing(width: 10)),
    ]

    @Test(arguments: MetadataPolicy.allCases, [ImageFormat.jpeg, .png])
    func orientationIsApplied(policy: MetadataPolicy, format: ImageFormat) throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 24, height: 16))
        for orientation in Orientation.allCases {
            let source = try Input.source(image, format, orientation: orientation)
            for (name, recipe) in Self.recipes {
                let result = try source.processed(recipe.keepingMetadata(policy))
                let info = try result.source.info
                #expect(info.orientation == .identity, "\(name)")
                #expect((info.size.width < info.size.height) == orientation.swapsSides, "\(name)")
            }
        }
    }

    @Test(arguments: MetadataPolicy.allCases, [ImageFormat.jpeg, .png])
    func orientationIsKept(policy: MetadataPolicy, format: ImageFormat) throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 24, height: 16))
        for orientation in Orientation.allCases {
            let source = try Input.source(image, format, orientation: orientation)
            for (name, recipe) in Self.recipes {
                var recipe = recipe.keepingMetadata(policy)
                recipe.appliesOrientation = false
                let info = try source.processed(recipe).source.info
                #expect(info.orientation == orientation, "\(name)")
                #expect(info.size.width > info.size.height, "\(name)")
            }
        }
    }

    /// The profile that a recipe asks for is written, on every route, unless the policy writes none.
    @Test(arguments: MetadataPolicy.allCases, [ImageFormat.jpeg, .png])
    func coloursAreConverted(policy: MetadataPolicy, format: ImageFormat) throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 24, height: 16))
        let source = try Input.source(image, format)
        for (name, recipe) in Self.recipes {
            var recipe = recipe.keepingMetadata(policy)
            recipe.output.colorSpace = try Self.wideGamut
            let result = try source.processed(recipe)
            #expect(try result.source.info.colorSpace == (policy == .none ? .sRGB : try Self.wideGamut), "\(name)")
            // The colours are the same, with other numbers.
            let colors = try result.image.convertedToSRGB()
            recipe.output.colorSpace = nil
            let expected = try source.processed(recipe).image.convertedToSRGB()
            expectPixelsEqual(colors, expected, tolerance: format == .png ? 3 : 40, name)
        }
    }

    /// The density is turned with the pixels, even if there is a crop between two turns.
    @Test(arguments: [ImageFormat.jpeg, .png]) func densityIsTurnedWithTheImage(format: ImageFormat) throws {
        let source = try Input.source(try .smooth(PixelSize(width: 48, height: 32)), format)
        let stored = source.info.metadata.effectiveDensity
        let corner = PixelRectangle(x: 0, y: 0, width: 16, height: 16)
        var once = Recipe().rotating(by: 90)
        var twice = once.cropping(to: corner).rotating(by: 90)
        let thrice = twice.cropping(to: PixelRectangle(x: 0, y: 0, width: 8, height: 8)).rotating(by: 90)
        #expect(try source.processed(once).source.info.metadata.effectiveDensity == stored?.transposed)
        #expect(try source.processed(twice).source.info.metadata.effectiveDensity == stored)
        #expect(try source.processed(thrice).source.info.metadata.effectiveDensity == stored?.transposed)
        (once.output.compresses, twice.output.compresses) = (false, false)
        #expect(try source.processed(once).source.info.metadata.effectiveDensity == stored?.transposed)
        #expect(try source.processed(twice).source.info.metadata.effectiveDensity == stored)
    }

    @Test(arguments: recipes.indices) func policiesSelectTheWrittenMetadata(index: Int) throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 24, height: 16))
        let recipe = Self.recipes[index].1
        for format in ImageFormat.tested {
            let source = try Input.source(image, format)
            func written(_ policy: MetadataPolicy) throws -> ImageMetadata {
                try source.processed(recipe.keepingMetadata(policy)).source.info.metadata
            }
            let none = try written(.none)
            #expect(none.exif == nil)
            if format == .png { #expect(none.density == nil) }
            let color = try written(.color)
            #expect(color.exif == nil && color.density?.pHYs?.x == 11811)
            let privacy = try #require(try written(.privacy).exif?.summary)
            #expect(privacy.make == "Texel Works" && privacy.date != nil && !privacy.hasGPS)
            let all = try #require(try written(.all).exif?.summary)
            #expect(all.make == "Texel Works" && all.hasGPS)
        }
    }

    @Test func densityLiesWithTheImage() throws {
        let source = try Input.source(try .smooth(PixelSize(width: 24, height: 16)), orientation: .rotated90)
        let upright = try #require(try source.processed(Recipe()).source.info.metadata.density?.pHYs)
        #expect(upright.x == 7874 && upright.y == 11811)
        let turned = try source.processed(Recipe().rotating(by: 90)).source.info.metadata.density?.pHYs
        #expect(turned?.x == 11811)
    }

    // MARK: Colour

    @Test(arguments: ImageFormat.tested) func profileTravels(format: ImageFormat) throws {
        var image = try PixelBuffer.smooth(PixelSize(width: 24, height: 16))
        image.colorSpace = try Self.wideGamut
        for policy in MetadataPolicy.allCases where policy != .none {
            let result = try Input.source(image, format)
                .processed(Recipe().resizing(width: 12).keepingMetadata(policy))
            #expect(try result.source.info.colorSpace == image.colorSpace)
        }
    }

    @Test func noMetadataMeansSRGB() throws {
        var image = try PixelBuffer.noise(PixelSize(width: 24, height: 16))
        image.colorSpace = try Self.wideGamut
        let source = try Input.source(image, orientation: .rotated180)
        let recipe = Recipe().keepingMetadata(.none)
        let result = try source.processed(recipe)
        let found = try result.image
        #expect(found.colorSpace == .sRGB)
        #expect(!result.isKept)
        let expected = try image.convertedToSRGB().oriented(.rotated180)
        expectPixelsEqual(try found.premultiplied(), try expected.premultiplied())
        #expect(expected.largestDifference(from: try image.oriented(.rotated180)) > 8)

        // Even if the recipe changes no pixels, a foreign colour space is converted.
        var untouched = recipe
        untouched.output.compresses = false
        #expect(try Input.source(image).plan(untouched).route == .buffered)
    }
}
