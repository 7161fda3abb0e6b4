import Foundation
import TestSupport
import Testing
import TexelCodecs
import TexelJPEG
import TexelOperations
import TexelPNG
import TexelPixels
import ToyCodec

@testable import TexelPipeline

/// Which recipes have equal keys.
@Suite struct CacheKeyTests {
    private static func key(
        _ recipe: Recipe, input: String = "file", kind: ResultKind = .file,
        strictness: Strictness = .truncated
    ) -> CacheKey {
        CacheKey(input: InputIdentity(input), recipe: recipe, kind: kind, strictness: strictness)
    }

    /// One operation of each kind.
    private static let recipe = {
        let rule = ResizeRule(.box(width: 640, height: 480, fit: .cover), enlarges: true)
        var recipe = Recipe()
            .cropping(to: PixelRectangle(x: 1, y: 2, width: 300, height: 400))
            .appending(.resize(ResizeOptions(rule, filter: .mitchell, usesLinearLight: true)))
            .flipping(.horizontal)
            .rotating(by: 12.5)
            .appending(.turn(Rotation3D(yaw: 1, pitch: 2, roll: 3)))
            .flattening(on: .black)
            .encoding(as: .jpeg, quality: 75)
        recipe.output.background = .white
        return recipe
    }()

    private static func resized(_ target: ResizeRule.Target, enlarges: Bool = false) -> Recipe {
        Recipe().appending(.resize(ResizeOptions(ResizeRule(target, enlarges: enlarges))))
    }

