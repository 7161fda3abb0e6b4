import TestSupport
import Testing
import TexelPixels

@testable import TexelPyramids

/// The pixels of levels.
@Suite struct LevelCascadeTests {
    private static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 2, height: 3), PixelSize(width: 7, height: 11),
        PixelSize(width: 64, height: 32), PixelSize(width: 129, height: 65), PixelSize(width: 1, height: 90),
        PixelSize(width: 75, height: 1), PixelSize(width: 100, height: 43),
    ]

    /// Pushes an image in bands and puts the strips of each level together. Rows that several strips show must be
    /// equal.
    private func levels(
        of image: PixelBuffer, _ geometry: PyramidGeometry, bandHeight: Int
    ) throws -> [PixelBuffer] {
        var cascade = LevelCascade(of: geometry, alphaMode: image.alphaMode, colorSpace: .sRGB)
        var pixels = geometry.levels.map { [UInt32?](repeating: nil, count: $0.width * $0.height) }
        var nextRows = [Int](repeating: 0, count: geometry.levels.count)
        for y in stride(from: 0, to: image.height, by: bandHeight) {
            let band = PixelRectangle(x: 0, y: y, width: image.width, height: min(bandHeight, image.height - y))
            for strip in try cascade.push(image.cropped(to: band)) {
                #expect(strip.row == nextRows[strip.level])
                nextRows[strip.level] += 1
                let rows = geometry.rows(strip.row, level: strip.level)
                #expect(strip.image.height == rows.count && strip.image.width == geometry.levels[strip.level].width)
                let first = rows.lowerBound * strip.image.width
                for (index, pixel) in strip.image.pixels.enumerated() {
                    let known = pixels[strip.level][first + index]
                    if known != nil, known != pixel {
                        Issue.record("strip \(strip.row) of level \(strip.level) differs")
                    }
                    pixels[strip.level][first + index] = pixel
                }
            }
        }
        #expect(nextRows == geometry.levels.indices.map { geometry.grid(ofLevel: $0).height })
        return try zip(geometry.levels, pixels).map { size, pixels in
            try PixelBuffer(
                width: size.width, height: size.height, pixels: pixels.map { try #require($0) },
                alphaMode: image.alphaMode)
        }
    }

    /// Each pixel is the mean of all pixels that it stands for, rounded once, however many levels are between them. The
    /// tolerance is that of the means with 16 bits.
    @Test(arguments: sizes) func levelsAreMeansOfTheImage(size: PixelSize) throws {
        let image = try PixelBuffer.random(width: size.width, height: size.height)
        let geometry = PyramidGeometry(of: size, tileSize: 16, overlap: 1, depth: .onePixel)
        let levels = try self.levels(of: image, geometry, bandHeight: 64)
        expectPixelsEqual(levels[0], image)
        for (index, level) in levels.enumerated() {
            #expect(level.largestDifference(from: try image.blockMeans(1 << index)) <= 1, "level \(index)")
        }
    }

    /// A level is what a resize of the whole image with a box filter to its size gives, within the resize's own
    /// rounding of two passes.
    @Test func levelsAreResizedImages() throws {
        let size = PixelSize(width: 192, height: 128)
        let image = try PixelBuffer.random(width: size.width, height: size.height, seed: 3)
        let geometry = PyramidGeometry(of: size, tileSize: 50, overlap: 2, depth: .onePixel)
        // Up to the level of 3×2 pixels, both sides are divided exactly.
        for (index, level) in try levels(of: image, geometry, bandHeight: 10).enumerated().prefix(7) {
            let resized = try image.resized(to: geometry.levels[index], filter: .box)
            #expect(level.largestDifference(from: resized) <= 1, "level \(index)")
        }
    }

    /// The result depends neither on how the rows arrive nor on the tiles, and an overlap that is higher than the last
    /// strip is no exception.
    @Test(arguments: [AlphaMode.opaque, .straight]) func bandsAndTilesDoNotMatter(alphaMode: AlphaMode) throws {
        let image = try PixelBuffer.random(width: 61, height: 50, alphaMode: alphaMode)
        func geometry(_ tileSize: Int, _ overlap: Int) -> PyramidGeometry {
            PyramidGeometry(of: image.size, tileSize: tileSize, overlap: overlap, depth: .onePixel)
        }
        let expected = try levels(of: image, geometry(100, 0), bandHeight: 64)
        for (tileSize, overlap, bandHeight) in [(1, 0, 1), (7, 6, 3), (16, 1, 50), (24, 20, 7), (48, 3, 13)] {
            let levels = try self.levels(of: image, geometry(tileSize, overlap), bandHeight: bandHeight)
            #expect(levels.map(\.pixels) == expected.map(\.pixels), "\(tileSize)+\(overlap)")
        }
    }

    /// Colours count as much as their alpha, and transparent pixels become transparent black in levels that are made.
    @Test func levelsWeighColorsByAlpha() throws {
        let image = try PixelBuffer.random(width: 37, height: 22, alphaMode: .straight, seed: 5)
        let geometry = PyramidGeometry(of: image.size, tileSize: 16, overlap: 1, depth: .onePixel)
        let levels = try self.levels(of: image, geometry, bandHeight: 5)
        expectPixelsEqual(levels[0], image)
        for (index, level) in levels.enumerated().dropFirst() {
            let side = 1 << index
            for y in 0..<level.height {
                for x in 0..<level.width {
                    var (sums, count) = ([0.0, 0, 0, 0], 0.0)
                    for v in y * side..<min(image.height, (y + 1) * side) {
                        for u in x * side..<min(image.width, (x + 1) * side) {
                            let channels = image.channels(u, v).map(Double.init)
                            for (channel, value) in channels.prefix(3).enumerated() {
                                sums[channel] += value * channels[3]
                            }
                            sums[3] += channels[3]
                            count += 1
                        }
                    }
                    let result = level.channels(x, y).map(Double.init)
                    #expect(abs(result[3] - sums[3] / count) <= 1)
                    for channel in 0..<3 { #expect(abs(result[channel] - sums[channel] / sums[3]) <= 1) }
                }
            }
        }
        let clear = try PixelBuffer.make(width: 4, height: 4, alphaMode: .straight) { x, _ in
            x < 2 ? 0x00FF_FFFF : 0x80FF_0000
        }
        let half = try self.levels(
            of: clear, PyramidGeometry(of: clear.size, tileSize: 4, overlap: 0, depth: .onePixel), bandHeight: 4)
        #expect(half[1].pixels == [0, 0x80FF_0000, 0, 0x80FF_0000])
        #expect(half[2].pixels == [0x40FF_0000])
    }
}
