import TestSupport
import Testing
import TexelCore
import TexelOperations
import TexelPixels

/// Changes of colours against their formulas in floating point.
@Suite struct ColorOperationTests {
    private typealias Color = (red: Double, green: Double, blue: Double)

    /// Applies operations one after another to an opaque image of many colours.
    private func result(_ operations: [PixelOperation], of image: PixelBuffer) throws -> PixelBuffer {
        var image = image
        for operation in operations {
            for step in try operation.value.steps(for: image.size, background: .white) { try step.apply(to: &image) }
        }
        return image
    }

    private static func colors() throws -> PixelBuffer {
        let steps = (0..<18).map { UInt32($0 * 15) }
        return try .make(width: 18 * 18, height: 18) { x, y in
            0xFF00_0000 | steps[x / 18] << 16 | steps[x % 18] << 8 | steps[y]
        }
    }

    /// Compares an operation with a formula of colours from 0 to 1.
    private func check(
        _ operation: PixelOperation, sourceLocation: SourceLocation = #_sourceLocation, _ formula: (Color) -> Color
    ) throws {
        let image = try Self.colors()
        let changed = try result([operation], of: image)
        var largest = 0.0
        for y in 0..<image.height {
            for x in 0..<image.width {
                func channel(_ pixel: UInt32, _ shift: UInt32) -> Double { Double(pixel >> shift & 255) / 255 }
                func color(_ pixel: UInt32) -> Color { (channel(pixel, 16), channel(pixel, 8), channel(pixel, 0)) }
                let (expected, found) = (formula(color(image[x, y])), color(changed[x, y]))
                for (a, b) in [
                    (expected.red, found.red), (expected.green, found.green), (expected.blue, found.blue),
                ] {
                    largest = max(largest, abs(min(max(a, 0), 1) - b) * 255)
                }
            }
        }
        #expect(largest <= 1, "\(largest)", sourceLocation: sourceLocation)
    }

    private func each(_ function: @escaping (Double) -> Double) -> (Color) -> Color {
        { (function($0.red), function($0.green), function($0.blue)) }
    }

    private func luma(_ color: Color) -> Double { 0.2126 * color.red + 0.7152 * color.green + 0.0722 * color.blue }

    @Test func colorOperationsFollowTheirFormulas() throws {
        for factor in [0, 0.3, 1.7, 40] {
            try check(.brightness(factor), each { $0 * factor })
            try check(.contrast(factor), each { ($0 - 0.5) * factor + 0.5 })
        }
        try check(.negate, each { 1 - $0 })
        try check(.levels(black: 30, white: 200), each { ($0 * 255 - 30) / 170 })
        for factor in [0, 0.5, 3, 8.0] {
            try check(.saturation(factor)) { color in
                let luma = 0.213 * color.red + 0.715 * color.green + 0.072 * color.blue
                func mixed(_ value: Double) -> Double { luma + (value - luma) * factor }
                return (mixed(color.red), mixed(color.green), mixed(color.blue))
            }
        }
        try check(.greyscale()) { color in (self.luma(color), self.luma(color), self.luma(color)) }
        try check(.hue(degrees: 180)) { color in
            // A half turn reflects the colours at the axis of grey.
            let double = 2 * (0.213 * color.red + 0.715 * color.green + 0.072 * color.blue)
            return (double - color.red, double - color.green, double - color.blue)
        }
        try check(.sepia(1)) { color in
            (
                0.393 * color.red + 0.769 * color.green + 0.189 * color.blue,
                0.349 * color.red + 0.686 * color.green + 0.168 * color.blue,
                0.272 * color.red + 0.534 * color.green + 0.131 * color.blue
            )
        }
        let matrix = try #require(ColorMatrix([0, 1, 0, 0.1, 0, 0, 1, -0.1, 1, 0, 0, 0]))
        try check(.colorMatrix(matrix)) { ($0.green + 0.1, $0.blue - 0.1, $0.red) }
    }

