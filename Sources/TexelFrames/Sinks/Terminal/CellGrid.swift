package import TexelPixels

/// A frame made as small as a terminal's picture: colours on black, two rows of them in each row of characters.
package struct CellGrid {
    private(set) var size = PixelSize(width: 0, height: 0)
    /// 0x00RRGGBB, row after row.
    private(set) var colors: [UInt32] = []
    /// For each column, the sums of red, green and blue.
    private var sums: [UInt32] = []

    init() {}

    /// - Parameter colors: 0x00RRGGBB, row after row, as many as the size says.
    package init(size: PixelSize, colors: [UInt32]) {
        precondition(colors.count == size.width * size.height, "a grid has as many colours as samples")
        self.size = size
        self.colors = colors
    }

    /// The size in which a picture of `size` fits, its aspect kept: never larger than it is, and at least one sample.
    static func size(of size: PixelSize, inside box: PixelSize) -> PixelSize {
        // The narrower of both scales, compared crosswise; half a sample is rounded up.
        let isWide = size.width * box.height >= size.height * box.width
        let (part, whole) = isWide ? (box.width, size.width) : (box.height, size.height)
        guard part < whole else { return size }
        func scaled(_ side: Int) -> Int { max(1, (2 * side * part + whole) / (2 * whole)) }
        return PixelSize(width: scaled(size.width), height: scaled(size.height))
    }

    /// Each sample becomes the mean of the pixels that it covers.
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

    /// `rows` are rows of the frame, `width` pixels each, so that every index below lies in its bytes. No sum overflows:
    /// a sample covers less than 2^24 pixels where a picture has at most 2^28 and a terminal's at least 2^4 samples;
    /// of longer ones the sums wrap and the picture is wrong, nothing else.
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
                        // On black, a straight colour loses what its alpha lets through.
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
