import TestSupport
import Testing

@testable import TexelFilters
@testable import TexelPixels

/// The Gaussian blur against an exact one.
@Suite struct BlurFilterTests {
    static let sigmas = [
        0.3, 0.5, 0.8, 1, 1.5, 2, 3, 3.9, 4, 4.01, 4.5, 5, 6, 7, 8, 10, 13, 20, 33, 50, 63, 64, 66, 100, 400, 1000,
    ]

    static func blurred(_ image: PixelBuffer, _ sigma: Double, light: Bool = false) throws -> PixelBuffer {
        guard let blur = GaussianBlur(sigma: sigma, usesLinearLight: light) else { return image }
        let filter = try BlurFilter(blur, for: RasterShape(size: image.size, alphaMode: image.alphaMode))
        return try image.filtered { filter.run(rows: $0, from: $1, to: $2) }
    }

    /// Three channels of an opaque image each: noise, extremes, an edge, ramps, and stripes of the period that a
    /// reduction for this standard deviation would confuse most easily.
    private static func images(_ sigma: Double, _ size: PixelSize) throws -> [PixelBuffer] {
        let period = max(2, (sigma / 2).rounded(.down) / 0.88)
        func make(_ samples: (Int, Int) -> (Int, Int, Int)) throws -> PixelBuffer {
            try .make(width: size.width, height: size.height) { x, y in
                let (b, g, r) = samples(x, y)
                return 0xFF00_0000 | UInt32(r) << 16 | UInt32(g) << 8 | UInt32(b)
            }
        }
        var generator = SeededGenerator(seed: 91)
        return [
            try .random(width: size.width, height: size.height),
            try make { x, y in
                (
                    Bool.random(using: &generator) ? 255 : 0, x < size.width * 2 / 5 ? 0 : 255,
                    y < size.height * 3 / 7 ? 255 : 0
                )
            },
            try make { x, y in (x * 255 / max(1, size.width - 1), x + y < size.height ? 10 : 240, (x + y) / 2 % 256) },
            try make { x, y in
                func stripe(_ place: Int, _ phase: Double) -> Int {
                    let position = Double(place) / period + phase
                    return position - position.rounded(.down) < 0.5 ? 255 : 0
                }
                return (stripe(x, 0), stripe(y, 0.3), stripe(x, 0.6) == stripe(y, 0.1) ? 255 : 0)
            },
        ]
    }

    @Test(arguments: sigmas) func differsFromAnExactBlurByAtMostOne(sigma: Double) throws {
        for size in [PixelSize(width: 131, height: 86), PixelSize(width: 5, height: 97)] {
            let exact = ExactBlur(sigma: sigma, size: size)
            for (index, image) in try Self.images(sigma, size).enumerated() {
                let result = try Self.blurred(image, sigma)
                #expect(result.isOpaque)
                for shift: UInt32 in [0, 8, 16] {
                    let expected = exact.blurred(image.samples(shift).map { Double($0) })
                    let difference = zip(result.samples(shift), expected).map { abs(Double($0) - $1) }.max() ?? 0
                    #expect(difference <= 1, "\(size), image \(index), channel at \(shift)")
                }
            }
        }
    }

    /// The darkest steps are the smallest ones of light: next to white areas, a blur of light is hardest there.
    @Test(arguments: sigmas) func lightIsBlurredAsExactly(sigma: Double) throws {
        for size in [PixelSize(width: 131, height: 86), PixelSize(width: 5, height: 97)] {
            let exact = ExactBlur(sigma: sigma, size: size)
            for (index, image) in try Self.images(sigma, size).enumerated() {
                let result = try Self.blurred(image, sigma, light: true)
                #expect(result.isOpaque)
                for shift: UInt32 in [0, 8, 16] {
                    let light = image.samples(shift).map { TransferCurve.light(Double($0) / 255) }
                    let expected = exact.blurred(light).map { TransferCurve.value($0) * 255 }
                    let difference = zip(result.samples(shift), expected).map { abs(Double($0) - $1) }.max() ?? 0
                    #expect(difference <= 1, "\(size), image \(index), channel at \(shift)")
                }
            }
        }
    }

