import TestSupport
import Testing

@testable import TexelPixels

@Suite struct PassOrderTests {
    /// A tall image and its transposed copy use opposite orders, so both results must be the same image, bit for bit,
    /// including ringing edges.
    @Test(arguments: ResamplingFilter.allCases, [false, true])
    func tallImageIsTheWideOneTurned(filter: ResamplingFilter, linearLight: Bool) throws {
        for (source, target) in [((20, 100), (18, 30)), ((7, 65), (5, 9)), ((1, 40), (3, 4)), ((3, 50), (3, 7))] {
            let tallSize = PixelSize(width: target.0, height: target.1)
            for alphaMode in [AlphaMode.opaque, .straight, .premultiplied] {
                let tall = try PixelBuffer.random(width: source.0, height: source.1, alphaMode: alphaMode)
                let wide = try tall.oriented(.transposed)
                #expect(PassOrder(source: tall.size, target: tallSize) == .verticalFirst)
                #expect(PassOrder(source: wide.size, target: tallSize.transposed) == .horizontalFirst)
                let result = try tall.resized(to: tallSize, filter: filter, linearLight: linearLight)
                let turned = try wide.resized(to: tallSize.transposed, filter: filter, linearLight: linearLight)
                expectPixelsEqual(
                    result, try turned.oriented(.transposed), tolerance: 0, "\(filter) \(source) \(alphaMode)")
            }
        }
    }

    @Test func verticalFirstNeedsTwiceTheRows() {
        func order(_ source: (Int, Int), _ target: (Int, Int)) -> PassOrder {
            PassOrder(
                source: PixelSize(width: source.0, height: source.1),
                target: PixelSize(width: target.0, height: target.1))
        }
        #expect(order((300, 600), (100, 199)) == .verticalFirst)
        #expect(order((300, 600), (100, 200)) == .horizontalFirst)
        #expect(order((500, 500), (900, 250)) == .verticalFirst)
        #expect(order((500, 500), (900, 501)) == .horizontalFirst)
        #expect(order((4032, 3024), (1280, 960)) == .horizontalFirst)
    }
}
