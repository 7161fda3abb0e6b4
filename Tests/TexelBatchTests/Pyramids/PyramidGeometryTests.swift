import TestSupport
import Testing
import TexelPixels

@testable import TexelPyramids

/// The sizes of levels, and which pixels tiles show.
@Suite struct PyramidGeometryTests {
    private static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 2, height: 1), PixelSize(width: 3, height: 7),
        PixelSize(width: 64, height: 64), PixelSize(width: 65, height: 33), PixelSize(width: 1, height: 100),
        PixelSize(width: 127, height: 200), PixelSize(width: 1021, height: 4),
    ]

    @Test(arguments: sizes) func levelsAreHalvesRoundedUp(size: PixelSize) {
        let geometry = PyramidGeometry(of: size, tileSize: 16, overlap: 1, depth: .onePixel)
        #expect(geometry.levels[0] == size && geometry.levels.last == PixelSize(width: 1, height: 1))
        for (index, level) in geometry.levels.enumerated() {
            let divisor = 1 << index
            #expect(level.width == (size.width + divisor - 1) / divisor)
            #expect(level.height == (size.height + divisor - 1) / divisor)
        }
        // One pixel appears only once, as the number of levels says: the logarithm of the longer side, rounded up.
        #expect(geometry.levels.filter { $0 == PixelSize(width: 1, height: 1) }.count == 1)
        #expect(1 << (geometry.levels.count - 1) >= max(size.width, size.height))
    }

    @Test(arguments: sizes) func levelsEndWithOneTile(size: PixelSize) {
        let geometry = PyramidGeometry(of: size, tileSize: 16, overlap: 0, depth: .oneTile)
        for level in geometry.levels.indices {
            #expect(
                (geometry.grid(ofLevel: level) == PixelSize(width: 1, height: 1))
                    == (level == geometry.levels.count - 1))
        }
    }

    /// Without their overlap, tiles cover each pixel once; with it, they reach as far into their neighbours.
    @Test(arguments: sizes, [(1, 0), (4, 3), (16, 0), (16, 1), (30, 7), (2000, 1)])
    func tilesCoverLevels(size: PixelSize, tiles: (size: Int, overlap: Int)) {
        let geometry = PyramidGeometry(of: size, tileSize: tiles.size, overlap: tiles.overlap, depth: .onePixel)
        var count = 0
        for (level, size) in geometry.levels.enumerated() {
            let grid = geometry.grid(ofLevel: level)
            count += grid.width * grid.height
            for (length, tileCount, range) in [
                (size.width, grid.width, { geometry.columns($0, level: level) }),
                (size.height, grid.height, { geometry.rows($0, level: level) }),
            ] {
                for index in 0..<tileCount {
                    let (start, end) = (index * tiles.size, min((index + 1) * tiles.size, length))
                    #expect(start < end)
                    #expect(range(index).lowerBound == max(0, start - tiles.overlap))
                    #expect(range(index).upperBound == min(length, (index + 1) * tiles.size + tiles.overlap))
                }
                #expect(range(0).lowerBound == 0 && range(tileCount - 1).upperBound == length)
            }
            let last = geometry.rectangle(column: grid.width - 1, row: grid.height - 1, level: level)
            #expect(last.isInside(size) && last.x + last.width == size.width && last.y + last.height == size.height)
        }
        #expect(geometry.tileCount == count)
    }
}
