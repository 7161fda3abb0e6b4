import CPixelKernels
import Synchronization
import TexelPixels

/// How much of a picture's colours is lost where four pixels share a sample of them.
enum ChromaLoss {
    /// A colour difference, in steps of a byte, that is seen: photographs have hardly a pixel in a thousand that is so far
    /// off, coloured text one in ten.
    private static let visible: Int32 = 32
    private static let severeShare = 0.005

    /// Whether so many pixels lose their colour that the picture does not look like itself at any quality.
    ///
    /// - Parameters:
    ///   - halves: both colour differences, halved across and down, as ``SharpChroma`` makes them.
    ///   - read: writes a row of one of them, as it was, around neutral in 1/16.
    /// - Throws: `outOfMemory`, `stopped`.
    static func isSevere(
        _ size: PixelSize, _ halves: [WordPlane], _ rows: BlockRows,
        read: @escaping @Sendable (_ component: Int, _ y: Int, _ samples: UnsafeMutablePointer<Int16>) -> Void
    ) throws(CodecError) -> Bool {
        let total = Mutex(0)
        try rows.forEach(size.height) { y in
            let count = withUnsafeTemporaryAllocation(of: Int16.self, capacity: size.width) { original in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: size.width) { losses in
                    // As many as a row has pixels.
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

    /// Adds the squared difference between a row and what a decoder interpolates for it.
    private static func add(
        _ original: UnsafePointer<Int16>, _ y: Int, _ half: WordPlane, width: Int,
        to losses: UnsafeMutablePointer<Int32>
    ) {
        let near = half.row(y / 2)
        let far = half.row(min(max(y % 2 == 0 ? y / 2 - 1 : y / 2 + 1, 0), half.size.height - 1))
        let last = half.size.width - 1
        // In 1/64: twice weighed by 3/4 and 1/4.
        @inline(__always) func column(_ x: Int) -> Int32 { 3 &* Int32(near[x]) &+ Int32(far[x]) }
        for x in 0..<width {
            let other = min(max(x % 2 == 0 ? x / 2 - 1 : x / 2 + 1, 0), last)
            let interpolated = (3 &* column(x / 2) &+ column(other)) >> 4
            // At most 256 steps.
            let loss = (Int32(original[x]) &* 4 &- interpolated) >> 6
            losses[x] = losses[x] &+ loss &* loss
        }
    }
}