    /// Recipes that all differ from each other.
    private static let different: [Recipe] = {
        var recipes = [Recipe(), recipe]
        func add(_ change: (inout Recipe) -> Void) {
            var changed = recipe
            change(&changed)
            recipes.append(changed)
        }
        add { $0.appliesOrientation = false }
        add { $0.frame = 0 }
        add { $0.frame = 1 }
        add { $0.output.format = nil }
        add { $0.output.format = .png }
        add { $0.output.quality = nil }
        add { $0.output.quality = 76 }
        add { $0.output.palette = PaletteOptions() }
        add { $0.output.palette = PaletteOptions(colors: 255) }
        add { $0.output.palette = PaletteOptions(quality: 80) }
        for value in ChromaSubsampling.allCases.dropFirst() { add { $0.output.subsampling = value } }
        add { $0.output.isProgressive = true }
        add { $0.output.isProgressive = false }
        for value in Effort.allCases where value != .balanced { add { $0.output.effort = value } }
        for value in MetadataPolicy.allCases where value != .color { add { $0.output.metadata = value } }
        add { $0.output.background = nil }
        let densities = [(300, 300, PixelDensity.Unit.perInch), (300, 150, .perInch), (150, 300, .perInch)]
        for (x, y, unit) in densities + [(300, 300, .perCentimetre), (300, 300, .perMetre), (300, 300, .aspectRatio)] {
            add {
                $0.output.density = PixelDensity(
                    horizontal: Rational(UInt32(x)), vertical: Rational(UInt32(y)), unit: unit)
            }
        }
        for color in [
            PixelColor(red: 254, green: 255, blue: 255), PixelColor(red: 255, green: 254, blue: 255),
            PixelColor(red: 255, green: 255, blue: 254), PixelColor(red: 255, green: 255, blue: 255, alpha: 254),
        ] {
            add { $0.output.background = color }
        }
        for colorSpace in [
            ColorSpace.sRGB, .displayP3, .calibrated(Calibration(gamma: 50_000, chromaticities: nil)),
            .calibrated(Calibration(gamma: nil, chromaticities: .sRGB)),
        ] {
            add { $0.output.colorSpace = colorSpace }
        }
        add { $0.dithers = true }
        add { $0.keepsAllParts = true }
        add { $0.output.compresses = false }
        add { $0.output.isLossless = true }
        add { $0.output.parameters[.toyDepth] = 6 }
        add { $0.output.parameters[.alphaQuality] = 60 }
        add { $0.output.trimsPartialBlocks = true }
        add { $0.output.keepsSmallerOriginal = false }
        add { $0.output.minimumGain = 0 }
        for target in [
            EncodingTarget(score: 70), EncodingTarget(score: 71), EncodingTarget(score: 70, metric: .haarpsi),
            EncodingTarget(byteLimit: 70),
            EncodingTarget(score: 70, byteLimit: 70), EncodingTarget(score: 70, byteLimit: 70, allowsSmaller: true),
            EncodingTarget(score: 70, isBestEffort: true),
        ] {
            add { $0.output.target = target }
        }

        func set(_ index: Int, _ operation: PixelOperation) { add { $0.operations[index] = operation } }
        for rectangle in [(0, 2, 300, 400), (1, 0, 300, 400), (1, 2, 301, 400), (1, 2, 300, 401), (2, 1, 400, 300)] {
            let (x, y, width, height) = rectangle
            set(0, .crop(PixelRectangle(x: x, y: y, width: width, height: height)))
        }
        set(0, .trim())
        set(0, .trim(tolerance: 9))
        set(0, .trim(background: .white))
        set(0, .trim(background: .black))
        let targets: [ResizeRule.Target] = [
            .box(width: 641, height: 480, fit: .cover), .box(width: 640, height: 481, fit: .cover),
            .box(width: nil, height: 480, fit: .cover), .box(width: 640, height: nil, fit: .cover),
            .box(width: 640, height: 480, fit: .inside), .box(width: 640, height: 480, fit: .contain),
            .box(width: 640, height: 480, fit: .fill), .box(width: 640, height: 480, fit: .outside),
            .scale(numerator: 640, denominator: 480), .scale(numerator: 480, denominator: 640),
            .minimum(width: 640, height: 480), .minimum(width: 480, height: 640), .minimum(width: 640, height: nil),
            .minimum(width: nil, height: 640), .minimum(width: nil, height: nil),
            .box(width: nil, height: nil, fit: .cover),
        ]
        for target in targets {
            set(1, .resize(ResizeOptions(ResizeRule(target, enlarges: true), filter: .mitchell, usesLinearLight: true)))
        }
        let rule = ResizeRule(.box(width: 640, height: 480, fit: .cover), enlarges: true)
        for filter in ResamplingFilter.allCases where filter != .mitchell {
            set(1, .resize(ResizeOptions(rule, filter: filter, usesLinearLight: true)))
            set(3, .rotate(degrees: 12.25, filter: filter))
            set(4, .turn(Rotation3D(yaw: 1.5), filter: filter))
        }
        set(1, .resize(ResizeOptions(rule, filter: .mitchell)))
        for anchor in [CropAnchor.attention, .gravity(.north)] {
            set(1, .resize(ResizeOptions(rule, filter: .mitchell, usesLinearLight: true, anchor: anchor)))
        }
        let still = ResizeRule(rule.target)
        set(1, .resize(ResizeOptions(still, filter: .mitchell, usesLinearLight: true)))
        set(2, .flip(.vertical))
        set(3, .rotate(degrees: 12.500000000000002))
        set(3, .rotate(degrees: -12.5))
        set(3, .rotate(degrees: 12.5, filter: .mitchell))
        for rotation in [
            Rotation3D(yaw: 2, pitch: 1, roll: 3), Rotation3D(yaw: 1, pitch: 3, roll: 2),
            Rotation3D(yaw: 1, pitch: 2, roll: 4),
        ] {
            set(4, .turn(rotation))
        }
        set(4, .turn(Rotation3D(yaw: 1, pitch: 2, roll: 3), filter: .mitchell))
        set(5, .flatten(.white))
        for index in recipe.operations.indices {
            add { $0.operations.remove(at: index) }
            add { $0.operations.append($0.operations[index]) }
            if index > 0 { add { $0.operations.swapAt(index - 1, index) } }
        }
        return recipes
    }()

