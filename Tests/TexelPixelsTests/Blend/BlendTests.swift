import TestSupport
import Testing

@testable import TexelFilters
@testable import TexelPixels

/// Blending against the exact formulas of W3C Compositing and Blending Level 1.
@Suite struct BlendTests {
    /// A pixel as straight colours and alpha, 0…1.
    private static func values(_ pixel: UInt32, _ mode: AlphaMode) -> (color: [Double], alpha: Double) {
        func channel(_ shift: UInt32) -> Double { Double(pixel >> shift & 255) / 255 }
        let alpha = mode == .opaque ? 1 : channel(24)
        let color = [channel(16), channel(8), channel(0)]
        guard mode == .premultiplied else { return (color, alpha) }
        return (color.map { alpha > 0 ? min($0, alpha) / alpha : 0 }, alpha)
    }

    /// The channels of the result, 0…255, in the backdrop's alpha mode: red, green, blue, alpha.
    private static func exact(
        _ mode: BlendMode, _ backdrop: (color: [Double], alpha: Double), _ source: (color: [Double], alpha: Double),
        _ result: AlphaMode
    ) -> [Double] {
        let mixed = BlendFormulas<Double>.mix(mode, backdrop.color, source.color)
        let (b, s) = (backdrop.alpha, source.alpha)
        let alpha = b + s - b * s
        let colors = (0..<3).map { channel in
            let sum =
                source.color[channel] * s * (1 - b) + backdrop.color[channel] * b * (1 - s) + mixed[channel] * s * b
            return 255 * (result == .straight && alpha > 0 ? sum / alpha : sum)
        }
        return colors + [alpha * 255]
    }

    /// Limits premultiplied colours to alpha. Of a backdrop, the mode `normal` does not do that.
    private static func valid(_ pixels: [UInt32], _ mode: AlphaMode) -> [UInt32] {
        guard mode == .premultiplied else { return pixels }
        return pixels.map { pixel in
            [0, 8, 16, 24].reduce(0) { $0 | min(pixel >> $1 & 255, pixel >> 24) << $1 }
        }
    }

    private static func run(_ blend: RowBlend, _ backdrop: [UInt32], _ source: [UInt32]) -> [UInt32] {
        var result = backdrop
        blend.run(source, onto: &result, width: source.count)
        return result
    }

    /// Every mode, over and under every alpha mode.
    @Test(arguments: BlendMode.allCases, BlendKernelTests.alphaModes) func modesFollowTheirFormulas(
        mode: BlendMode, backdropMode: AlphaMode
    ) {
        var generator = SeededGenerator(seed: 74)
        for sourceMode in BlendKernelTests.alphaModes {
            for opacity in [1, 0.5, 0.123] {
                let backdrop = Self.valid(BlendKernelTests.row(1500, backdropMode, &generator), backdropMode)
                let source = BlendKernelTests.row(1500, sourceMode, &generator)
                let result = Self.run(
                    RowBlend(mode, backdrop: backdropMode, source: sourceMode, opacity: opacity), backdrop, source)
                var largest = 0.0
                for (index, pixel) in result.enumerated() where source[index] >> 24 != 0 {
                    let below = Self.values(backdrop[index], backdropMode)
                    var above = Self.values(source[index], sourceMode)
                    above.alpha *= opacity
                    let expected = Self.exact(mode, below, above, backdropMode)
                    for (shift, value) in zip([16, 8, 0, 24] as [UInt32], expected) {
                        largest = max(largest, abs(Double(pixel >> shift & 255) - value))
                    }
                }
                let isFast = mode == .normal && backdropMode != .straight
                let isScaled = isFast && sourceMode == .premultiplied && opacity < 1
                #expect(largest <= (isScaled ? 1.51 : isFast ? 1.01 : 0.51), "\(sourceMode) \(opacity): \(largest)")
            }
        }
    }

