import TestSupport
import Testing

@testable import TexelPixels

/// Which frames of a video are too dark to stand for it.
@Suite struct BlackFrameTests {
    /// An image of 100 × 100 black pixels, of which `count` have another value.
    private func isBlack(_ count: Int, of pixel: UInt32, _ alphaMode: AlphaMode = .opaque) throws -> Bool {
        try PixelBuffer.make(width: 100, height: 100, alphaMode: alphaMode) { x, y in
            y * 100 + x < count ? pixel : 0xFF00_0000
        }.isPracticallyBlack()
    }

    @Test func blackFramesAreFoundUpToTheLimits() throws {
        #expect(try isBlack(0, of: 0))
        #expect(try isBlack(10_000, of: 0xFF1F_1F1F))
        #expect(try !isBlack(10_000, of: 0xFF20_2020))
        #expect(try isBlack(200, of: 0xFFFF_FFFF))
        #expect(try !isBlack(201, of: 0xFFFF_FFFF))
        // Luma counts: blue is darker than green.
        #expect(try isBlack(10_000, of: 0xFF00_00FF))
        #expect(try !isBlack(10_000, of: 0xFF00_4000))
    }

    /// The same for any number of threads, with noise, and for sizes below the width of a vector.
    @Test(arguments: [
        PixelSize(width: 1, height: 1), PixelSize(width: 37, height: 23), PixelSize(width: 640, height: 360),
    ])
    func noisyDarkFramesAreBlackWithAnyNumberOfThreads(size: PixelSize) throws {
        var generator = SeededGenerator(seed: 7)
        let dark = try PixelBuffer.make(width: size.width, height: size.height) { _, _ in
            0xFF00_0000 | UInt32.random(in: 0..<30, using: &generator) * 0x01_0101
        }
        for threads in [1, 3] { #expect(try dark.isPracticallyBlack(threads: threads)) }
        let random = try PixelBuffer.random(width: 37, height: 23)
        for threads in [1, 3] { #expect(try !random.isPracticallyBlack(threads: threads)) }
    }

    /// A film of 2.39:1 in a frame of 16:9 has bars of 12.8 % of the rows at the top and the bottom.
    @Test func barsDoNotMakeAFrameBlack() throws {
        func film(_ pixel: UInt32) throws -> PixelBuffer {
            try PixelBuffer.make(width: 640, height: 360) { _, y in 46..<314 ~= y ? pixel : 0xFF00_0000 }
        }
        #expect(try !film(0xFF28_2828).isPracticallyBlack())
        #expect(try film(0xFF10_1010).isPracticallyBlack())
    }

    /// Transparent pixels show nothing, whatever their colour is.
    @Test(arguments: [AlphaMode.straight, .premultiplied]) func transparentPixelsAreBlack(alphaMode: AlphaMode) throws {
        #expect(try isBlack(10_000, of: alphaMode == .straight ? 0x00FF_FFFF : 0, alphaMode))
        #expect(try !isBlack(10_000, of: 0xFFFF_FFFF, alphaMode))
        #expect(try !isBlack(10_000, of: 0x8080_8080, alphaMode))
    }
}
