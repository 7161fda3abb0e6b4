import Testing
import TexelCodecs
import TexelJPEG
import TexelPNG

@Suite struct PixelDensityTests {
    /// Conversion from JFIF to PNG and back is exact for every density that occurs in practice.
    @Test func dotsPerInchSurvivePNG() throws {
        for dpi in UInt16(1)...9600 {
            let pHYs = try #require(PixelDensity(jfifUnit: 1, x: dpi, y: 1)?.pHYs)
            let back = try #require(PixelDensity(pHYsUnit: pHYs.unit, x: pHYs.x, y: pHYs.y)?.jfif)
            #expect(back == (1, dpi, 1))
        }
    }

    @Test func dotsPerCentimetreSurvivePNG() throws {
        for density in UInt16(1)...9600 {
            let pHYs = try #require(PixelDensity(jfifUnit: 2, x: density, y: 118)?.pHYs)
            #expect(pHYs == (1, UInt32(density) * 100, 11800))
            let back = try #require(PixelDensity(pHYsUnit: pHYs.unit, x: pHYs.x, y: pHYs.y)?.jfif)
            #expect(back == (2, density, 118))
        }
    }

    @Test(arguments: [(72, 2835), (96, 3780), (150, 5906), (300, 11811), (600, 23622)] as [(UInt16, UInt32)])
    func usualDensitiesConvertBothWays(dpi: UInt16, perMetre: UInt32) throws {
        #expect(try #require(PixelDensity(jfifUnit: 1, x: dpi, y: dpi)?.pHYs) == (1, perMetre, perMetre))
        #expect(try #require(PixelDensity(pHYsUnit: 1, x: perMetre, y: perMetre)?.jfif) == (1, dpi, dpi))
    }

    @Test func ratiosStayRatios() throws {
        #expect(try #require(PixelDensity(jfifUnit: 0, x: 4, y: 6)?.pHYs) == (0, 2, 3))
        #expect(try #require(PixelDensity(pHYsUnit: 0, x: 400_000, y: 200_000)?.jfif) == (0, 2, 1))
        let extreme = try #require(PixelDensity(pHYsUnit: 0, x: .max, y: 1)?.jfif)
        #expect(extreme == (0, 65535, 1))
    }

    @Test func whatDoesNotFitIsNotWritten() throws {
        #expect(PixelDensity(jfifUnit: 3, x: 1, y: 1) == nil)
        #expect(PixelDensity(jfifUnit: 1, x: 0, y: 1) == nil)
        #expect(PixelDensity(pHYsUnit: 2, x: 1, y: 1) == nil)
        #expect(try #require(PixelDensity(pHYsUnit: 1, x: .max, y: .max)).jfif == nil)
        let huge = try #require(
            PixelDensity(horizontal: Rational(.max), vertical: Rational(.max), unit: .perCentimetre))
        #expect(huge.jfif == nil)
        #expect(huge.pHYs == nil)
    }

    @Test func fractionsAreExact() throws {
        #expect(Rational(600, 2) == Rational(300))
        #expect(Rational(10, 2500).description == "1/250")
        #expect(Rational(0, 0).value == nil)
        #expect(!Rational(1, 0).isPositive)
        let density = try #require(
            PixelDensity(horizontal: Rational(300), vertical: Rational(150, 1), unit: .perInch))
        #expect(density.transposed.horizontal == Rational(150))
    }
}
