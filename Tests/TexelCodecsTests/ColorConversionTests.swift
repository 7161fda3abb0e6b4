import Foundation
import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

/// Compares Little CMS's conversions with direct computation.
@Suite struct ColorConversionTests {
    /// Returns the matrix from RGB to XYZ for these primaries and this white point (Lindbloom's method).
    private func matrix(_ chromaticities: Calibration.Chromaticities) -> [[Double]] {
        func xyz(_ xy: [Int32]) -> [Double] {
            let (x, y) = (Double(xy[0]) / 100_000, Double(xy[1]) / 100_000)
            return [x / y, 1, (1 - x - y) / y]
        }
        let columns = [xyz(chromaticities.red), xyz(chromaticities.green), xyz(chromaticities.blue)]
        let primaries = (0..<3).map { row in columns.map { $0[row] } }
        let strengths = product(inverse(primaries), xyz(chromaticities.white))
        return primaries.map { row in zip(row, strengths).map { $0 * $1 } }
    }

    private func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { zip($0, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    private func inverse(_ m: [[Double]]) -> [[Double]] {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, c) = ((0..<3).filter { $0 != row }, (0..<3).filter { $0 != column })
            return m[r[0]][c[0]] * m[r[1]][c[1]] - m[r[0]][c[1]] * m[r[1]][c[0]]
        }
        let determinant = m[0][0] * minor(0, 0) - m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2)
        return (0..<3).map { row in
            (0..<3).map { column in ((row + column).isMultiple(of: 2) ? 1 : -1) * minor(column, row) / determinant }
        }
    }

    private func sRGBByte(_ linear: Double) -> Int {
        let clipped = min(1, max(0, linear))
        let encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * pow(clipped, 1 / 2.4) - 0.055
        return Int((encoded * 255).rounded())
    }

    /// Both white points are D65, so there is no chromatic adaptation between the two matrices.
    @Test func wideColorsAgreeWithTheMatrices() throws {
        let primaries = try #require(TestImage.wideGamut.chromaticities)
        let (toXYZ, fromXYZ) = (matrix(primaries), inverse(matrix(.sRGB)))
        let levels: [UInt32] = [0, 30, 80, 128, 200, 255]
        let pixels = levels.flatMap { red in
            levels.flatMap { green in levels.map { 0xFF00_0000 | red << 16 | green << 8 | $0 } }
        }
        let image = try PixelBuffer(
            width: 36, height: 6, pixels: pixels, alphaMode: .opaque, colorSpace: .calibrated(TestImage.wideGamut))
        let converted = try image.convertedToSRGB()
        #expect(converted.colorSpace == .sRGB)
        var largest = 0
        for (pixel, result) in zip(pixels, converted.pixels) {
            let linear = [16, 8, 0].map { pow(Double(pixel >> $0 & 255) / 255, 2.2) }
            let expected = product(fromXYZ, product(toXYZ, linear)).map { sRGBByte($0) }
            let actual = [16, 8, 0].map { Int(result >> $0 & 255) }
            let difference = zip(expected, actual).map { abs($0 - $1) }.max() ?? 0
            largest = max(largest, difference)
        }
        #expect(largest <= 2)
    }

    /// sRGB's colours are inside of Display P3, so they come back; alpha stays, and the result has the new label. Where
    /// one channel is dark and another is bright, a step of the bright one changes the dark one by several.
    @Test(arguments: [AlphaMode.opaque, .straight, .premultiplied])
    func displayP3AndBack(mode: AlphaMode) throws {
        let levels: [UInt32] = [0, 1, 30, 80, 128, 200, 254, 255]
        let pixels = levels.flatMap { red in
            levels.flatMap { green in levels.map { 0xFF00_0000 | red << 16 | green << 8 | $0 } }
        }
        let image = try PixelBuffer(width: 64, height: 8, pixels: pixels, alphaMode: mode)
        let wide = try image.converted(to: .displayP3)
        #expect(wide.colorSpace == .displayP3 && wide.alphaMode == mode)
        expectPixelsEqual(try wide.converted(to: .sRGB), image, tolerance: 5)
        // The primaries of sRGB in Display P3, by the matrices of both; greys are the same in both.
        let (toXYZ, fromXYZ) = (matrix(.sRGB), inverse(matrix(Self.displayP3)))
        for (pixel, result) in zip(pixels, wide.pixels) {
            let linear = [16, 8, 0].map { sample -> Double in
                let value = Double(pixel >> sample & 255) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            let expected = product(fromXYZ, product(toXYZ, linear)).map { sRGBByte($0) }
            let actual = [16, 8, 0].map { Int(result >> $0 & 255) }
            #expect(zip(expected, actual).allSatisfy { abs($0 - $1) <= 1 }, "\(pixel)")
        }
    }

    private static let displayP3 = Calibration.Chromaticities(
        white: (31270, 32900), red: (68000, 32000), green: (26500, 69000), blue: (15000, 6000))

    /// From one wide space to another without the detour through sRGB, which would clip.
    @Test func wideColorsSurvive() throws {
        let red = try PixelBuffer(
            width: 1, height: 1, filledWith: 0xFFFF_0000, alphaMode: .opaque, colorSpace: .displayP3)
        let wider = ColorSpace.codePoints(try #require(CICP(primaries: 9, transfer: 13)))
        let there = try red.converted(to: wider)
        #expect(there[0, 0] != 0xFFFF_0000)
        expectPixelsEqual(try there.converted(to: .displayP3), red, tolerance: 5)
    }

    /// A grey profile describes no colours.
    @Test func greyProfilesAreRefused() throws {
        let image = try PixelBuffer(width: 1, height: 1, filledWith: 0xFF80_8080, alphaMode: .opaque)
        var bytes = try #require(try ColorSpace.displayP3.embeddableProfile()).bytes
        bytes.replaceSubrange(16..<20, with: "GRAY".utf8)
        let grey = try #require(ICCProfile(bytes))
        #expect(throws: TexelError.self) { try image.converted(to: .iccProfile(grey)) }
    }

    @Test func aWideRedLeavesSRGB() throws {
        let profile = try #require(try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile())
        #expect(profile.colorModel == .rgb)
        func converted(_ pixel: UInt32) throws -> UInt32 {
            try PixelBuffer(
                width: 1, height: 1, filledWith: pixel, alphaMode: .opaque, colorSpace: .iccProfile(profile)
            ).convertedToSRGB()[0, 0]
        }
        // The same values are a stronger red in the wide gamut: clipped at full strength, larger below it.
        #expect(try converted(0xFFFF_0000) == 0xFFFF_0000)
        #expect(try converted(0xFFC8_6464) >> 16 & 255 > 0xC8)
        for gray: UInt32 in [0, 64, 128, 255] {
            let result = try converted(0xFF00_0000 | gray * 0x1_0101)
            for shift in [0, 8, 16] { #expect(abs(Int(result >> shift & 255) - Int(gray)) <= 3) }
        }
    }

    @Test func sRGBByAnotherNameIsSRGB() throws {
        #expect(ColorSpace.calibrated(Calibration(gamma: 45_455, chromaticities: .sRGB)).isSRGB)
        #expect(ColorSpace.calibrated(Calibration(gamma: 45_455, chromaticities: nil)).isSRGB)
        #expect(ColorSpace.calibrated(Calibration(gamma: nil, chromaticities: .sRGB)).isSRGB)
        #expect(!ColorSpace.calibrated(Calibration(gamma: 100_000, chromaticities: nil)).isSRGB)
        #expect(!ColorSpace.calibrated(TestImage.wideGamut).isSRGB)
        var image = try PixelBuffer.random(width: 5, height: 5)
        let pixels = image.pixels
        image.colorSpace = .calibrated(Calibration(gamma: 45_455, chromaticities: .sRGB))
        #expect(try image.convertedToSRGB().pixels == pixels)
        #expect(try image.convertedToSRGB().colorSpace == .sRGB)
    }

    @Test(arguments: [AlphaMode.straight, .opaque, .premultiplied])
    func alphaIsUntouched(mode: AlphaMode) throws {
        for profile in [
            try #require(try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile()), try grayProfile(gamma: 1),
        ] {
            var image = try PixelBuffer.random(width: 17, height: 9, alphaMode: mode)
            image.colorSpace = .iccProfile(profile)
            let converted = try image.convertedToSRGB()
            #expect(converted.alphaMode == mode)
            #expect(converted.pixels.map { $0 >> 24 } == image.pixels.map { $0 >> 24 })
        }
    }

    /// The rows of a sub-rectangle have padding.
    @Test func rowsMayHavePadding() throws {
        var image = try PixelBuffer.random(width: 30, height: 20)
        image.colorSpace = .calibrated(TestImage.wideGamut)
        let rectangle = PixelRectangle(x: 3, y: 4, width: 11, height: 9)
        #expect(
            try image.cropped(to: rectangle).convertedToSRGB()
                == image.convertedToSRGB().cropped(to: rectangle))
    }

    @Test func grayProfilesFollowTheirCurve() throws {
        for gamma in [1.0, 1.5, 2.0] {
            var image = try PixelBuffer.make(width: 256, height: 1) { x, _ in 0xFF00_0000 | UInt32(x) * 0x1_0101 }
            image.colorSpace = .iccProfile(try grayProfile(gamma: gamma))
            let converted = try image.convertedToSRGB()
            for x in 0..<256 {
                let expected = sRGBByte(pow(Double(x) / 255, gamma))
                let pixel = converted[x, 0]
                for shift in [0, 8, 16] { #expect(abs(Int(pixel >> shift & 255) - expected) <= 2, "\(gamma), \(x)") }
            }
        }
    }

    /// A grey profile has one channel, so it applies to each of the three: hues are kept.
    @Test func colorsUnderAGrayProfileKeepTheirHue() throws {
        var image = try PixelBuffer(width: 1, height: 1, filledWith: 0xFF80_0000, alphaMode: .opaque)
        image.colorSpace = .iccProfile(try grayProfile(gamma: 1))
        let pixel = try image.convertedToSRGB()[0, 0]
        #expect(pixel & 0xFFFF == 0)
        #expect(abs(Int(pixel >> 16 & 255) - sRGBByte(128.0 / 255)) <= 2)
    }

    @Test func uselessProfilesAreErrors() throws {
        var bytes = try #require(try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile()).bytes
        for index in 128..<bytes.count { bytes[index] = 0xFF }
        var image = try PixelBuffer(width: 1, height: 1)
        image.colorSpace = .iccProfile(try #require(ICCProfile(bytes)))
        #expect(throws: TexelError.self) { try image.convertedToSRGB() }
        bytes.replaceSubrange(16..<20, with: Array("CMYK".utf8))
        image.colorSpace = .iccProfile(try #require(ICCProfile(bytes)))
        #expect(throws: TexelError.self) { try image.convertedToSRGB() }
        #expect(ICCProfile(Array(bytes.prefix(100))) == nil)
    }

    /// The conversion of `--metadata none`: the same colours without a profile.
    @Test(arguments: ["wide-gamut-profile.png", "wide-gamut-gamma-chromaticities.png", "wide-gamut-profile.jpg"])
    func filesWithoutTheirProfileKeepTheirColors(name: String) throws {
        let image = try TestFolders.testImage(name).decoded()
        let plain = try image.convertedToSRGB()
        #expect(plain.pixels != image.pixels)
        let written = try plain.encoded(as: .png(PNGOptions()))
        #expect(try written.source().info.colorSpace == .sRGB)
        #expect(try written.decoded().pixels == plain.pixels)
        // The three files declare the same colours in three ways.
        let reference = try TestFolders.testImage("wide-gamut-profile.png").decoded().convertedToSRGB()
        expectPixelsEqual(plain, reference, tolerance: name.hasSuffix("jpg") ? 30 : 1, name)
    }
}
