import TestSupport
import Testing
import TexelPixels

@Suite struct OrientedTests {
    /// The displayed position of a stored pixel, taken from the EXIF table instead of the code under test.
    private func displayed(_ orientation: Orientation, x: Int, y: Int, in size: PixelSize) -> (x: Int, y: Int) {
        let (right, bottom) = (size.width - 1, size.height - 1)
        return switch orientation {
        case .identity: (x, y)
        case .flippedHorizontally: (right - x, y)
        case .rotated180: (right - x, bottom - y)
        case .flippedVertically: (x, bottom - y)
        case .transposed: (y, x)
        case .rotated90: (bottom - y, x)
        case .transversed: (bottom - y, right - x)
        case .rotated270: (y, right - x)
        }
    }

    @Test(arguments: Orientation.allCases, awkwardSizes)
    func everyPixelMovesToItsPlace(orientation: Orientation, size: PixelSize) throws {
        let image = try PixelBuffer.noise(size)
        let result = try image.oriented(orientation)
        #expect(result.size == orientation.applied(to: size))
        #expect(result.alphaMode == image.alphaMode)
        #expect(result.colorSpace == image.colorSpace)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let place = displayed(orientation, x: x, y: y, in: size)
                #expect(result[place.x, place.y] == image[x, y])
            }
        }
    }

    @Test(arguments: Orientation.allCases)
    func partOfALargerImageMovesAlike(orientation: Orientation) throws {
        let image = try PixelBuffer.noise(PixelSize(width: 40, height: 30))
        let part = try image.cropped(to: PixelRectangle(x: 5, y: 3, width: 19, height: 23))
        let copy = try PixelBuffer(width: 19, height: 23, pixels: part.pixels)
        #expect(try part.oriented(orientation) == copy.oriented(orientation))
    }

    @Test(arguments: Orientation.allCases, Orientation.allCases)
    func movesCompose(first: Orientation, second: Orientation) throws {
        let image = try PixelBuffer.noise(PixelSize(width: 5, height: 18))
        #expect(try image.oriented(first).oriented(second) == image.oriented(first.followed(by: second)))
    }

    @Test(arguments: Orientation.allCases)
    func inverseUndoesTheOrientation(orientation: Orientation) throws {
        let image = try PixelBuffer.noise(PixelSize(width: 65, height: 33))
        #expect(try image.oriented(orientation).oriented(orientation.inverse) == image)
    }

    @Test func quarterTurnsCountBothWays() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 3, height: 7))
        #expect(try image.rotated(quarterTurns: 5) == image.oriented(.rotated90))
        #expect(try image.rotated(quarterTurns: -1) == image.oriented(.rotated270))
        #expect(try image.rotated(quarterTurns: -6) == image.oriented(.rotated180))
        #expect(try image.rotated(quarterTurns: 4) == image)
        #expect(try image.rotated(quarterTurns: .min) == image)
    }

    @Test func flipsAreTheirOwnInverse() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 3, height: 7))
        #expect(try image.flippedHorizontally().flippedHorizontally() == image)
        #expect(try image.flippedVertically().flippedVertically() == image)
        #expect(try image.flippedHorizontally()[0, 0] == image[2, 0])
        #expect(try image.flippedVertically()[0, 0] == image[0, 6])
    }

    /// Planes are oriented like pixel buffers.
    @Test(arguments: Orientation.allCases) func planesAreOrientedLikePixelBuffers(orientation: Orientation) throws {
        for size in awkwardSizes + [PixelSize(width: 70, height: 41)] {
            let plane = try Plane(size)
            let image = try PixelBuffer.drawn(size) { x, y in UInt32((x * 31 + y * 7) & 255) }
            plane.withUnsafeSamples { samples in
                for y in 0..<size.height {
                    for x in 0..<size.width { samples[y * plane.bytesPerRow + x] = UInt8(image[x, y]) }
                }
            }
            let moved = try plane.oriented(orientation)
            let expected = try image.oriented(orientation)
            #expect(moved.size == expected.size)
            moved.withUnsafeSamples { samples in
                for y in 0..<moved.height {
                    let row = (0..<moved.width).map { UInt32(samples[y * moved.bytesPerRow + $0]) }
                    #expect(row == (0..<moved.width).map { expected[$0, y] }, "\(orientation) \(size) row \(y)")
                }
            }
        }
    }
}
