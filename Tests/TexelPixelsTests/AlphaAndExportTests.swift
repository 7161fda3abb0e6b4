import TestSupport
import Testing
import TexelPixels

@Suite struct AlphaTests {
    @Test func premultiplyingRoundsAndKeepsAlpha() throws {
        let image = try PixelBuffer(width: 3, height: 1, pixels: [0x80FF_8001, 0x00FF_FFFF, 0xFF12_3456])
        let result = try image.premultiplied()
        #expect(result.alphaMode == .premultiplied)
        #expect(result.pixels == [0x8080_4001, 0x0000_0000, 0xFF12_3456])
        #expect(try result.unpremultiplied().pixels == [0x80FF_8002, 0x0000_0000, 0xFF12_3456])
    }

    /// Every colour with every alpha, against the formulas in the doc comments; in rows of one pixel, and in long rows.
    @Test(arguments: [1, 256, 65_536]) func allColorsUnderAllAlphas(width: Int) throws {
        func pixel(_ color: Int, _ alpha: Int) -> UInt32 { UInt32(alpha) << 24 | UInt32(color) &* 0x1_0101 }
        func expect(_ found: [UInt32], _ value: (_ color: Int, _ alpha: Int) -> Int) {
            let wrong = (0..<65_536).filter { index in
                let (color, alpha) = (index & 255, index >> 8)
                return found[index] != pixel(value(color, alpha), alpha)
            }
            #expect(wrong == [])
        }
        let pixels = (0..<65_536).map { pixel($0 & 255, $0 >> 8) }
        let straight = try PixelBuffer(width: width, height: 65_536 / width, pixels: pixels, alphaMode: .straight)
        expect(try straight.premultiplied().pixels) { ($0 * $1 + 127) / 255 }
        let premultiplied = try PixelBuffer(
            width: width, height: 65_536 / width, pixels: pixels, alphaMode: .premultiplied)
        expect(try premultiplied.unpremultiplied().pixels) { $1 == 0 ? 0 : min(255, ($0 * 255 + $1 / 2) / $1) }
        var changed = straight
        changed.premultiply()
        #expect(changed.pixels == (try straight.premultiplied().pixels))
        changed = premultiplied
        changed.unpremultiply()
        #expect(changed.pixels == (try premultiplied.unpremultiplied().pixels))
    }

    @Test func premultipliedPixelsComeBackExactly() throws {
        // Premultiplied to straight and back loses nothing. Straight to premultiplied and back does, for small alphas.
        let image = try PixelBuffer.random(width: 257, height: 19, alphaMode: .premultiplied)
        #expect(try image.unpremultiplied().premultiplied() == image)
        let straight = try PixelBuffer.make(width: 256, height: 1, alphaMode: .straight) { x, _ in
            0xFF00_0000 | UInt32(x) << 16 | UInt32(255 - x)
        }
        #expect(try straight.premultiplied().unpremultiplied() == straight)
    }

    @Test func theMutatingFormsDoTheSameAndLeaveCopiesAlone() throws {
        let image = try PixelBuffer.random(width: 21, height: 8, alphaMode: .straight)
        let part = try image.cropped(to: PixelRectangle(x: 3, y: 2, width: 11, height: 5))
        var changed = part
        changed.premultiply()
        #expect(changed == (try part.premultiplied()))
        #expect(part.alphaMode == .straight && part.pixels != changed.pixels)
        let premultiplied = changed
        changed.unpremultiply()
        #expect(changed == (try premultiplied.unpremultiplied()))
        changed.unpremultiply()
        #expect(changed == (try premultiplied.unpremultiplied()))
    }

    @Test func opaqueImagesStayAsTheyAre() throws {
        let image = try PixelBuffer.random(width: 5, height: 4)
        #expect(try image.premultiplied() == image)
        #expect(try image.unpremultiplied() == image)
        #expect(try image.flattened(on: .black) == image)
    }

