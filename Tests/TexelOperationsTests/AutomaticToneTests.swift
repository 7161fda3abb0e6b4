import TestSupport
import Testing
import TexelCore
import TexelOperations
import TexelPixels

/// Operations on tone that depend on the whole image.
@Suite struct AutomaticToneTests {
    private func result(_ operation: PixelOperation, of image: PixelBuffer) throws -> PixelBuffer {
        var image = image
        for step in try operation.value.steps(for: image.size, background: .white) { try step.apply(to: &image) }
        return image
    }

    /// An image whose pixels have the greys 0…255 once each, in any order.
    private func greys(_ value: (Int) -> UInt32 = { UInt32($0) }) throws -> PixelBuffer {
        try .make(width: 32, height: 8) { x, y in 0xFF00_0000 | value((x + 32 * y) * 77 % 256) * 0x01_0101 }
    }

    // MARK: Normalize

    @Test func stretchesToTheWholeRange() throws {
        // From 50 to 177.
        let image = try greys { UInt32(50 + $0 / 2) }
        let stretched = try result(.normalize(lowerPercentile: 0, upperPercentile: 100), of: image)
        for (before, after) in zip(image.pixels, stretched.pixels) {
            #expect(Int(after & 255) == (Int(before & 255) * 510 - 50 * 510 + 127) / 254)
        }
        // One percent of 256 pixels is two, which become black, and two become white.
        let limited = try result(.normalize(), of: greys())
        #expect(limited.pixels.count { $0 & 255 == 0 } == 3 && limited.pixels.count { $0 & 255 == 255 } == 3)
    }

    @Test func greysStayGreyAndColorsAreStretchedAlike() throws {
        let image = try PixelBuffer.make(width: 3, height: 1) { x, _ in [0xFF40_4040, 0xFF60_5040, 0xFF80_8080][x] }
        let stretched = try result(.normalize(lowerPercentile: 0, upperPercentile: 100), of: image)
        #expect(stretched.pixels == [0xFF00_0000, 0xFF80_4000, 0xFFFF_FFFF])
    }

    @Test func imagesOfOneLumaStay() throws {
        let image = try PixelBuffer(width: 5, height: 4, filledWith: 0xFF20_4060)
        #expect(try result(.normalize(), of: image) == image)
        let whole = try greys()
        #expect(try result(.normalize(lowerPercentile: 0, upperPercentile: 100), of: whole) == whole)
        // Nothing is left between the percentiles.
        let two = try PixelBuffer.make(width: 2, height: 1) { x, _ in [0xFF10_1010, 0xFF20_2020][x] }
        #expect(try result(.normalize(lowerPercentile: 60, upperPercentile: 61), of: two) == two)
    }

    /// Fully transparent pixels have no colour.
    @Test func transparentPixelsDoNotCount() throws {
        let image = try PixelBuffer.make(width: 4, height: 1, alphaMode: .straight) { x, _ in
            [0x0000_0000, 0xFF40_4040, 0x8080_8080, 0x00FF_FFFF][x]
        }
        let stretched = try result(.normalize(lowerPercentile: 0, upperPercentile: 100), of: image)
        #expect(stretched.pixels[1] == 0xFF00_0000 && stretched.pixels[2] == 0x80FF_FFFF)
        let none = try PixelBuffer(width: 3, height: 3, filledWith: 0, alphaMode: .premultiplied)
        #expect(try result(.normalize(), of: none) == none)
    }

    // MARK: Local equalisation

