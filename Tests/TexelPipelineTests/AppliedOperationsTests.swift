import TestSupport
import Testing
import TexelCore
import TexelOperations
import TexelPixels

@testable import TexelPipeline

/// Operations on an image in memory.
@Suite struct AppliedOperationsTests {
    private static func operations() throws -> [PixelOperation] {
        let logo = try OverlayImage(try .noise(PixelSize(width: 7, height: 5), alphaMode: .straight))
        return [
            .crop(PixelRectangle(x: 3, y: 5, width: 150, height: 120)),
            .resize(ResizeOptions(ResizeRule(.box(width: 101, height: nil, fit: .inside)))), .brightness(0.8),
            .saturation(1.4), .blur(sigma: 1.5), .overlay(OverlayOptions(logo, gravity: .southeast)),
            .border(width: 3, color: .white), .rotate(degrees: 90), .rotate(degrees: 20),
        ]
    }

    /// One after the other gives the same as all together, except for rounding where operations are joined.
    @Test(arguments: [AlphaMode.straight, .premultiplied])
    func joinedOrNot(mode: AlphaMode) throws {
        var image = try PixelBuffer.smooth(PixelSize(width: 167, height: 131))
        if mode == .premultiplied { image.premultiply() }
        let operations = try Self.operations()
        var expected = image
        for operation in operations { expected = try expected.applying(operation) }
        let result = try image.applying(operations)
        #expect(result.alphaMode == expected.alphaMode)
        expectPixelsEqual(result, expected, tolerance: 2, "\(mode)")
    }

    @Test func theSameAsARecipeOnAFile() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 167, height: 131))
        var recipe = Recipe()
        recipe.operations = try Self.operations()
        let plan = try Planner.plan(recipe, for: Input.source(image).info, to: .pixels)
        expectPixelsEqual(try plan.pixels(RouteContext(Input.source(image))), try image.applying(recipe.operations))
    }

    @Test func threadsDoNotMatter() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 700, height: 600))
        let operations: [PixelOperation] = [.blur(sigma: 3), .negate, .sharpen(amount: 1)]
        let result = try image.applying(operations)
        #expect(result != image)
        #expect(try image.applying(operations, threads: 3) == result)
    }

    /// The size after a trim is known when the pixels are.
    @Test func operationsAfterATrimUseTheTrimmedSize() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 40, height: 30))
        let framed: [PixelOperation] = [.border(width: 5, color: .white), .trim(), .negate]
        expectPixelsEqual(try image.applying(framed), try image.applying(.negate))
    }

    @Test func nothingToDo() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 9, height: 7))
        #expect(try image.applying([]) == image)
        #expect(try image.applying(.brightness(1)) == image)
    }

    @Test func wrongParametersAreErrors() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 9, height: 7))
        #expect(throws: TexelError.self) { try image.applying(.blur(sigma: -1)) }
        let outside = PixelRectangle(x: 5, y: 5, width: 5, height: 5)
        #expect(throws: TexelError.self) { try image.applying([.negate, .crop(outside)]) }
    }
}
