import TestSupport
import Testing

import TexelCore
@testable import TexelFlutter

/// The sizes by flutter_image_compress's rule, computed from headers.
@Suite struct SizeTests {
    private func compression(
        _ minWidth: Int = 1920, _ minHeight: Int = 1080, inSampleSize: Int = 1, rotate: Double = 0,
        autoCorrectionAngle: Bool = true
    ) -> Compression {
        Compression(
            minWidth: minWidth, minHeight: minHeight, inSampleSize: inSampleSize, quality: 95, rotate: rotate,
            autoCorrectionAngle: autoCorrectionAngle, format: .jpeg, keepExif: false, numberOfRetries: 5,
            limits: Limits())
    }

    private func size(
        _ width: Int, _ height: Int, _ compression: Compression, orientation: Orientation = .identity
    ) throws -> PixelSize {
        var info = ImageInfo(
            format: .jpeg, size: PixelSize(width: width, height: height), colorModel: .rgb, bitDepth: 8,
            hasAlpha: false,
            coding: "")
        info.orientation = orientation
        let sampleSize = compression.inSampleSize.roundedDownToPowerOfTwo
        let recipe = compression.recipe(sampleSize: sampleSize, of: compression.scaledSize(of: info))
        return try Planner.plan(recipe, for: info, to: .file(.jpeg)).outputSize
    }