    /// The definition, for grey images whose size the tiles fit, in floating point.
    private func equalized(_ image: PixelBuffer, _ columns: Int, _ rows: Int, _ limit: Double) -> [Double] {
        let (width, height) = (image.width / columns, image.height / rows)
        let curves = (0..<rows).map { row in
            (0..<columns).map { column in
                var counts = [Int](repeating: 0, count: 256)
                for y in (row * height)..<((row + 1) * height) {
                    for x in (column * width)..<((column + 1) * width) { counts[Int(image[x, y] & 255)] += 1 }
                }
                let most = limit == 0 ? width * height : max(1, Int(limit * Double(width * height) / 256))
                let excess = counts.reduce(0) { $0 + max(0, $1 - most) }
                counts = counts.map { min($0, most) + excess / 256 }
                let rest = excess % 256
                for index in 0..<rest { counts[index * (256 / rest)] += 1 }
                var sum = 0
                return counts.map { count in
                    sum += count
                    return (Double(sum) * 255 / Double(width * height)).rounded()
                }
            }
        }
        func place(_ position: Int, _ side: Int, _ count: Int) -> (Int, Int, Double) {
            let place = Double(position) / Double(side) - 0.5
            let first = Int(place.rounded(.down))
            return (max(first, 0), min(first + 1, count - 1), place - Double(first))
        }
        return (0..<image.height).flatMap { y in
            (0..<image.width).map { x in
                let (left, right, across) = place(x, width, columns)
                let (above, below, down) = place(y, height, rows)
                let value = Int(image[x, y] & 255)
                let upper = curves[above][left][value] * (1 - across) + curves[above][right][value] * across
                let lower = curves[below][left][value] * (1 - across) + curves[below][right][value] * across
                return upper * (1 - down) + lower * down
            }
        }
    }

    @Test(arguments: [(1, 1, 0), (8, 8, 3), (4, 2, 1.5), (2, 16, 40), (8, 4, 0)] as [(Int, Int, Double)])
    func localEqualizationFollowsItsDefinition(columns: Int, rows: Int, limit: Double) throws {
        let noise = try PixelBuffer.random(width: 64, height: 48)
        let image = try PixelBuffer.make(width: 64, height: 48) { x, y in
            0xFF00_0000 | (UInt32(x + y) + noise[x, y] % 40) * 0x01_0101
        }
        let result = try result(.equalizeLocally(columns: columns, rows: rows, clipLimit: limit), of: image)
        let expected = equalized(image, columns, rows, limit)
        // Half a step of rounding, and two weights in 1/2048 of up to 255.
        for (pixel, value) in zip(result.pixels, expected) {
            #expect(abs(Double(pixel & 255) - value) < 0.7)
            #expect(pixel == 0xFF00_0000 | (pixel & 255) * 0x01_0101)
        }
    }

    /// Without clamping, all channels change by the same number.
    @Test func differencesOfColorsStay() throws {
        let image = try PixelBuffer.make(width: 21, height: 13, alphaMode: .straight) { x, y in
            let value = UInt32(100 + x + y)
            return 0x4000_0000 | (value + 5) << 16 | (value - 9) << 8 | value
        }
        let result = try result(.equalizeLocally(columns: 3, rows: 2, clipLimit: 1.5), of: image)
        for pixel in result.pixels where pixel & 255 > 0 && pixel & 255 < 250 && pixel >> 8 & 255 > 0 {
            #expect((pixel >> 16 & 255) - (pixel & 255) == 5 && (pixel & 255) - (pixel >> 8 & 255) == 9)
            #expect(pixel >> 24 == 0x40)
        }
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2), (63, 65), (70, 3)])
    func localEqualizationKeepsSizeAndAlphaMode(width: Int, height: Int) throws {
        let image = try PixelBuffer.random(width: width, height: height, alphaMode: .premultiplied)
        for tiles in [1, 3, 8, 64] {
            let result = try result(.equalizeLocally(columns: tiles, rows: tiles, clipLimit: 2), of: image)
            #expect(result.size == image.size && result.alphaMode == .premultiplied)
        }
    }

    // MARK: Parameters

    @Test(
        arguments: [
            (.normalize(lowerPercentile: -1), "the lower percentile cannot be -1; it must be from 0 to 100"),
            (.normalize(upperPercentile: .nan), "the upper percentile cannot be nan; it must be from 0 to 100"),
            (
                .normalize(lowerPercentile: 50, upperPercentile: 50),
                "the upper percentile cannot be 50; it must be more than the lower one, 50"
            ),
            (.equalizeLocally(columns: 0), "the number of columns cannot be 0; it must be from 1 to 64"),
            (.equalizeLocally(rows: 65), "the number of rows cannot be 65; it must be from 1 to 64"),
            (.equalizeLocally(clipLimit: .infinity), "the clip limit cannot be inf; it must be from 0 to 256"),
        ] as [(PixelOperation, String)])
    func parametersWithoutMeaning(operation: PixelOperation, message: String) throws {
        let error = try #require(throws: TexelError.self) {
            try operation.value.steps(for: PixelSize(width: 4, height: 4), background: .white)
        }
        #expect(error.description == message)
    }
}
