import TestSupport
import Testing
import TexelPixels

@Suite struct PixelBufferTests {
    @Test func pixelsComeBackAsTheyWentIn() throws {
        var generator = SeededGenerator(seed: 1)
        let pixels = (0..<(7 * 3)).map { _ in UInt32.random(in: 0 ... .max, using: &generator) }
        let buffer = try PixelBuffer(width: 7, height: 3, pixels: pixels)
        #expect(buffer.pixels == pixels)
        #expect(buffer[6, 2] == pixels[20])
        #expect(buffer.span[20] == pixels[20])
        #expect(buffer.row(1)[0] == pixels[7])
    }
}
