import TestSupport
import Testing

@testable import TexelPixels

/// The rectangle that is left when borders of one colour are cut off.
@Suite struct TrimTests {
    private static let alphaModes: [AlphaMode] = [.opaque, .straight, .premultiplied]

    /// Compares every pixel by itself.
    private static func reference(
        _ image: PixelBuffer, _ background: PixelColor?, _ tolerance: UInt8
    ) throws -> PixelRectangle? {
        let image = try image.premultiplied()
        let center = background?.premultipliedPixel ?? image[0, 0]
        var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
        for y in 0..<image.height {
            for x in 0..<image.width {
                let pixel = image[x, y]
                let differs = [0, 8, 16, 24].contains { (shift: UInt32) -> Bool in
                    let difference = Int(pixel >> shift & 255) - Int(center >> shift & 255)
                    return abs(difference) > Int(tolerance)
                }
                guard differs else { continue }
                (left, top) = (min(left, x), min(top, y))
                (right, bottom) = (max(right, x), max(bottom, y))
            }
        }
        return right < 0 ? nil : PixelRectangle(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    /// A few spots on a background with some noise.
    private static func image(
        _ size: PixelSize, _ alphaMode: AlphaMode, _ background: UInt32, noise: UInt32,
        _ generator: inout SeededGenerator
    ) throws -> PixelBuffer {
        var pixels = (0..<size.width * size.height).map { _ in
            background ^ UInt32.random(in: 0...noise, using: &generator) ^ UInt32.random(
                in: 0...noise, using: &generator) << 8
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            pixels[Int.random(in: 0..<pixels.count, using: &generator)] = UInt32.random(
                in: 0 ... .max, using: &generator)
        }
        if alphaMode == .opaque { pixels = pixels.map { $0 | 0xFF00_0000 } }
        let stored: AlphaMode = alphaMode == .opaque ? .opaque : .straight
        let image = try PixelBuffer(width: size.width, height: size.height, pixels: pixels, alphaMode: stored)
        return alphaMode == .premultiplied ? try image.premultiplied() : image
    }

    /// The rectangle is the bounding box of the pixels that differ, with any background, tolerance and alpha mode.
    @Test(arguments: alphaModes) func boundsOfContent(alphaMode: AlphaMode) throws {
        var generator = SeededGenerator(seed: 7)
        var counts = (none: 0, part: 0, all: 0)
        for _ in 0..<600 {
            let size = PixelSize(
                width: Int.random(in: 1...19, using: &generator), height: Int.random(in: 1...17, using: &generator))
            let color = UInt32.random(in: 0 ... .max, using: &generator)
            let noises: [UInt32] = [0, 3, 15]
            let noise = noises.randomElement(using: &generator) ?? 0
            let image = try Self.image(size, alphaMode, color, noise: noise, &generator)
            let tolerances: [UInt8] = [0, 2, 10, 15, 60, 200, 255]
            let tolerance = tolerances.randomElement(using: &generator) ?? 0
            let own = PixelColor(
                red: UInt8(color >> 16 & 255), green: UInt8(color >> 8 & 255), blue: UInt8(color & 255),
                alpha: alphaMode == .opaque ? 255 : UInt8(color >> 24))
            let backgrounds: [PixelColor?] = [nil, .white, .transparent, own]
            for background in backgrounds {
                let found = image.contentRectangle(background: background, tolerance: tolerance)
                #expect(
                    try found == Self.reference(image, background, tolerance),
                    "\(size) \(tolerance) \(background.map { "\($0)" } ?? "corner")")
                switch found?.size {
                case nil: counts.none += 1
                case size: counts.all += 1
                default: counts.part += 1
                }
                let trimmed = image.trimmed(background: background, tolerance: tolerance)
                #expect(try trimmed == found.map { try image.cropped(to: $0) } ?? image)
                // Another trim with the same background finds nothing more.
                if let background, found != nil {
                    #expect(trimmed.trimmed(background: background, tolerance: tolerance).size == trimmed.size)
                }
            }
        }
        #expect(counts.none > 50 && counts.part > 50 && counts.all > 50)
    }

    /// Padding between rows is not part of the image.
    @Test func partsOfImages() throws {
        let image = try PixelBuffer.make(width: 20, height: 15) { x, y in
            (4..<9).contains(x) && (5..<7).contains(y) ? 0xFF00_0000 : x < 2 || x > 17 ? 0xFF00_FF00 : 0xFFFF_FFFF
        }
        let part = try image.cropped(to: PixelRectangle(x: 2, y: 1, width: 16, height: 14))
        #expect(part.contentRectangle() == PixelRectangle(x: 2, y: 4, width: 5, height: 2))
        #expect(image.contentRectangle()?.size == PixelSize(width: 16, height: 15))
    }

    /// The colours of transparent pixels are not visible, so they do not count.
    @Test func colorsOfTransparentPixelsDoNotCount() throws {
        let image = try PixelBuffer.make(width: 9, height: 7, alphaMode: .straight) { x, y in
            x == 3 && y == 2 ? 0x8012_3456 : UInt32(x * 20 + y * 4000)
        }
        let point = PixelRectangle(x: 3, y: 2, width: 1, height: 1)
        #expect(image.contentRectangle(tolerance: 0) == point)
        #expect(image.contentRectangle(background: PixelColor(red: 255, green: 9, blue: 0, alpha: 0)) == point)
        // A transparent border differs from an opaque one of the same colour.
        #expect(image.contentRectangle(background: .black)?.size == image.size)
        // The alpha of 0x80 is within this tolerance.
        #expect(image.contentRectangle(tolerance: 128) == nil)
    }

    /// The tolerance itself is still background.
    @Test(arguments: [0, 8, 16]) func pixelsAtTheToleranceAreBackground(shift: UInt32) throws {
        let image = try PixelBuffer.make(width: 5, height: 5) { x, y in
            0xFF64_6464 &+ (x == 2 && y == 3 ? UInt32(10) << shift : 0)
        }
        #expect(image.contentRectangle() == nil && image.trimmed() == image)
        #expect(image.contentRectangle(tolerance: 9) == PixelRectangle(x: 2, y: 3, width: 1, height: 1))
    }

    @Test(arguments: alphaModes) func onePixelIsItsOwnBackground(alphaMode: AlphaMode) throws {
        let image = try PixelBuffer(width: 1, height: 1, filledWith: 0xFF80_4020, alphaMode: alphaMode)
        #expect(image.contentRectangle() == nil)
        #expect(image.contentRectangle(background: .white) == PixelRectangle(x: 0, y: 0, width: 1, height: 1))
    }
}