    @Test(arguments: [
        // Pull request 385 of the plugin.
        (4032, 3024, 1920, 1920, 2560, 1920),
        // The plugin's readme.
        (4000, 2000, 1920, 1080, 2160, 1080),
        (4032, 3024, 1920, 1080, 1920, 1440), (3024, 4032, 1920, 1080, 1920, 2560),
        // One side is already small enough.
        (5000, 1080, 1920, 1080, 5000, 1080), (1920, 9999, 1920, 1080, 1920, 9999), (640, 480, 1920, 1080, 640, 480),
        // Truncated: 1999 / (1333 / 1000) is 1499.6.
        (1999, 1333, 1000, 1000, 1499, 1000),
        // A minimum of 0 has no effect.
        (4000, 2000, 0, 1000, 2000, 1000), (4000, 2000, 1000, 0, 1000, 500), (4000, 2000, 0, 0, 4000, 2000),
        (1, 1, 1, 1, 1, 1), (65_500, 2, 1, 1, 32_750, 1),
    ])
    func sizesEqualThoseOfThePlugin(
        width: Int, height: Int, minWidth: Int, minHeight: Int, newWidth: Int, newHeight: Int
    ) throws {
        #expect(
            try size(width, height, compression(minWidth, minHeight)) == PixelSize(width: newWidth, height: newHeight))
    }

    @Test func negativeMinimaAreRefused() {
        for (minWidth, minHeight) in [(-1, 10), (10, -1), (-3, 0)] {
            for inSampleSize in [1, 4] {
                #expect(throws: TexelError.self) {
                    try size(100, 100, compression(minWidth, minHeight, inSampleSize: inSampleSize))
                }
            }
        }
    }

    /// Both sides reach the minima, one of them exactly, or nothing is scaled. Never enlarged; the aspect ratio is kept
    /// within a pixel.
    @Test func minimaHoldForAnyImage() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            let (width, height) = (
                Int.random(in: 1...9000, using: &generator), Int.random(in: 1...9000, using: &generator)
            )
            let (minWidth, minHeight) = (
                Int.random(in: 1...3000, using: &generator), Int.random(in: 1...3000, using: &generator)
            )
            let new = try size(width, height, compression(minWidth, minHeight))
            if width <= minWidth || height <= minHeight {
                #expect(new == PixelSize(width: width, height: height))
                continue
            }
            #expect(new.width >= minWidth && new.height >= minHeight)
            #expect(new.width == minWidth || new.height == minHeight)
            #expect(new.width <= width && new.height <= height)
            #expect(abs(new.width * height - new.height * width) <= max(width, height))
        }
    }

    /// The minima apply to the upright image, or to the stored one if the orientation is not applied.
    @Test(arguments: Orientation.allCases) func minimaLieAsTheImageDoes(orientation: Orientation) throws {
        let upright = try size(4000, 2000, compression(1000, 100), orientation: orientation)
        #expect(
            upright
                == (orientation.swapsSides ? PixelSize(width: 1000, height: 2000) : PixelSize(width: 1000, height: 500))
        )
        let stored = try size(4000, 2000, compression(1000, 100, autoCorrectionAngle: false), orientation: orientation)
        #expect(stored == PixelSize(width: 1000, height: 500))
        // The divisor of the minima, and so the effect of the sample size, depends on the orientation as well.
        let sampled = try size(4000, 2000, compression(1000, 100, inSampleSize: 4), orientation: orientation)
        #expect(
            sampled
                == (orientation.swapsSides ? PixelSize(width: 500, height: 1000) : PixelSize(width: 1000, height: 500)))
    }

    // MARK: Turns

    /// The minima apply before the rotation; the result is the bounding box of the rotated image.
    @Test(arguments: [0, 1, 30, 45, 89.5, 90, 135, 180, 200, 270, 360, -45, -90, 450, 725])
    func minimaApplyBeforeTheRotation(degrees: Double) throws {
        let new = try size(4000, 2000, compression(1000, 100, rotate: degrees))
        #expect(new == PixelSize(width: 1000, height: 500).box(turnedBy: degrees))
    }

    @Test func anglesThatAreNone() {
        for degrees in [Double.nan, .infinity] {
            #expect(throws: TexelError.self) { try size(40, 20, compression(rotate: degrees)) }
        }
    }

    // MARK: Sample sizes

    @Test func sampleSizesAreRoundedDown() {
        let expected = [
            (Int.min, 1), (-4, 1), (0, 1), (1, 1), (2, 2), (3, 2), (4, 4), (7, 4), (8, 8), (1000, 512),
            (.max, 1 << 62),
        ]
        for (asked, used) in expected { #expect(asked.roundedDownToPowerOfTwo == used) }
    }

    @Test(arguments: [
        // Even below the minima.
        (4000, 3000, 1920, 1080, 4, 1000, 750), (4000, 3000, 1920, 1080, 7, 1000, 750),
        (640, 480, 1920, 1080, 2, 320, 240),
        // The minima divide by more.
        (4032, 3024, 1920, 1080, 2, 1920, 1440), (8000, 8000, 100, 100, 16, 100, 100),
        // Rounded to nearest.
        (101, 53, 1920, 1080, 2, 51, 27),
        (640, 480, 0, 0, 2, 320, 240), (640, 480, 100, 0, 2, 100, 75), (3, 2, 1, 1, 1 << 40, 1, 1),
    ])
    func sampleSizeDividesTheSides(
        width: Int, height: Int, minWidth: Int, minHeight: Int, inSampleSize: Int, newWidth: Int, newHeight: Int
    ) throws {
        let new = try size(width, height, compression(minWidth, minHeight, inSampleSize: inSampleSize))
        #expect(new == PixelSize(width: newWidth, height: newHeight))
    }

    /// Equals decoding at 1/n and then scaling to the minima, within a pixel; n never enlarges.
    @Test func sampleSizesHoldForAnyImage() throws {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<2000 {
            let (width, height) = (
                Int.random(in: 64...9000, using: &generator), Int.random(in: 64...9000, using: &generator)
            )
            let (minWidth, minHeight) = (
                Int.random(in: 1...3000, using: &generator), Int.random(in: 1...3000, using: &generator)
            )
            let n = 1 << Int.random(in: 1...4, using: &generator)
            let new = try size(width, height, compression(minWidth, minHeight, inSampleSize: n))
            #expect(new.width <= (width + n - 1) / n && new.height <= (height + n - 1) / n)
            let scale = max(1, min(Double(width) / Double(n * minWidth), Double(height) / Double(n * minHeight)))
            #expect(abs(Double(new.width) - Double(width) / Double(n) / scale) <= 1)
            #expect(abs(Double(new.height) - Double(height) / Double(n) / scale) <= 1)
        }
    }

    @Test func nextSampleSizesMakeTheResultSmaller() {
        let size = PixelSize(width: 4000, height: 3000)
        #expect(compression().sampleSize(after: 1, of: size) == 4)
        #expect(compression().sampleSize(after: 4, of: size) == 8)
        // The minima divide by 30.
        #expect(compression(100, 100).sampleSize(after: 1, of: size) == 32)
        #expect(compression().sampleSize(after: 1024, of: size) == 2048)
        #expect(compression().sampleSize(after: 2048, of: size) == nil)
        #expect(compression().sampleSize(after: 1, of: PixelSize(width: 1, height: 1)) == nil)
    }
}
