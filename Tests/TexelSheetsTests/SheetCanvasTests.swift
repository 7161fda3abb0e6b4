import TestSupport
import Testing
import TexelPixels

@testable import TexelSheets

/// Drawing on a page.
@Suite struct SheetCanvasTests {
    private let size = PixelSize(width: 12, height: 10)

    @Test func imagesLieInTheMiddleAndKeepTheirPixels() throws {
        let image = try PixelBuffer.random(width: 4, height: 3)
        var canvas = try SheetCanvas(size, background: .white)
        let place = try canvas.draw(image, in: PixelRectangle(x: 2, y: 1, width: 8, height: 8))
        #expect(place == PixelRectangle(x: 4, y: 3, width: 4, height: 3))
        let page = canvas.image()
        let part = try page.cropped(to: place)
        #expect(page.isOpaque && part.pixels == image.pixels)
        #expect(page.pixels.count { $0 == 0xFFFF_FFFF } == 12 * 10 - 12)
    }

    @Test func transparencyIsLaidOnTheBackground() throws {
        let image = try PixelBuffer.random(width: 6, height: 5, alphaMode: .straight, seed: 3)
        let gray = PixelColor(red: 40, green: 41, blue: 42)
        var canvas = try SheetCanvas(PixelSize(width: 6, height: 5), background: gray)
        _ = try canvas.draw(image, in: PixelRectangle(x: 0, y: 0, width: 6, height: 5))
        let expected = try image.flattened(on: gray).pixels
        for (drawn, wanted) in zip(canvas.image().pixels, expected) {
            for shift: UInt32 in [0, 8, 16, 24] {
                let (a, b) = (Int(drawn >> shift & 255), Int(wanted >> shift & 255))
                // Premultiplying rounds once more.
                #expect(abs(a - b) <= 1)
            }
        }
    }

    @Test func transparentPagesStayTransparent() throws {
        var canvas = try SheetCanvas(size, background: .transparent)
        canvas.fill(PixelRectangle(x: 1, y: 1, width: 1, height: 1), PixelColor(red: 255, green: 0, blue: 0))
        let page = canvas.image()
        #expect(page[0, 0] == 0 && page[1, 1] == 0xFFFF_0000)
    }

    @Test func whatLeavesThePageIsCutOff() throws {
        var canvas = try SheetCanvas(size, background: .white)
        let places = [(-3, -2), (10, 8), (-100, 3), (3, 100), (0, 9)]
        for (x, y) in places { canvas.fill(PixelRectangle(x: x, y: y, width: 5, height: 5), .black) }
        let page = canvas.image()
        for y in 0..<10 {
            for x in 0..<12 {
                let isCovered = places.contains { ($0.0..<$0.0 + 5).contains(x) && ($0.1..<$0.1 + 5).contains(y) }
                #expect(page[x, y] == (isCovered ? 0xFF00_0000 : 0xFFFF_FFFF), "\(x), \(y)")
            }
        }
    }

    @Test func framesSurroundTheirRectangle() throws {
        var canvas = try SheetCanvas(size, background: .white)
        let inner = PixelRectangle(x: 4, y: 4, width: 3, height: 2)
        canvas.stroke(inner, SheetStyle.Frame(width: 2, color: .black))
        let page = canvas.image()
        #expect(page.pixels.count { $0 == 0xFF00_0000 } == 7 * 6 - 3 * 2)
        #expect(page[4, 4] == 0xFFFF_FFFF && page[2, 2] == 0xFF00_0000 && page[8, 7] == 0xFF00_0000)
    }
}
