import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelOperations

@Suite struct ExtendTests {
    private static let alphaModes = [AlphaMode.opaque, .straight, .premultiplied]
    private static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 5, height: 1), PixelSize(width: 1, height: 4),
        PixelSize(width: 13, height: 8),
    ]

    /// Each added pixel is the one of the image that the definition names; the image is where it was.
    @Test(arguments: sizes, alphaModes) func addedPixelsRepeatTheImage(size: PixelSize, alphaMode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: size.width, height: size.height, alphaMode: alphaMode, seed: 12)
        /// The index that a list of pixels shows, step by step from inside.
        func walk(_ index: Int, _ count: Int, _ fill: ExtendOptions.Fill) -> Int {
            var (place, direction) = (0, 1)
            for _ in 0..<abs(index < 0 ? index + 1 : index) where fill == .mirror {
                if place + direction == count || place + direction < 0 {
                    direction = -direction
                } else {
                    place += direction
                }
            }
            switch fill {
            case .edge: return index < 0 ? 0 : min(index, count - 1)
            case .mirror: return place
            default: return ((index % count) + count) % count
            }
        }
        for fill in [ExtendOptions.Fill.edge, .mirror, .wrap] {
            for (top, left, bottom, right) in [(0, 3, 0, 0), (2, 0, 1, 7), (30, 31, 33, 40)] {
                let options = ExtendOptions(top: top, left: left, bottom: bottom, right: right, fill: fill)
                let result = try OverlayTests.apply(.extend(options), to: image)
                let expected = try PixelBuffer.make(
                    width: left + size.width + right, height: top + size.height + bottom, alphaMode: alphaMode
                ) { x, y in image[walk(x - left, size.width, fill), walk(y - top, size.height, fill)] }
                #expect(result == expected && result.alphaMode == alphaMode, "\(fill) \(left)")
            }
        }
    }

    @Test func bordersArePadding() throws {
        let image = try PixelBuffer.random(width: 6, height: 4, seed: 13)
        let color = PixelColor(red: 1, green: 2, blue: 3, alpha: 4)
        let place = PixelRectangle(x: 3, y: 3, width: 6, height: 4)
        #expect(
            try OverlayTests.apply(.border(width: 3, color: color), to: image)
                == image.padded(to: PixelSize(width: 12, height: 10), at: place, background: color))
    }

    @Test(arguments: alphaModes) func backgroundIsTheEnlargedBlurredImage(alphaMode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: 30, height: 21, alphaMode: alphaMode, seed: 14)
        for sigma in [0, 2, 9.0] {
            let options = ExtendOptions(left: 20, right: 11, fill: .blurredBackground(sigma: sigma))
            let result = try OverlayTests.apply(.extend(options), to: image)
            #expect(result.size == PixelSize(width: 61, height: 21) && result.alphaMode == alphaMode)
            let place = PixelRectangle(x: 20, y: 0, width: 30, height: 21)
            #expect(try result.cropped(to: place) == image)
            // Around it is the enlarged image: 61 / 30 times, of which the middle rows are shown.
            let rows = 21.0 * 30 / 61
            let region = FractionalRectangle(x: 0, y: (21 - rows) / 2, width: 30, height: rows)
            let enlarged = try image.resized(from: region, to: result.size, filter: .bilinear)
            let expected = try OverlayTests.apply(.blur(sigma: sigma), to: enlarged)
            for part in [
                PixelRectangle(x: 0, y: 0, width: 20, height: 21), PixelRectangle(x: 50, y: 0, width: 11, height: 21),
            ] {
                #expect(try result.cropped(to: part) == expected.cropped(to: part), "\(sigma)")
            }
        }
    }

    @Test func constantsStay() throws {
        let image = try PixelBuffer(width: 7, height: 5, filledWith: 0xFF12_3456, alphaMode: .opaque)
        for fill in [ExtendOptions.Fill.edge, .mirror, .wrap, .blurredBackground(sigma: 3)] {
            let options = ExtendOptions(top: 4, left: 1, bottom: 0, right: 9, fill: fill)
            let expected = try PixelBuffer(width: 17, height: 9, filledWith: 0xFF12_3456, alphaMode: .opaque)
            #expect(try OverlayTests.apply(.extend(options), to: image) == expected)
        }
    }

    @Test func emptyExtensionsDoNothingAndInvalidOnesThrow() throws {
        let size = PixelSize(width: 4, height: 4)
        for fill in [ExtendOptions.Fill.color(.white), .edge, .blurredBackground(sigma: 4)] {
            #expect(try ExtendOptions(fill: fill).steps(for: size, background: .white).isEmpty)
        }
        for options in [
            ExtendOptions(top: -1, fill: .edge), ExtendOptions(left: 100_001, fill: .wrap),
            ExtendOptions(bottom: .min, fill: .mirror), ExtendOptions(right: .max, fill: .color(.white)),
            ExtendOptions(top: 1, fill: .blurredBackground(sigma: .nan)),
            ExtendOptions(top: 1, fill: .blurredBackground(sigma: -1)),
            ExtendOptions(top: 1, fill: .blurredBackground(sigma: 1001)),
        ] {
            #expect(throws: TexelError.self) { try options.steps(for: size, background: .white) }
        }
    }
}