    /// Half of black and white stripes is half of the light.
    @Test func stripesKeepTheirBrightness() throws {
        let stripes = try PixelBuffer.make(width: 60, height: 30) { x, _ in x % 2 == 0 ? 0xFF00_0000 : 0xFFFF_FFFF }
        for sigma in [3.0, 8] {
            #expect(try (127...128).contains(Self.blurred(stripes, sigma)[30, 15] & 255))
            #expect(try Self.blurred(stripes, sigma, light: true)[30, 15] & 255 == 188)
        }
    }

    /// A transparent neighbour does not darken a colour, and premultiplied images are blurred like straight ones.
    @Test(arguments: [0.7, 2, 9]) func lightOfTransparentImages(sigma: Double) throws {
        let shape = try PixelBuffer.make(width: 40, height: 24, alphaMode: .straight) { x, y in
            x > 17 && y < 11 ? 0xFF80_6040 : 0
        }
        let result = try Self.blurred(shape, sigma, light: true)
        let uniform = try PixelBuffer.make(width: 40, height: 24, alphaMode: .straight) { x, y in
            result[x, y] & 0xFF00_0000 | 0x80_6040
        }
        #expect(try largestVisibleDifference(result.premultiplied(), uniform.premultiplied()) <= 1)
        let premultiplied = try shape.premultiplied()
        #expect(try Self.blurred(premultiplied, sigma, light: true) == result.premultiplied())
    }

    @Test(arguments: sigmas, [false, true]) func constantsStay(sigma: Double, light: Bool) throws {
        for (index, pixel) in [0xFF00_01FE, 0xFFFF_FFFF, 0xFF80_7F03, 0xFFAA_5511].enumerated()
            as EnumeratedSequence<[UInt32]>
        {
            let size = [(1, 1), (1, 9), (40, 1), (23, 17)][index]
            let image = try PixelBuffer(width: size.0, height: size.1, filledWith: pixel, alphaMode: .opaque)
            #expect(try Self.blurred(image, sigma, light: light) == image)
        }
    }

    /// Straight images are blurred like premultiplied ones, and no colour of these exceeds its alpha.
    @Test(arguments: [0.5, 2, 9]) func alphaIsBlurredToo(sigma: Double) throws {
        let straight = try PixelBuffer.random(width: 43, height: 31, alphaMode: .straight, seed: 92)
        let premultiplied = try straight.premultiplied()
        let result = try Self.blurred(premultiplied, sigma)
        #expect(try Self.blurred(straight, sigma) == result.unpremultiplied())
        for pixel in result.pixels {
            #expect(max(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255) <= pixel >> 24)
        }
        let exact = ExactBlur(sigma: sigma, size: straight.size)
        let expected = exact.blurred(straight.samples(24).map { Double($0) })
        for (alpha, value) in zip(result.samples(24), expected) { #expect(abs(Double(alpha) - value) <= 1) }
    }

    @Test func smallBlursHaveNoEffect() {
        #expect(GaussianBlur(sigma: 0) == nil && GaussianBlur(sigma: 0.2) == nil)
        #expect(GaussianBlur(sigma: 0.25) != nil)
    }

    /// Returns the sum of symmetric weights, of which the middle one and one side are stored.
    private func sum(ofHalf weights: [Int16]) -> Int {
        weights.dropFirst().reduce(Int(weights[0])) { $0 + 2 * Int($1) }
    }

    /// The weights that the kernels rely on: not negative, and one in total.
    @Test(arguments: [BlurPrecision.stored, .light]) func weightsAddUp(precision: BlurPrecision) {
        for sigma in Self.sigmas {
            if let weights = GaussianWeights(sigma: min(sigma, 10), tail: precision.tail) {
                #expect(sum(ofHalf: weights.weights) == 32768)
                #expect(weights.weights.allSatisfy { $0 >= 0 })
            }
            let plan = ReducedBlurPlan(sigma: max(sigma, precision.smallestReducedSigma + 0.01), precision)
            let blur = plan.blur.weights
            #expect(sum(ofHalf: blur) == 32768)
            for weights in plan.phases + [plan.spline] {
                let total = weights.reduce(0) { $0 + Int($1) }
                #expect(total == 32768 && weights.allSatisfy { $0 >= 0 })
            }
            #expect(blur.allSatisfy { $0 >= 0 } && plan.phases.count == plan.factor)
        }
    }
}