    @Test func curvesGiveKnownValues() throws {
        #expect(try result([.gamma(2)], of: Self.colors())[0, 15] & 255 == 240)
        // Middle grey has 21.6 % of the light of white; twice that is 43.2 %.
        let grey = try PixelBuffer.make(width: 1, height: 1) { _, _ in 0xFF80_8080 }
        #expect(try result([.exposure(stops: 1)], of: grey)[0, 0] == 0xFFB0_B0B0)
        #expect(try result([.exposure(stops: -20)], of: grey)[0, 0] == 0xFF00_0000)
        #expect(try result([.threshold(128)], of: grey)[0, 0] == 0xFFFF_FFFF)
        #expect(try result([.threshold(129)], of: grey)[0, 0] == 0xFF00_0000)
        let red = try PixelBuffer.make(width: 1, height: 1) { _, _ in 0xFFFF_0000 }
        // 0.2126 of the light, 127 as stored.
        #expect(try result([.greyscale(usesLinearLight: true)], of: red)[0, 0] == 0xFF7F_7F7F)
    }

    /// Curves go through their points, separately for each channel, and then through those of all.
    @Test func curvesGoThroughTheirPoints() throws {
        let points = [CurvePoint(30, 10), CurvePoint(120, 180), CurvePoint(200, 190), CurvePoint(240, 250)]
        let ramp = try PixelBuffer.make(width: 256, height: 1) { x, _ in 0xFF00_0000 | UInt32(x) * 0x01_0101 }
        let changed = try result([.curves(all: points)], of: ramp)
        for point in points {
            #expect(changed[Int(point.input), 0] == 0xFF00_0000 | UInt32(point.output) * 0x01_0101)
        }
        // Constant outside, and monotone inside.
        #expect(changed[0, 0] & 255 == 10 && changed[255, 0] & 255 == 250)
        #expect((0..<255).allSatisfy { changed[$0, 0] & 255 <= changed[$0 + 1, 0] & 255 })
        let channels = try result(
            [.curves(all: [CurvePoint(0, 255), CurvePoint(255, 0)], green: [CurvePoint(7, 50)])], of: ramp)
        #expect(channels[40, 0] == 0xFF00_0000 | 215 << 16 | 205 << 8 | 215)
    }

    /// Black, white and the luma of greys stay; the grey of the colour's luma becomes the colour.
    @Test func tintsKeepTheLumaOfGreys() throws {
        let color = PixelColor(red: 112, green: 66, blue: 20)
        let ramp = try PixelBuffer.make(width: 256, height: 1) { x, _ in 0xFF00_0000 | UInt32(x) * 0x01_0101 }
        let tinted = try result([.tint(color)], of: ramp)
        #expect(tinted[0, 0] == 0xFF00_0000 && tinted[255, 0] == 0xFFFF_FFFF)
        // The luma of the colour is 72.5.
        let middle = try PixelBuffer(width: 1, height: 1, filledWith: tinted[72, 0])
        #expect(largestDifference(middle, try PixelBuffer(width: 1, height: 1, filledWith: color.pixel)).value <= 1)
        for x in 0..<256 {
            let (red, green, blue) = (tinted[x, 0] >> 16 & 255, tinted[x, 0] >> 8 & 255, tinted[x, 0] & 255)
            #expect(abs(0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue) - Double(x)) < 1)
        }
        try check(.tint(color)) { color in
            let (luma, middle) = (self.luma(color), (0.2126 * 112 + 0.7152 * 66 + 0.0722 * 20) / 255)
            func toned(_ channel: Double) -> Double {
                luma < middle
                    ? luma / middle * channel : channel + (luma - middle) / (1 - middle) * (1 - channel)
            }
            return (toned(112.0 / 255), toned(66.0 / 255), toned(20.0 / 255))
        }
        try check(.tint(.white)) { color in (self.luma(color), self.luma(color), self.luma(color)) }
        try check(.tint(PixelColor(red: 9, green: 9, blue: 9), amount: 0.5)) { color in
            let luma = self.luma(color)
            return ((color.red + luma) / 2, (color.green + luma) / 2, (color.blue + luma) / 2)
        }
    }

