import TestSupport
import Testing
import TexelCodecs
import TexelOperations
import TexelPixels

@testable import TexelPipeline

/// An operation that the library does not know, on every route over pixels.
@Suite struct ToyOperationTests {
    private static let size = PixelSize(width: 23, height: 17)

    @Test func joinsTheOthers() throws {
        let image = try PixelBuffer.noise(Self.size, seed: 3)
        let source = try Input.source(image, orientation: .rotated90)
        let upright = try image.oriented(.rotated90)
        var inverted = upright
        for step in try PixelOperation.invert.value.steps(for: upright.size, background: .white) {
            try step.apply(to: &inverted)
        }
        expectPixelsEqual(try source.processed(Recipe().appending(.invert)).image, inverted)

        let recipe = Recipe().resizing(width: 9).appending(.invert).flipping(.vertical)
        let plan = try source.plan(recipe)
        #expect(plan.route == .streaming && "\(plan)".contains("then: invert"))
        let buffered = try Planner.plan(recipe, for: source.info, to: .file(.png), routes: [.buffered])
        #expect(try plan.file(RouteContext(source)).image == buffered.file(RouteContext(source)).image)
    }

    @Test func changesTheKey() {
        func key(_ recipe: Recipe) -> ContentDigest { ContentDigest(ofIdentityOf: recipe) }
        #expect(key(Recipe()) != key(Recipe().appending(.invert)))
        #expect(key(Recipe().appending(.invert)) != key(Recipe().appending(.flip(.vertical))))
    }

    @Test func reachesAChild() throws {
        OperationRegistry.shared.register(InvertOperation.self)
        let recipe = Recipe().appending(.invert).cropping(to: PixelRectangle(x: 1, y: 2, width: 3, height: 4))
        let message = try MessageEncoder.encode(recipe)
        #expect(try MessageDecoder.decode(Recipe.self, from: message) == recipe)
    }
}
