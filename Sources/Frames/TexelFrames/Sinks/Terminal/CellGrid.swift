import TexelMetrics
package import TexelPixels

/// A frame reduced to the resolution of a terminal, on a black background. Each character cell shows two rows.
package struct CellGrid {
    private(set) var size = PixelSize(width: 0, height: 0)
    /// 0x00RRGGBB, row by row.
    private(set) var colors: [UInt32] = []
    /// The sums of red, green and blue for each column.
    private var sums: [UInt32] = []

    init() {}

    /// Creates a grid from its colours.
    ///
    /// - Parameter colors: 0x00RRGGBB, row by row, one for each sample of `size`.
    package init(size: PixelSize, colors: [UInt32]) {
        precondition(colors.count == size.width * size.height, "a grid requires one colour per sample")
        self.size = size
        self.colors = colors
    }

    /// The largest size with the aspect ratio of `size` that fits into `box`, without enlarging; at least 1 × 1.
    static func size(of size: PixelSize, inside box: PixelSize) -> PixelSize {
        // Scale by the smaller factor (cross-multiplied), rounding half a sample up.
        let isWide = size.width * box.height >= size.height * box.width
        let (part, whole) = isWide ? (box.width, size.width) : (box.height, size.height)
        guard part < whole else { return size }
        func scaled(_ side: Int) -> Int { max(1, (2 * side * part + whole) / (2 * whole)) }
        return PixelSize(width: scaled(size.width), height: scaled(size.height))
    }

    /// Scales a frame into the grid; each sample is the mean of the pixels that it covers.
    mutating func fill(from frame: borrowing Frame, inside box: PixelSize) {
        let frameSize = frame.size
        let size = Self.size(of: frameSize, inside: box)
        if size != self.size {
            self.size = size
            colors = Array(repeating: 0, count: size.width * size.height)
            sums = Array(repeating: 0, count: size.width * 3)
        }
        let (bytesPerRow, alphaMode) = (frame.bytesPerRow, frame.alphaMode)
        frame.withUnsafeBytes { bytes in
            for y in 0..<size.height {
                let rows = y * frameSize.height / size.height..<(y + 1) * frameSize.height / size.height
                fillRow(y, of: bytes, rows: rows, width: frameSize.width, bytesPerRow: bytesPerRow, alphaMode)
            }
        }
    }

    /// Averages `rows` of the frame, `width` pixels each, into row `y` of the grid; all indices are inside `bytes`. The
    /// sums do not overflow for images of up to 2²⁸ pixels and grids of at least 2⁴ samples, where a sample covers
    /// fewer than 2²⁴ pixels; beyond that they wrap and only the colours are wrong.
    private mutating func fillRow(
        _ y: Int, of bytes: UnsafeRawBufferPointer, rows: Range<Int>, width: Int, bytesPerRow: Int,
        _ alphaMode: AlphaMode
    ) {
        for index in sums.indices { sums[index] = 0 }
        sums.withUnsafeMutableBufferPointer { sums in
            for row in rows {
                let pixels = bytes[(row * bytesPerRow)...].prefix(width * PixelBuffer.bytesPerPixel)
                var pixel = pixels.startIndex
                for x in 0..<size.width {
                    let end = pixels.startIndex + (x + 1) * width / size.width * PixelBuffer.bytesPerPixel
                    var (red, green, blue) = (sums[3 * x], sums[3 * x + 1], sums[3 * x + 2])
                    while pixel < end {
                        // Composite onto black: a straight colour is scaled by its alpha.
                        let alpha = alphaMode == .straight ? UInt32(bytes[pixel + 3]) : 255
                        red &+= (UInt32(bytes[pixel + 2]) * alpha + 127) / 255
                        green &+= (UInt32(bytes[pixel + 1]) * alpha + 127) / 255
                        blue &+= (UInt32(bytes[pixel]) * alpha + 127) / 255
                        pixel += PixelBuffer.bytesPerPixel
                    }
                    (sums[3 * x], sums[3 * x + 1], sums[3 * x + 2]) = (red, green, blue)
                }
            }
        }
        for x in 0..<size.width {
            let columns = (x + 1) * width / size.width - x * width / size.width
            let count = UInt32(max(1, columns * rows.count))
            let (red, green, blue) = (sums[3 * x], sums[3 * x + 1], sums[3 * x + 2])
            func mean(_ sum: UInt32) -> UInt32 { min(255, (sum &+ count / 2) / count) }
            colors[y * size.width + x] = mean(red) << 16 | mean(green) << 8 | mean(blue)
        }
    }
}
