package import TexelPixels

/// How much colour an image loses when four pixels share a chroma sample.
package struct ChromaLoss: Sendable {
    /// The share of pixels whose colour is visibly wrong.
    package let visibleShare: Double
    /// The square root of the mean square of the blocks' mean squared errors, in squared 8-bit steps: blocks of 8 × 8
    /// pixels, both components together. A few bad blocks count more than many good ones, as people see it.
    package let blockNorm: Double

    /// Whether so many pixels would lose their colour that the image would look wrong at any quality. One pixel in ten of
    /// coloured text does, and hardly one in a thousand of a photograph.
    package var isSevere: Bool { visibleShare > 0.005 }

    /// The visible chroma error of a pixel, in 8-bit steps.
    private static let visible: Int32 = 32
    /// The fraction bits of an error.
    private static let fractionBits: Int32 = 4

    /// Measures the loss.
    ///
    /// - Parameters:
    ///   - halves: both chroma planes, halved in both directions by ``SharpChroma``.
    ///   - read: writes a row of the original chroma component, centred on zero, in units of 1/16.
    /// - Throws: `outOfMemory`, `stopped`.
    package init(
        _ size: PixelSize, _ halves: [WordPlane], _ rows: BlockRows,
        read: @escaping @Sendable (_ component: Int, _ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) throws(CodecError) {
        let blockRowCount = (size.height + 7) / 8
        let sums = RowSums(count: blockRowCount)
        try rows.forEach(blockRowCount) { row in
            let lines = (row * 8)..<min(row * 8 + 8, size.height)
            sums.set(row, Self.sums(of: lines, width: size.width, halves, read))
        }
        let total = sums.total
        let blockCount = Double(blockRowCount) * Double((size.width + 7) / 8)
        visibleShare = total[0] / (Double(size.width) * Double(size.height))
        blockNorm = (total[1] / blockCount).squareRoot()
    }

    /// Returns the number of visibly wrong pixels in a row of blocks, and the sum of the squared mean squared errors of its
    /// blocks.
    private static func sums(
        of lines: Range<Int>, width: Int, _ halves: [WordPlane],
        _ read: (_ component: Int, _ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) -> SIMD2<Double> {
        let limit = (visible << fractionBits) &* (visible << fractionBits)
        var visibleCount = 0
        var blocks = [Int](repeating: 0, count: (width + 7) / 8)
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: width) { original in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: width) { losses in
                // Both buffers have one element per pixel of a row.
                guard let original = original.baseAddress, let losses = losses.baseAddress else { return }
                for y in lines {
                    losses.update(repeating: 0, count: width)
                    for (component, half) in halves.enumerated() {
                        read(component, y, original)
                        add(original, y, half, width: width, to: losses)
                    }
                    for x in 0..<width {
                        if losses[x] > limit { visibleCount += 1 }
                        blocks[x >> 3] &+= Int(losses[x])
                    }
                }
            }
        }
        let unit = Double(64 << (2 * fractionBits))
        let squares = blocks.reduce(0.0) { $0 + (Double($1) / unit) * (Double($1) / unit) }
        return SIMD2(Double(visibleCount), squares)
    }

    /// Adds the squared differences between a row and the row that a decoder interpolates.
    private static func add(
        _ original: UnsafePointer<Int16>, _ y: Int, _ half: WordPlane, width: Int,
        to losses: UnsafeMutablePointer<Int32>
    ) {
        let near = half.row(y / 2)
        let far = half.row(min(max(y % 2 == 0 ? y / 2 - 1 : y / 2 + 1, 0), half.size.height - 1))
        let last = half.size.width - 1
        // The two interpolation passes (weights 3/4 and 1/4) multiply by 4 each; the sums are in units of 1/1024 of an
        // 8-bit step.
        @inline(__always) func column(_ x: Int) -> Int32 { 3 &* Int32(near[x]) &+ Int32(far[x]) }
        for x in 0..<width {
            let other = min(max(x % 2 == 0 ? x / 2 - 1 : x / 2 + 1, 0), last)
            let interpolated = (3 &* column(x / 2) &+ column(other)) >> 4
            // At most 256 in magnitude, in 8-bit steps; in units of 1/16 the square of two components fits 32 bits.
            let loss = (Int32(original[x]) &* 4 &- interpolated) >> 2
            losses[x] = losses[x] &+ loss &* loss
        }
    }
}
