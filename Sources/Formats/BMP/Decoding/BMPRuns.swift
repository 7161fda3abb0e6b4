import TexelCodecs

/// Reads run-length codes one at a time. (Microsoft, "Bitmap Compression"; RLE24 is its extension by OS/2.)
struct BMPRuns {
    enum Code {
        /// A pixel, or two indices of four bits that alternate, at `position`, is repeated.
        case run(count: Int, position: Int)
        /// Pixels are stored one by one from `position` on.
        case absolute(count: Int, position: Int)
        case endOfRow
        case endOfImage
        /// The next pixel is to the right of this one, and rows later in the file.
        case move(right: Int, rows: Int)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let bits: Int
    private(set) var position: Int

    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - bits: the bits per pixel: 4, 8 or 24.
    init(_ bytes: UnsafeBufferPointer<UInt8>, bits: Int, at position: Int) {
        (self.bytes, self.bits, self.position) = (bytes, bits, position)
    }

    /// Returns the next code; `nil` if the file ends before the end of the code.
    mutating func next() -> Code? {
        guard bytes.count - position >= 2 else { return nil }
        let (first, second) = (bytes[position], Int(bytes[position + 1]))
        if first > 0 {
            let size = bits == 24 ? 3 : 1
            guard let start = take(1, size) else { return nil }
            return .run(count: Int(first), position: start)
        }
        switch second {
        case 0, 1:
            position += 2
            return second == 0 ? .endOfRow : .endOfImage
        case 2:
            guard let start = take(2, 2) else { return nil }
            return .move(right: Int(bytes[start]), rows: Int(bytes[start + 1]))
        default:
            // Padded to an even number of bytes.
            guard let start = take(2, ((second * bits + 7) / 8 + 1) & ~1) else { return nil }
            return .absolute(count: second, position: start)
        }
    }

    /// Moves past a code of `head` bytes and its `count` bytes of data; returns the position of the data.
    private mutating func take(_ head: Int, _ count: Int) -> Int? {
        guard bytes.count - position >= head + count else { return nil }
        position += head + count
        return position - count
    }
}
