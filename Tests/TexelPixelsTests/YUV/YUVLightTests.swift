import TestSupport
import Testing
import TexelPixels

/// Samples of high dynamic range and of wide gamuts as sRGB.
@Suite struct YUVLightTests {
    struct Case: CustomTestStringConvertible {
        let primaries: Int
        let transfer: Int
        var points: CICP? { CICP(primaries: primaries, transfer: transfer) }
        var formulas: LightFormulas {
            LightFormulas(transfer: transfer, primaries: primaries == 9 ? LightFormulas.bt2020 : LightFormulas.p3)
        }
        var testDescription: String { points?.name ?? "" }

        static let all = [(9, 16), (9, 18), (12, 16), (9, 14), (9, 1), (12, 13)].map(Case.init)
    }

    /// Every corner and random colours of every matrix, range and depth are within one step of the formulas.
    @Test(arguments: Case.all) func agreesWithTheFormulas(kind: Case) throws {
        var generator = SeededGenerator(seed: 73)
        for color in YUVColor.all {
            let color = YUVColor(color.matrix, color.range, codePoints: kind.points)
            for bitDepth in [8, 10] {
                let top = 1 << bitDepth - 1
                let corners = (0..<8).map { corner in (0..<3).map { corner >> $0 & 1 == 0 ? 0 : top } }
                let colors =
                    corners + (0..<600).map { _ in (0..<3).map { _ in .random(in: 0...top, using: &generator) } }
                let size = PixelSize(width: colors.count, height: 1)
                let pixels = try YUVImage(YUVFormat(.yuv444, bitDepth: bitDepth), color, size: size) { plane, x, _ in
                    colors[x][plane]
                }.convertedBGRA()
                for (x, samples) in colors.enumerated() {
                    let (red, green, blue) = YUVFormulas.rgb(samples, bitDepth: bitDepth, color)
                    let exact = kind.formulas.bytes(red: red, green: green, blue: blue)
                    let actual = (0..<3).map { Double(pixels[4 * x + 2 - $0]) }
                    #expect(zip(actual, exact).allSatisfy { abs($0 - $1) <= 0.8 }, "\(color), \(samples): \(exact)")
                }
            }
        }
    }

    /// Solid colours of halved chroma, whatever the filters do, are within one step where no channel is a small
    /// difference of bright ones.
    @Test(arguments: [ChromaSampling.yuv420, .yuv422])
    func halvedChromaKeepsSolidColors(sampling: ChromaSampling) throws {
        let kind = Case(primaries: 9, transfer: 16)
        let color = YUVColor(.bt2020, .limited, codePoints: kind.points)
        for samples in [[573, 512, 512], [400, 480, 560], [700, 530, 500], [300, 500, 520]] {
            let image = try YUVImage(
                YUVFormat(sampling, bitDepth: 10), color, size: PixelSize(width: 9, height: 7)
            ) { plane, _, _ in samples[plane] }
            let (red, green, blue) = YUVFormulas.rgb(samples, bitDepth: 10, color)
            let exact = kind.formulas.bytes(red: red, green: green, blue: blue)
            let pixels = try image.convertedBGRA(bandRows: 3)
            for index in pixels.indices where index % 4 < 3 {
                #expect(abs(Double(pixels[index]) - exact[2 - index % 4]) <= 1, "\(samples)")
            }
        }
    }

    /// Greys of high dynamic range are those of stills, exactly so for reference white: 203 cd/m² in PQ, 75 % in HLG.
    @Test(arguments: [16, 18]) func graysAreThoseOfStills(transfer: Int) throws {
        let points = try #require(CICP(primaries: 9, transfer: transfer))
        let levels = Array(UInt8.min...UInt8.max)
        let size = PixelSize(width: 256, height: 1)
        var still = try PixelBuffer(
            width: 256, height: 1, pixels: levels.map { 0xFF00_0000 | UInt32($0) * 0x1_0101 }, alphaMode: .opaque)
        still.colorSpace = .codePoints(points)
        let expected = try still.convertedToSRGB().pixels.map { Int($0 & 255) }
        let image = try YUVImage(
            YUVFormat(.none), YUVColor(.bt2020, .full, codePoints: points), size: size, bytes: levels)
        let pixels = try image.convertedBGRA()
        for (level, gray) in expected.enumerated() {
            #expect(pixels[4 * level] == pixels[4 * level + 1] && pixels[4 * level] == pixels[4 * level + 2])
            #expect(abs(Int(pixels[4 * level]) - gray) <= 1, "\(level)")
        }
        let white = transfer == 16 ? 148 : 191
        #expect(Int(pixels[4 * white]) == expected[white])
        #expect(pixels[255 * 4] == 255)
    }

    /// Greys of standard dynamic range keep their values in every wide gamut, also in those with another white.
    @Test(arguments: [4, 5, 9, 11, 12]) func graysOfWideGamutsStay(primaries: Int) throws {
        let levels = Array(UInt8.min...UInt8.max)
        let size = PixelSize(width: 256, height: 1)
        let points = try #require(CICP(primaries: primaries, transfer: 1))
        let bytes = levels + [UInt8](repeating: 128, count: 512)
        let image = try YUVImage(
            YUVFormat(.yuv444), YUVColor(.bt709, .full, codePoints: points), size: size, bytes: bytes)
        #expect(try image.convertedBGRA() == levels.flatMap { [$0, $0, $0, 255] })
    }

    /// The primaries and the transfer of sRGB, or another one of standard dynamic range, change nothing.
    @Test(arguments: [1, 6, 13]) func primariesOfSRGBChangeNothing(transfer: Int) throws {
        var generator = SeededGenerator(seed: 74)
        let size = PixelSize(width: 67, height: 5)
        let plain = try YUVImage(random: .i420, YUVColor(.bt709, .limited), size: size, using: &generator)
        let points = CICP(primaries: 1, transfer: transfer)
        let tagged = try YUVImage(
            .i420, YUVColor(.bt709, .limited, codePoints: points), size: size, bytes: plain.bytes)
        #expect(try tagged.convertedBGRA() == plain.convertedBGRA())
    }

    /// A still with primaries of another white keeps its greys, too.
    @Test func graysOfStillsWithAnotherWhite() throws {
        let points = try #require(CICP(primaries: 11, transfer: 16))
        var image = try PixelBuffer(width: 1, height: 1, filledWith: 0xFF82_8282)
        image.colorSpace = .codePoints(points)
        let pixel = try image.convertedToSRGB()[0, 0]
        let channels = [pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255].map(Int.init)
        #expect(channels.allSatisfy { abs($0 - channels[0]) <= 1 }, "\(channels)")
    }
}