    /// Greys become the colour of the light, with the same luminance unless they are clamped.
    @Test func greysGetTheColorOfTheLight() throws {
        let grey = try PixelBuffer.make(width: 1, height: 1) { _, _ in 0xFF80_8080 }
        func light(_ kelvin: Double) throws -> (red: Double, green: Double, blue: Double) {
            let pixel = try result([.temperature(kelvin: kelvin)], of: grey)[0, 0]
            func channel(_ shift: UInt32) -> Double { TransferCurve.light(Double(pixel >> shift & 255) / 255) }
            return (channel(16), channel(8), channel(0))
        }
        var last = 0.0
        for kelvin in [1667, 2000, 2222, 2856, 3999, 4000, 5000, 6504, 8000, 25_000.0] {
            let (red, green, blue) = try light(kelvin)
            let ratio = blue / red
            #expect(ratio >= last, "\(kelvin)")
            last = ratio
            #expect(abs(0.2126 * red + 0.7152 * green + 0.0722 * blue - TransferCurve.light(128.0 / 255)) < 0.004)
        }
        #expect(last > 1)
        // Illuminant A has x = 0.44757 and y = 0.40745 (CIE 15:2004).
        let incandescent = WhitePoint(kelvin: 2856)
        #expect(abs(incandescent.x - 0.447_57) < 6e-4 && abs(incandescent.y - 0.407_45) < 6e-4)
        let cool = WhitePoint(kelvin: 10_000)
        #expect(abs(cool.x - 0.280_7) < 3e-4 && abs(cool.y - 0.288_4) < 3e-4)
    }

    private static let identities: [PixelOperation] = [
        .curves(), .curves(all: [CurvePoint(0, 0), CurvePoint(90, 90), CurvePoint(255, 255)]),
        .tint(.black, amount: 0), .temperature(kelvin: 6500),
        .brightness(1), .contrast(1), .saturation(1), .hue(degrees: 0), .hue(degrees: -720), .sepia(0), .gamma(1),
        .exposure(stops: 0), .levels(black: 0, white: 255), .colorMatrix(.identity),
    ]

    @Test func identitiesHaveNoSteps() throws {
        for operation in Self.identities {
            #expect(try operation.value.steps(for: PixelSize(width: 3, height: 3), background: .white).isEmpty)
        }
    }

    @Test func twiceNegatedIsTheSame() throws {
        let image = try PixelBuffer.random(width: 37, height: 19, alphaMode: .straight)
        #expect(try result([.negate, .negate], of: image) == image)
    }

    /// Joined steps give within 2 of what they give one after another, as long as nothing is clamped on the way.
    @Test func joinedStepsNearlyEqualSeparateOnes() throws {
        let operations: [PixelOperation] = [
            .brightness(0.8), .saturation(0.6), .gamma(1.4), .sepia(0.4), .contrast(0.7), .negate,
        ]
        let image = try Self.colors()
        var joined: ColorStep?
        for operation in operations {
            for step in try operation.value.steps(for: image.size, background: .white) {
                let step = try #require(step as? ColorStep)
                joined = joined?.followed(by: step) ?? step
            }
        }
        var once = image
        try #require(joined).apply(to: &once)
        #expect(largestDifference(once, try result(operations, of: image)).value <= 2)
    }

    @Test func invalidParametersAreRefused() throws {
        let size = PixelSize(width: 2, height: 2)
        let invalid: [PixelOperation] = [
            .brightness(-0.1), .brightness(.nan), .contrast(.infinity), .saturation(8.1), .hue(degrees: .nan),
            .sepia(1.1), .gamma(0), .exposure(stops: 21), .levels(black: 10, white: 10), .levels(black: -1, white: 9),
            .curves(all: [CurvePoint(0, 0), CurvePoint(0, 9)]), .curves(red: [CurvePoint(-1, 0)]),
            .curves(blue: [CurvePoint(0, 256)]), .curves(green: [CurvePoint(.nan, 0)]), .tint(.black, amount: 1.1),
            .tint(.black, amount: .nan), .temperature(kelvin: 1666), .temperature(kelvin: .infinity),
            .threshold(256), .colorMatrix(try #require(ColorMatrix([Double](repeating: 9, count: 12)))),
        ]
        for operation in invalid {
            #expect(throws: TexelError.self) { try operation.value.steps(for: size, background: .white) }
        }
        #expect(throws: TexelError.invalidParameter("gamma", value: "0", allowed: "from 0.01 to 100")) {
            try PixelOperation.gamma(0).value.steps(for: size, background: .white)
        }
        #expect(ColorMatrix([1, 2, 3]) == nil && ColorMatrix([Double](repeating: .nan, count: 12)) == nil)
    }
}
