import TestSupport
import Testing

@testable import TexelPixels

/// The rectangle in which two images differ.
@Suite struct ChangedRectangleTests {
    @Test func equalImagesHaveNone() throws {
        let image = try PixelBuffer.random(width: 9, height: 5, alphaMode: .straight)
        #expect(image.changedRectangle(since: image) == nil)
    }

    /// One or two changed pixels anywhere: the rectangle is their bounding box.
    @Test func boundsOfChanges() throws {
        var generator = SeededGenerator(seed: 4)
        let image = try PixelBuffer.random(width: 13, height: 11)
        for _ in 0..<300 {
            let places = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (x: Int.random(in: 0..<13, using: &generator), y: Int.random(in: 0..<11, using: &generator))
            }
            var pixels = image.pixels
            for place in places { pixels[place.y * 13 + place.x] = image[place.x, place.y] ^ 1 }
            let changed = try PixelBuffer(width: 13, height: 11, pixels: pixels)
            let (xs, ys) = (places.map(\.x), places.map(\.y))
            let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
            let expected = PixelRectangle(
                x: left, y: top, width: (xs.max() ?? 0) - left + 1, height: (ys.max() ?? 0) - top + 1)
            #expect(changed.changedRectangle(since: image) == expected)
        }
    }
}
