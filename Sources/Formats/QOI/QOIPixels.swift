/// Decodes chunks to pixels 0xAARRGGBB.
struct QOIPixels {
    /// The largest chunk in bytes.
    static let largestChunk = 5

    private static let opaqueBlack: UInt32 = 0xFF00_0000

    /// The last pixel.
    private var pixel = Self.opaqueBlack
    /// How often the last pixel is still repeated.
    private var repeats = 0
    /// The pixels seen last, each at the place of its hash.
    private var seen = [UInt32](repeating: 0, count: 64)

    /// Decodes pixels until the row is full, or too few bytes are left for the next chunk.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that may be read.
    ///   - position: the next chunk; moved past the chunks that are read.
    ///   - row: receives the pixels.
    ///   - x: the next pixel; moved past those that are written.
    mutating func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int, into row: UnsafeMutableBufferPointer<UInt32>,
        _ x: inout Int
    ) {
        var (pixel, repeats) = (pixel, repeats)
        defer { (self.pixel, self.repeats) = (pixel, repeats) }
        seen.withUnsafeMutableBufferPointer { seen in
            while x < row.count {
                if repeats > 0 {
                    let end = min(row.count, x + repeats)
                    repeats -= end - x
                    while x < end {
                        row[x] = pixel
                        x += 1
                    }
                    continue
                }
                guard position < bytes.count else { return }
                let tag = bytes[position]
                let size = tag == 0xFE ? 4 : tag == 0xFF ? 5 : tag & 0xC0 == 0x80 ? 2 : 1
                // All reads below are within the chunk, which is within `bytes`.
                guard bytes.count - position >= size else { return }
                switch tag {
                case 0xFE:
                    pixel = pixel & 0xFF00_0000 | Self.color(bytes, position)
                case 0xFF:
                    pixel = UInt32(bytes[position + 4]) << 24 | Self.color(bytes, position)
                case 0xC0...0xFD:
                    // Only the first pixel of a file can be repeated before it has been seen.
                    seen[Self.hash(pixel)] = pixel
                    repeats = Int(tag & 0x3F) + 1
                    position += 1
                    continue
                case 0x80...0xBF:
                    let green = UInt32(tag & 0x3F) &- 32
                    let others = UInt32(bytes[position + 1])
                    pixel = Self.sum(pixel, green &+ (others >> 4) &- 8, green, green &+ (others & 15) &- 8)
                case 0x40...0x7F:
                    let differences = UInt32(tag)
                    pixel = Self.sum(
                        pixel, (differences >> 4 & 3) &- 2, (differences >> 2 & 3) &- 2, (differences & 3) &- 2)
                default:
                    pixel = seen[Int(tag)]
                }
                position += size
                seen[Self.hash(pixel)] = pixel
                row[x] = pixel
                x += 1
            }
        }
    }

    /// The colour in the three bytes after a tag.
    private static func color(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> UInt32 {
        UInt32(bytes[position + 1]) << 16 | UInt32(bytes[position + 2]) << 8 | UInt32(bytes[position + 3])
    }

    /// Adds differences to the colours of a pixel, each modulo 256.
    private static func sum(_ pixel: UInt32, _ red: UInt32, _ green: UInt32, _ blue: UInt32) -> UInt32 {
        let newRed = ((pixel >> 16) &+ red) & 0xFF
        let newGreen = ((pixel >> 8) &+ green) & 0xFF
        let newBlue = (pixel &+ blue) & 0xFF
        return pixel & 0xFF00_0000 | newRed << 16 | newGreen << 8 | newBlue
    }

    /// The place of a pixel among the seen ones.
    private static func hash(_ pixel: UInt32) -> Int {
        let (alpha, red) = (pixel >> 24, pixel >> 16 & 0xFF)
        return Int((red * 3 + (pixel >> 8 & 0xFF) * 5 + (pixel & 0xFF) * 7 + alpha * 11) % 64)
    }
}
