/// Converts stored rows without compression to BGRA32 pixels.
struct BMPRowConverter: Sendable {
    private let bits: Int
    /// A colour for each index.
    private let colors: [UInt32]
    /// Red, green, blue and alpha of 16 and 32 bits.
    private let channels: [BMPChannel]
    /// Whether pixels of 32 bits are stored as blue, green, red, and alpha or a byte without meaning.
    private let isBGR: Bool
    /// Set in all pixels whose alpha has no meaning.
    private let opacity: UInt32

    /// - Parameters:
    ///   - colors: a colour for each index.
    ///   - ignoresAlpha: whether all pixels are opaque.
    init(_ header: BMPHeader, colors: [UInt32], ignoresAlpha: Bool) {
        bits = header.bitsPerPixel
        self.colors = colors
        channels = header.masks.enumerated().map { index, mask in
            BMPChannel(mask, absent: index == 3 ? 255 : 0)
        }
        isBGR = header.masks.starts(with: [0xFF_0000, 0xFF00, 0xFF]) && header.masks[3] % 0xFF00_0000 == 0
        opacity = ignoresAlpha || !header.hasAlpha ? 0xFF00_0000 : 0
    }

    /// - Parameters:
    ///   - source: the stored bytes of a row, as many as ``BMPHeader/usedBytesPerRow``.
    ///   - row: receives the pixels.
    func convert(_ source: UnsafeRawBufferPointer, into row: UnsafeMutableBufferPointer<UInt32>) {
        switch bits {
        case 1, 2, 4, 8: convertIndices(source, into: row)
        case 16:
            for x in row.indices { row[x] = pixel(UInt32(word(source, 2 * x))) }
        case 24:
            for x in row.indices {
                let place = 3 * x
                row[x] =
                    0xFF00_0000 | UInt32(source[place + 2]) << 16 | UInt32(source[place + 1]) << 8
                    | UInt32(source[place])
            }
        case 32:
            for x in row.indices {
                let stored = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self))
                row[x] = isBGR ? stored | opacity : pixel(stored)
            }
        default:
            for x in row.indices {
                let (blue, green, red) = (sample(source, 4 * x), sample(source, 4 * x + 1), sample(source, 4 * x + 2))
                row[x] =
                    BMPLinearSamples.alpha(sample(source, 4 * x + 3)) << 24 | BMPLinearSamples.color(red) << 16
                    | BMPLinearSamples.color(green) << 8 | BMPLinearSamples.color(blue) | opacity
            }
        }
    }

    private func word(_ source: UnsafeRawBufferPointer, _ place: Int) -> UInt16 {
        UInt16(littleEndian: source.loadUnaligned(fromByteOffset: place, as: UInt16.self))
    }

    private func sample(_ source: UnsafeRawBufferPointer, _ index: Int) -> Int16 {
        Int16(bitPattern: word(source, 2 * index))
    }

    private func pixel(_ stored: UInt32) -> UInt32 {
        channels[3].value(stored) << 24 | channels[0].value(stored) << 16 | channels[1].value(stored) << 8
            | channels[2].value(stored) | opacity
    }

    private func convertIndices(_ source: UnsafeRawBufferPointer, into row: UnsafeMutableBufferPointer<UInt32>) {
        colors.withUnsafeBufferPointer { colors in
            if bits == 8 {
                for x in row.indices { row[x] = colors[Int(source[x])] }
                return
            }
            // The first pixel is in the highest bits.
            let (perByte, mask) = (8 / bits, 1 << bits - 1)
            for x in row.indices {
                let shift = 8 - bits * (x % perByte + 1)
                row[x] = colors[Int(source[x / perByte]) >> shift & mask]
            }
        }
    }
}