    /// Light is blended as light, within a step of a byte.
    @Test(arguments: [BlendMode.normal, .multiply, .screen, .softLight, .luminosity], BlendKernelTests.alphaModes)
    func formulasOfLight(mode: BlendMode, backdropMode: AlphaMode) {
        var generator = SeededGenerator(seed: 75)
        let backdrop = BlendKernelTests.row(800, backdropMode, &generator).map { pixel in
            // With little alpha, the premultiplied colours are too coarse to compare with.
            backdropMode == .premultiplied ? pixel | 0xFF00_0000 : pixel
        }
        let source = BlendKernelTests.row(800, .straight, &generator)
        let result = Self.run(
            RowBlend(mode, backdrop: backdropMode, source: .straight, usesLinearLight: true), backdrop, source)
        for (index, pixel) in result.enumerated() where source[index] >> 24 != 0 {
            var (below, above) = (Self.values(backdrop[index], backdropMode), Self.values(source[index], .straight))
            below.color = below.color.map(TransferCurve.light)
            above.color = above.color.map(TransferCurve.light)
            let expected = Self.exact(mode, below, above, .straight)
            for (shift, value) in zip([16, 8, 0] as [UInt32], expected) {
                let byte = TransferCurve.value(max(0, value / 255)) * 255
                #expect(abs(Double(pixel >> shift & 255) - byte) <= 0.6)
            }
        }
    }

    /// Transparent sources and an opacity of 0 change nothing, in any mode; opaque `normal` sources replace everything.
    @Test(arguments: BlendMode.allCases, BlendKernelTests.alphaModes) func transparentSourcesChangeNothing(
        mode: BlendMode, alphaMode: AlphaMode
    ) {
        var generator = SeededGenerator(seed: 76)
        // Colours above alpha are not kept by the conversions of linear light.
        let backdrop = Self.valid(BlendKernelTests.row(300, alphaMode, &generator), alphaMode)
        let source = BlendKernelTests.row(300, .straight, &generator)
        for isLinear in [false, true] {
            func blend(_ opacity: Double) -> RowBlend {
                RowBlend(mode, backdrop: alphaMode, source: .straight, opacity: opacity, usesLinearLight: isLinear)
            }
            #expect(Self.run(blend(0), backdrop, source) == backdrop)
            #expect(Self.run(blend(1), backdrop, source.map { $0 & 0xFF_FFFF }) == backdrop)
            let opaque = source.map { $0 | 0xFF00_0000 }
            if mode == .normal { #expect(Self.run(blend(1), backdrop, opaque) == opaque) }
        }
    }

    @Test(
        arguments: [
            (.multiply, 0xFFFF_FFFF), (.screen, 0xFF00_0000), (.darken, 0xFFFF_FFFF), (.lighten, 0xFF00_0000),
            (.colorDodge, 0xFF00_0000), (.colorBurn, 0xFFFF_FFFF), (.difference, 0xFF00_0000),
            (.exclusion, 0xFF00_0000),
        ] as [(BlendMode, UInt32)])
    func neutralColorsLeaveOpaqueBackdrops(mode: BlendMode, neutral: UInt32) {
        var generator = SeededGenerator(seed: 77)
        let backdrop = BlendKernelTests.row(300, .opaque, &generator)
        let blend = RowBlend(mode, backdrop: .opaque, source: .opaque)
        #expect(Self.run(blend, backdrop, [UInt32](repeating: neutral, count: 300)) == backdrop)
    }

    @Test(arguments: BlendMode.allCases) func colorsNeverExceedAlpha(mode: BlendMode) {
        var generator = SeededGenerator(seed: 78)
        let backdrop = Self.valid(BlendKernelTests.row(2000, .premultiplied, &generator), .premultiplied)
        let source = BlendKernelTests.row(2000, .straight, &generator)
        let blend = RowBlend(mode, backdrop: .premultiplied, source: .straight, opacity: 0.7)
        for pixel in Self.run(blend, backdrop, source) {
            #expect([0, 8, 16].allSatisfy { pixel >> $0 & 255 <= pixel >> 24 })
        }
    }
}
