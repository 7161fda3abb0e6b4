import TexelCodecs
import TexelCore

/// The palette of a file, which may have more or fewer colours than its indices can name.
struct BMPPaletteArea {
    /// The position of the first colour.
    let start: Int
    /// The number of colours that the header declares, also for pixels that need none.
    private let declaredCount: Int
    /// The number of colours that indices can name; 0 for pixels without indices.
    private let usableCount: Int
    private let bytesPerColor: Int

    init(_ fields: BMPFields, at start: Int) {
        self.start = start
        usableCount = fields.bitsPerPixel <= 8 ? 1 << fields.bitsPerPixel : 0
        declaredCount = fields.colorCount == 0 ? usableCount : fields.colorCount
        bytesPerColor = fields.bytesPerColor
    }

    /// The position after the declared palette. The number of colours is below 2³².
    var end: Int { start + declaredCount * bytesPerColor }

    /// Reads the colours that indices can name; waits for their bytes. Stops before the pixels.
    ///
    /// - Throws: `truncated`, `stopped`.
    func colors(_ bytes: InputBytes, before pixels: Int, _ stop: StopToken?) throws(TexelError) -> [UInt32] {
        let count = min(usableCount, declaredCount, max(0, pixels - start) / bytesPerColor)
        guard try bytes.has(start + count * bytesPerColor, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        return (0..<count).map { index in
            let color = start + index * bytesPerColor
            return 0xFF00_0000 | UInt32(bytes[color + 2]) << 16 | UInt32(bytes[color + 1]) << 8 | UInt32(bytes[color])
        }
    }
}
