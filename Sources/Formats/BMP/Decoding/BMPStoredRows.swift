import TexelCodecs
import TexelCore
import TexelPixels

/// The rows of a file without compression, which can be read in any order.
struct BMPStoredRows {
    private let header: BMPHeader
    private let bytes: InputBytes
    private let stop: StopToken?

    init(_ header: BMPHeader, in bytes: InputBytes, _ stop: StopToken?) {
        (self.header, self.bytes, self.stop) = (header, bytes, stop)
    }

    /// Waits until `count` rows have arrived, in the order of the file.
    ///
    /// - Returns: the number of rows that have arrived, at most `count`; fewer only at the end of the file.
    /// - Throws: `stopped`.
    func wait(for count: Int) throws(TexelError) -> Int {
        // The last row needs no padding. More bytes than a number can express never arrive.
        let padding = header.bytesPerRow - header.usedBytesPerRow
        let end = header.end(ofRows: count)
        let available = try bytes.wait(for: end == .max ? end : end - padding, stop)
        return min(count, max(0, available - header.pixels + padding) / header.bytesPerRow)
    }

    /// The bytes of a row that has arrived. The caller keeps the file alive.
    ///
    /// - Parameter number: the number of the row in the file.
    func row(_ number: Int) -> UnsafeRawBufferPointer {
        let start = header.pixels + number * header.bytesPerRow
        return bytes.rawBytes(start..<(start + header.usedBytesPerRow))
    }

    /// Returns whether the alpha of any pixel is not 0; waits for rows until one is found. Returns true for pixels
    /// without alpha.
    ///
    /// Some programs declare alpha and leave it 0. Browsers show such images as opaque.
    func hasVisiblePixel() throws(TexelError) -> Bool {
        guard header.hasAlpha else { return true }
        let bytesPerPixel = header.bitsPerPixel / 8
        // Alpha is above the other channels in a pixel of 64 bits.
        let masks = header.bitsPerPixel == 64 ? 0xFFFF << 48 : UInt64(header.masks[3])
        for number in 0..<header.size.height {
            guard try wait(for: number + 1) > number else { return false }
            if number % 64 == 0 { try stop?.check() }
            let row = row(number)
            for x in 0..<header.size.width {
                // The row has `bytesPerPixel` bytes for each pixel, little endian.
                var pixel: UInt64 = 0
                for byte in 0..<bytesPerPixel { pixel |= UInt64(row[x * bytesPerPixel + byte]) << UInt64(8 * byte) }
                if pixel & masks != 0 { return true }
            }
        }
        return false
    }
}