    @Test func everyFieldCounts() {
        #expect(Set(Self.different).count == Self.different.count)
        #expect(Set(Self.different.map { Self.key($0) }).count == Self.different.count)
    }

    /// Recipes with values in all optional properties.
    private static let complete: [Recipe] = {
        var recipe = Self.recipe
        recipe.frame = 3
        recipe.output.target = EncodingTarget(score: 70, byteLimit: 5000)
        recipe.output.palette = PaletteOptions(quality: 80)
        (recipe.playback.ranges, recipe.playback.playCount) = ([1...3, 7...9], 2)
        recipe.playback.maximumRate = FrameRate(12)
        recipe.output.isProgressive = true
        recipe.output.colorSpace = .calibrated(Calibration(gamma: 45_455, chromaticities: .sRGB))
        recipe.output.density = PixelDensity(pixelsPerInch: 300)
        recipe.output.parameters[.toyDepth] = 6
        recipe.output.parameters[.alphaQuality] = 70
        var wide = recipe
        wide.output.colorSpace = .displayP3
        return [recipe, wide]
    }()

    /// New properties are found without being listed here.
    @Test func everyEncodedPropertyChangesTheKey() throws {
        #expect(propertiesWithoutValue(Self.complete) == [])
        for recipe in Self.complete {
            let changes = try EncodedChanges(of: recipe, others: Self.different)
            #expect(changes.unchanged == [])
            let keys = changes.changed.map { Self.key($0.value) }
            for (change, key) in zip(changes.changed, keys) { #expect(key != Self.key(recipe), "\(change.path)") }
            #expect(Set(keys).count == keys.count)
        }
    }

    @Test func storedRecipesComeBackWithTheirKeys() throws {
        for recipe in Self.different {
            let stored = try JSONDecoder().decode(Recipe.self, from: JSONEncoder().encode(recipe))
            #expect(stored == recipe && Self.key(stored) == Self.key(recipe))
        }
        let text = String(decoding: try JSONEncoder().encode(Self.recipe), as: UTF8.self)
        let changed = text.replacing(#""quality":75"#, with: #""quality":"high""#)
        #expect(changed != text)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Recipe.self, from: Data(changed.utf8)) }
    }

    @Test func inputKindAndStrictnessCount() {
        var keys: Set<CacheKey> = []
        for input in ["", "a", "b", "ab", "a\0b"] {
            for kind in ResultKind.allCases {
                for strictness in Strictness.allCases {
                    keys.insert(Self.key(Self.recipe, input: input, kind: kind, strictness: strictness))
                }
            }
        }
        #expect(keys.count == 5 * ResultKind.allCases.count * Strictness.allCases.count)
    }

    @Test func equalRecipesHaveEqualKeys() {
        var again = Recipe()
        again.operations = Self.recipe.operations
        again.output = Self.recipe.output
        #expect(Self.key(again) == Self.key(Self.recipe))
        let zeros = [0.0, -0.0].map { zero in
            Self.key(Recipe().rotating(by: zero).appending(.turn(Rotation3D(yaw: zero, pitch: zero, roll: zero))))
        }
        #expect(Set(zeros).count == 1)
        #expect(
            Self.key(Recipe().resizing(width: 5)) == Self.key(Self.resized(.box(width: 5, height: nil, fit: .inside))))
    }

    /// Keys are the same in other processes. These values change with `resultsVersion` and with recipes' properties.
    @Test func keysStayTheSame() {
        #expect(
            Self.key(Recipe()).digest.hexadecimal == "308a6693e78a994f1545bc9d52e51764e3ec8654a4652113405d3e9c7357b394")
        #expect(
            Self.key(Self.recipe).digest.hexadecimal
                == "3b19d558306aa2541b2f6de5d1a4f9fbe6599afb36d0a563b366299694e0b963")
    }
}
