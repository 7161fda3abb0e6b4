import Synchronization
package import TexelPixels

/// Measures how much colour an image loses when four pixels share a chroma sample.
package enum ChromaLoss {
    /// The visible chroma error of a pixel, in 8-bit steps. Hardly one pixel in a thousand of a photograph exceeds it,
    /// and one in ten of coloured text.
    private static let visible: Int32 = 32
    private static let severeShare = 0.005

    /// Returns whether too many pixels would lose their colour, so that the image would look wrong at any quality.
    ///
    /// - Parameters:
    ///   - halves: both chroma planes, halved in both directions by ``SharpChroma``.
    ///   - read: writes a row of the original chroma component, centred on zero, in units of 1/16.
    /// - Throws: `outOfMemory`, `stopped`.
    package static func isSevere(
        _ size: PixelSize, _ halves: [WordPlane], _ rows: BlockRows,
        read: @escaping @Sendable (_ component: Int, _ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) throws(CodecError) -> Bool {
        let total = Mutex(0)
        try rows.forEach(size.height) { y in
            let count = withUnsafeTemporaryAllocation(of: Int16.self, capacity: size.width) { original in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: size.width) { losses in
                    // Both buffers have one element per pixel of a row.
                    guard let original = original.baseAddress, let losses = losses.baseAddress else { return 0 }
                    for x in 0..<size.width { losses[x] = 0 }
                    for (component, half) in halves.enumerated() {
                        read(component, y, original)
                        add(original, y, half, width: size.width, to: losses)
                    }
                    var count = 0
                    for x in 0..<size.width where losses[x] > visible * visible { count += 1 }
                    return count
                }
            }
            if count > 0 { total.withLock { $0 += count } }
        }
        return Double(total.withLock { $0 }) > severeShare * Double(size.width) * Double(size.height)
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
            // At most 256 in magnitude, in 8-bit steps.
            let loss = (Int32(original[x]) &* 4 &- interpolated) >> 6
            losses[x] = losses[x] &+ loss &* loss
        }
    }
}