    @Test func opacityIsFoundInThePixels() throws {
        var image = try PixelBuffer(width: 9, height: 7, filledWith: 0xFF00_0000)
        #expect(image.isOpaque)
        image[8, 6] = 0xFE00_0000
        #expect(!image.isOpaque)
        #expect(try image.cropped(to: PixelRectangle(x: 0, y: 0, width: 8, height: 7)).isOpaque)
    }

    @Test func flatteningRoundsExactly() throws {
        let background = PixelColor(red: 200, green: 100, blue: 0, alpha: 3)
        let image = try PixelBuffer.random(width: 64, height: 64, alphaMode: .straight)
        let result = try image.flattened(on: background)
        #expect(result.alphaMode == .opaque)
        for (before, after) in zip(image.pixels, result.pixels) {
            let alpha = Int(before >> 24)
            func blended(_ shift: UInt32, _ below: UInt8) -> Int {
                (Int(before >> shift & 255) * alpha + Int(below) * (255 - alpha) + 127) / 255
            }
            #expect(after >> 24 == 255)
            #expect(Int(after >> 16 & 255) == blended(16, background.red))
            #expect(Int(after >> 8 & 255) == blended(8, background.green))
            #expect(Int(after & 255) == blended(0, background.blue))
        }
        expectPixelsEqual(try image.premultiplied().flattened(on: background), result, tolerance: 1)
    }

    @Test(arguments: [AlphaMode.straight, .premultiplied, .opaque]) func flatteningInPlace(mode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: 33, height: 9, alphaMode: mode)
        let background = PixelColor(red: 9, green: 90, blue: 250)
        let cut = PixelRectangle(x: 3, y: 2, width: 17, height: 6)
        for whole in [image, try image.cropped(to: cut)] {
            var flat = whole
            flat.flatten(on: background)
            #expect(try flat == whole.flattened(on: background))
            #expect(flat.alphaMode == .opaque)
            #expect(whole.alphaMode == mode)
        }
        // Buffers that share the memory keep their pixels.
        #expect(try image == PixelBuffer.random(width: 33, height: 9, alphaMode: mode))
    }
}

@Suite struct ExportTests {
    @Test func ordersLieAsTheirNamesSay() throws {
        let image = try PixelBuffer(width: 2, height: 1, pixels: [0x0102_0304, 0xA1B2_C3D4])
        #expect(image.bytes(in: .rgba) == [2, 3, 4, 1, 0xB2, 0xC3, 0xD4, 0xA1])
        #expect(image.bytes(in: .argb) == [1, 2, 3, 4, 0xA1, 0xB2, 0xC3, 0xD4])
        #expect(image.bytes(in: .bgra) == [4, 3, 2, 1, 0xD4, 0xC3, 0xB2, 0xA1])
        #expect(image.bytes(in: .abgr) == [1, 4, 3, 2, 0xA1, 0xD4, 0xC3, 0xB2])
        #expect(image.bytes(in: .rgb) == [2, 3, 4, 0xB2, 0xC3, 0xD4])
        #expect(image.bytes(in: .bgr) == [4, 3, 2, 0xD4, 0xC3, 0xB2])
    }

    @Test func grayIsLuma() throws {
        let image = try PixelBuffer(
            width: 5, height: 1, pixels: [0xFF00_0000, 0xFFFF_FFFF, 0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF])
        #expect(image.bytes(in: .gray) == [0, 255, 76, 150, 29])
    }

    @Test func paddingIsNotExported() throws {
        let image = try PixelBuffer.random(width: 9, height: 9, alphaMode: .straight)
        let part = try image.cropped(to: PixelRectangle(x: 2, y: 3, width: 4, height: 5))
        for order in ChannelOrder.allCases {
            #expect(part.bytes(in: order).count == 20 * order.bytesPerPixel)
        }
        let bytes = part.bytes(in: .bgra)
        #expect(bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) } == part.pixels)
    }
}
