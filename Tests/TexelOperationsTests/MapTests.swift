import TestSupport
import Testing
import TexelCore
import TexelOperations
import TexelPixels

/// Affine and projective maps of images.
@Suite struct MapTests {
    private func result(
        _ operation: PixelOperation, of image: PixelBuffer, background: PixelColor = .white
    ) throws -> PixelBuffer {
        var image = image
        for step in try operation.value.steps(for: image.size, background: background) { try step.apply(to: &image) }
        return image
    }

    private func affine(_ numbers: [Double]) throws -> AffineMatrix { try #require(AffineMatrix(numbers)) }

    private func corners(_ numbers: [Double]) -> Quadrilateral {
        func point(_ index: Int) -> PixelPoint { PixelPoint(x: numbers[2 * index], y: numbers[2 * index + 1]) }
        return Quadrilateral(topLeft: point(0), topRight: point(1), bottomRight: point(2), bottomLeft: point(3))
    }

    private func smooth() throws -> PixelBuffer {
        try .make(width: 80, height: 60) { x, y in
            0xFF00_0000 | UInt32(x * 3) << 16 | UInt32(y * 4) << 8 | UInt32((x * y) / 20)
        }
    }

    // MARK: Affine

    @Test(arguments: ResamplingFilter.allCases) func rotationsAreRotations(filter: ResamplingFilter) throws {
        let image = try PixelBuffer.noise(PixelSize(width: 33, height: 20), alphaMode: .straight, seed: 3)
        let (cosine, sine) = (3.0 / 5, 4.0 / 5)
        let matrix = try affine([cosine, -sine, 7, sine, cosine, -3])
        let rotated = try result(.affine(matrix, filter: filter), of: image, background: .transparent)
        let expected = try image.rotated(by: 53.130_102_354_155_98, filter: filter)
        #expect(rotated.size == expected.size && rotated.alphaMode == expected.alphaMode)
        // A sample of the nearest pixel may fall to the other side of a border.
        if filter != .nearest { #expect(largestVisibleDifference(rotated, expected) <= 2) }
    }

    @Test func wholeNumbersMovePixels() throws {
        let image = try PixelBuffer.random(width: 9, height: 7)
        #expect(try result(.affine(affine([-1, 0, 0, 0, 1, 0])), of: image) == image.flippedHorizontally())
        #expect(try result(.affine(affine([0, -1, 0, 1, 0, 0])), of: image) == image.rotated(quarterTurns: 1))
        let moved = try result(
            .affine(affine([1, 0, 3, 0, 1, -2]), canvas: PixelSize(width: 10, height: 6)), of: image)
        for y in 0..<6 {
            for x in 0..<10 { #expect(moved[x, y] == (x >= 3 && y < 5 ? image[x - 3, y + 2] : 0xFFFF_FFFF)) }
        }
        let doubled = try result(.affine(affine([2, 0, 0, 0, 3, 0]), filter: .nearest), of: image)
        #expect(doubled.size == PixelSize(width: 18, height: 21))
        for y in 0..<21 { for x in 0..<18 { #expect(doubled[x, y] == image[x / 2, y / 3]) } }
    }

    @Test func sizeIsKept() throws {
        let image = try PixelBuffer.random(width: 9, height: 7)
        let matrix = try affine([1.2, 0.1, -2, 0.3, 0.8, 1.5])
        let kept = try result(.affineKeepingSize(matrix), of: image)
        #expect(kept == (try result(.affine(matrix, canvas: image.size), of: image)))
        #expect(
            try PixelOperation.affineKeepingSize(.identity).value.steps(for: image.size, background: .white).isEmpty)
        func key(_ operation: PixelOperation) -> ContentDigest { ContentDigest(ofIdentityOf: operation) }
        #expect(key(.affineKeepingSize(matrix)) != key(.affine(matrix)))
        #expect(key(.affineKeepingSize(matrix)) != key(.affine(matrix, canvas: image.size)))
    }

    /// Details that are smaller than a pixel of the result become their mean.
    @Test func reductionsDoNotAlias() throws {
        let checks = try PixelBuffer.make(width: 120, height: 120) { x, y in
            (x + y) % 2 == 0 ? 0xFF00_0000 : 0xFFFF_FFFF
        }
        let reduced = try result(.affine(affine([0.2, 0.02, 0, -0.01, 0.2, 0]), filter: .bilinear), of: checks)
        for y in 4..<(reduced.height - 4) {
            for x in 4..<(reduced.width - 4) { #expect((118...137).contains(reduced[x, y] & 255)) }
        }
    }

    @Test func constantsStay() throws {
        let image = try PixelBuffer(width: 17, height: 23, filledWith: 0xFF20_80C0)
        let sheared = try result(
            .affine(affine([1.3, 0.4, 0, -0.2, 0.5, 0])), of: image,
            background: PixelColor(red: 0x20, green: 0x80, blue: 0xC0))
        #expect(sheared.pixels.allSatisfy { $0 == 0xFF20_80C0 })
    }

    // MARK: Perspective

    @Test func rectanglesAreCropped() throws {
        let image = try PixelBuffer.random(width: 20, height: 15)
        let part = try result(.perspective(corners([3, 2, 13, 2, 13, 11, 3, 11])), of: image)
        #expect(part == (try image.cropped(to: PixelRectangle(x: 3, y: 2, width: 10, height: 9))))
        // Corners in another order turn and mirror.
        let turned = try result(.perspective(corners([0, 15, 0, 0, 20, 0, 20, 15])), of: image)
        #expect(turned == (try image.rotated(quarterTurns: 1)))
        let mirrored = try result(.perspective(corners([20, 0, 0, 0, 0, 15, 20, 15])), of: image)
        #expect(mirrored == (try image.flippedHorizontally()))
    }

    /// Where the image is enlarged, pixels are those of bilinear interpolation at the points of the homography, which
    /// is solved here as eight linear equations.
    @Test(
        arguments: [
            [10, 5, 60, 12, 70, 50, 4, 40], [30, 10, 50, 8, 78, 55, 3, 52], [5, 5, 70, 30, 68, 38, 8, 55],
        ] as [[Double]])
    func perspectiveFollowsTheHomography(numbers: [Double]) throws {
        let image = try smooth()
        let size = PixelSize(width: 200, height: 160)
        let part = try result(.perspective(corners(numbers), size: size, filter: .bilinear), of: image)
        #expect(part.size == size)
        let map = Self.homography(size, numbers)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (u, v) = map(Double(x) + 0.5, Double(y) + 0.5)
                let (left, top) = (Int((u - 0.5).rounded(.down)), Int((v - 0.5).rounded(.down)))
                let (across, down) = (u - 0.5 - Double(left), v - 0.5 - Double(top))
                for shift: UInt32 in [0, 8, 16] {
                    func value(_ x: Int, _ y: Int) -> Double {
                        Double(image[min(max(x, 0), 79), min(max(y, 0), 59)] >> shift & 255)
                    }
                    let expected =
                        (value(left, top) * (1 - across) + value(left + 1, top) * across) * (1 - down)
                        + (value(left, top + 1) * (1 - across) + value(left + 1, top + 1) * across) * down
                    #expect(abs(Double(part[x, y] >> shift & 255) - expected) <= 1)
                }
            }
        }
    }

    /// Solves for the map from a rectangle to corners by elimination.
    private static func homography(
        _ size: PixelSize, _ corners: [Double]
    ) -> (Double, Double) -> (Double, Double) {
        let (w, h) = (Double(size.width), Double(size.height))
        var rows: [[Double]] = []
        for (index, (x, y)) in [(0, 0), (w, 0), (w, h), (0, h)].enumerated() {
            let (u, v) = (corners[2 * index], corners[2 * index + 1])
            rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
            rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
        }
        for column in 0..<8 {
            let pivot = (column..<8).max { abs(rows[$0][column]) < abs(rows[$1][column]) } ?? column
            rows.swapAt(column, pivot)
            for row in 0..<8 where row != column {
                let factor = rows[row][column] / rows[column][column]
                for index in column..<9 { rows[row][index] -= factor * rows[column][index] }
            }
        }
        let m = (0..<8).map { rows[$0][8] / rows[$0][$0] }
        return { x, y in
            let scale = m[6] * x + m[7] * y + 1
            return ((m[0] * x + m[1] * y + m[2]) / scale, (m[3] * x + m[4] * y + m[5]) / scale)
        }
    }

    @Test func outsideIsTheBackground() throws {
        let image = try PixelBuffer(width: 10, height: 10, filledWith: 0xFF00_0000)
        let part = try result(.perspective(corners([-10, -10, 20, -10, 20, 20, -10, 20])), of: image)
        #expect(part.size == PixelSize(width: 30, height: 30))
        for (x, y) in [(0, 0), (9, 15), (29, 29), (15, 20)] { #expect(part[x, y] == 0xFFFF_FFFF) }
        for (x, y) in [(10, 10), (19, 19), (15, 12)] { #expect(part[x, y] == 0xFF00_0000) }
        let far = corners([1e6, 1e6, 1e6 - 90, 1e6, 1e6 - 90, 1e6 - 80, 1e6, 1e6 - 80])
        #expect(try result(.perspective(far), of: image).pixels.allSatisfy { $0 == 0xFFFF_FFFF })
    }

    @Test func naturalSizeFollowsTheLongestSides() throws {
        let image = try smooth()
        let part = try result(.perspective(corners([0, 0, 30, 0, 40, 30, 0, 40])), of: image)
        // The lower side is √(40² + 10²) long, the left one 40.
        #expect(part.size == PixelSize(width: 41, height: 40))
    }

    // MARK: Parameters

    @Test func whatChangesNothingHasNoSteps() throws {
        let size = PixelSize(width: 8, height: 6)
        for operation: PixelOperation in [
            .affine(.identity), .affine(.identity, canvas: size), .affine(try affine([1, 0, 5, 0, 1, 9])),
            .perspective(corners([0, 0, 8, 0, 8, 6, 0, 6])),
        ] {
            #expect(try operation.value.steps(for: size, background: .white).isEmpty)
        }
    }

    @Test func parametersWithoutMeaning() throws {
        let size = PixelSize(width: 8, height: 6)
        for operation: PixelOperation in [
            .affine(try affine([1, 2, 0, 2, 4, 0])), .affine(try affine([1001, 0, 0, 0, 1, 0])),
            .affine(try affine([1, 0, 1e7, 0, 1, 0])), .affine(.identity, canvas: PixelSize(width: 0, height: 4)),
            .perspective(corners([0, 0, 8, 0, 8, 6, .nan, 6])), .perspective(corners([0, 0, 8, 0, 8, 6, 2e6, 6])),
            // Crossed, concave, on a line.
            .perspective(corners([0, 0, 8, 6, 8, 0, 0, 6])), .perspective(corners([0, 0, 8, 0, 2, 2, 0, 6])),
            .perspective(corners([0, 0, 4, 0, 8, 0, 0, 6])), .perspective(corners([1, 1, 1, 1, 1, 1, 1, 1])),
            .perspective(corners([0, 0, 8, 0, 8, 6, 0, 6]), size: PixelSize(width: 3, height: -1)),
        ] {
            #expect(throws: TexelError.self) { try operation.value.steps(for: size, background: .white) }
        }
        #expect(AffineMatrix([1, 2, 3]) == nil && AffineMatrix([.nan, 0, 0, 0, 1, 0]) == nil)
    }
}
