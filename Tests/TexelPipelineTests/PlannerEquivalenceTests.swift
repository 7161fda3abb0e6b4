import TestSupport
import Testing
import TexelCodecs
import TexelOperations
import TexelPixels

@testable import TexelPipeline

/// The planner may join and reorder operations; the result must be that of the operations one after the other on the
/// upright image.
@Suite struct PlannerEquivalenceTests {
    /// The tolerance of a channel, weighted with its alpha, if filters ran in another order: rows before columns in
    /// an image stored on its side, each rounded once.
    private static let reorderedTolerance = 2

    private struct Example {
        var image: PixelBuffer
        var recipe: Recipe
    }

    @Test(arguments: Orientation.allCases) func plannedMovesAreExact(orientation: Orientation) throws {
        var generator = SeededGenerator(seed: UInt64(orientation.rawValue))
        for _ in 0..<40 {
            let example = try example(&generator) { size, generator in
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: .crop(Self.rectangle(in: size, &generator))
                case 1: .flip([.horizontal, .vertical].randomElement(using: &generator) ?? .vertical)
                case 2: .rotate(degrees: Double(Int.random(in: -5...5, using: &generator)) * 90)
                default: .resize(Self.cuttingResize(&generator))
                }
            }
            try expectEquivalence(example, orientation, tolerance: 0)
        }
    }

    @Test(arguments: Orientation.allCases) func plannedResizesEqualStepwiseOnes(orientation: Orientation) throws {
        var generator = SeededGenerator(seed: 100 + UInt64(orientation.rawValue))
        for _ in 0..<60 {
            let example = try example(&generator) { size, generator in
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: .crop(Self.rectangle(in: size, &generator))
                case 1: .flip([.horizontal, .vertical].randomElement(using: &generator) ?? .vertical)
                case 2: .rotate(degrees: Double(Int.random(in: -5...5, using: &generator)) * 90)
                default: .resize(Self.resize(&generator))
                }
            }
            // Each resize may pass on the difference of the one before.
            let resizes = example.recipe.operations.count { $0.value is ResizeOptions }
            let tolerance = orientation == .identity ? 0 : Self.reorderedTolerance * max(1, resizes)
            try expectEquivalence(example, orientation, tolerance: tolerance)
        }
    }

    /// Rotations by other angles, perspective and flattening are never reordered: exact unless a resize is.
    @Test(arguments: Orientation.allCases) func plannedWarpsEqualStepwiseOnes(orientation: Orientation) throws {
        var generator = SeededGenerator(seed: 200 + UInt64(orientation.rawValue))
        for _ in 0..<12 {
            let example = try example(&generator) { size, generator in
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: .crop(Self.rectangle(in: size, &generator))
                case 1: .flip(.horizontal)
                case 2: .flatten(.white)
                case 3:
                    .turn(
                        Rotation3D(yaw: Double.random(in: -40...40, using: &generator), pitch: 10, roll: 0),
                        filter: .catmullRom)
                default: .rotate(degrees: Double.random(in: -400...400, using: &generator), filter: .bilinear)
                }
            }
            try expectEquivalence(example, orientation, tolerance: 0)
        }
    }

    // MARK: Helpers

    /// A random small image and up to four operations that fit it.
    private func example(
        _ generator: inout SeededGenerator, _ operation: (PixelSize, inout SeededGenerator) -> PixelOperation
    ) throws -> Example {
        let size = PixelSize(
            width: Int.random(in: 1...24, using: &generator), height: Int.random(in: 1...24, using: &generator))
        let isOpaque = Bool.random(using: &generator)
        let image = try PixelBuffer.noise(
            size, alphaMode: isOpaque ? .opaque : .straight, seed: generator.next())
        var recipe = Recipe()
        recipe.output.background = [.white, .transparent, nil].randomElement(using: &generator) ?? nil
        var current = image
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let next = operation(current.size, &generator)
            recipe.operations.append(next)
            current = try next.applied(to: current, background: .transparent)
        }
        return Example(image: image, recipe: recipe)
    }

    private func expectEquivalence(_ example: Example, _ orientation: Orientation, tolerance: Int) throws {
        // The stored image is the upright one, moved by the inverse orientation.
        let source = try Input.source(try example.image.oriented(orientation.inverse), orientation: orientation)
        let background = example.recipe.output.background ?? .transparent
        var expected = example.image
        for operation in example.recipe.operations {
            expected = try operation.applied(to: expected, background: background)
        }
        let plan = try source.plan(example.recipe)
        let result = try source.processed(example.recipe)
        let found = try result.image
        let comment = "\(example.image.size) \(orientation): \(example.recipe.operations)"
        #expect(plan.outputSize == expected.size, "\(comment)")
        #expect(result.size == expected.size, "\(comment)")
        expectPixelsEqual(
            try Self.weighed(found), try Self.weighed(expected), tolerance: tolerance, comment)
    }

    /// Premultiplied, so that the colours of transparent pixels are ignored.
    private static func weighed(_ image: PixelBuffer) throws -> PixelBuffer {
        try image.alphaMode == .straight ? image.premultiplied() : image
    }

    private static func rectangle(in size: PixelSize, _ generator: inout SeededGenerator) -> PixelRectangle {
        let width = Int.random(in: 1...size.width, using: &generator)
        let height = Int.random(in: 1...size.height, using: &generator)
        return PixelRectangle(
            x: Int.random(in: 0...(size.width - width), using: &generator),
            y: Int.random(in: 0...(size.height - height), using: &generator), width: width, height: height)
    }

    private static func resize(_ generator: inout SeededGenerator) -> ResizeOptions {
        func side() -> Int { Int.random(in: 1...30, using: &generator) }
        let target: ResizeRule.Target =
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: .scale(numerator: side(), denominator: 20)
            case 1: .minimum(width: side(), height: side())
            case 2: .box(width: side(), height: nil, fit: .inside)
            default: .box(width: side(), height: side(), fit: Fit.allCases.randomElement(using: &generator) ?? .fill)
            }
        return ResizeOptions(
            ResizeRule(target, enlarges: Bool.random(using: &generator)),
            filter: ResamplingFilter.allCases.randomElement(using: &generator) ?? .lanczos3,
            usesLinearLight: Int.random(in: 0..<4, using: &generator) == 0)
    }

    /// A resize that only crops or pads, and never mixes pixels.
    private static func cuttingResize(_ generator: inout SeededGenerator) -> ResizeOptions {
        let fit: Fit = Bool.random(using: &generator) ? .cover : .contain
        return ResizeOptions(
            ResizeRule(.box(width: Int.random(in: 24...40, using: &generator), height: 1000, fit: fit)))
    }
}
