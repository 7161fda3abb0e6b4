import TexelCodecs

/// Reads samples of one bit depth from stored rows.
struct TIFFSampleReader {
    let bits: Int
    /// The number of samples from one pixel to the next.
    let step: Int
    /// Whether samples of 16 bits have the order "MM" in memory.
    let isBigEndian: Bool

    /// Copies one sample of each pixel.
    ///
    /// - Parameters:
    ///   - first: the index of the sample in the first pixel.
    ///   - row: has `step` samples for each of the pixels.
    ///   - samples: receives one number for each pixel.
    func read(_ first: Int, of row: UnsafePointer<UInt8>, into samples: UnsafeMutableBufferPointer<UInt16>) {
        switch bits {
        case 8:
            for x in samples.indices { samples[x] = UInt16(row[x * step + first]) }
        case 16:
            let (high, low) = isBigEndian ? (0, 1) : (1, 0)
            for x in samples.indices {
                let sample = row + 2 * (x * step + first)
                samples[x] = UInt16(sample[high]) << 8 | UInt16(sample[low])
            }
        default:
            // The most significant bits come first, whatever the byte order is (TIFF 6.0, section 3, FillOrder).
            let mask = UInt32(1) << UInt32(bits) - 1
            for x in samples.indices {
                let position = (x * step + first) * bits
                let (byte, bit) = (position >> 3, position & 7)
                var value = UInt32(row[byte])
                var available = 8 - bit
                var next = byte + 1
                // Only bytes that have bits of this sample are read.
                while available < bits {
                    value = value << 8 | UInt32(row[next])
                    next += 1
                    available += 8
                }
                samples[x] = UInt16(truncatingIfNeeded: value >> UInt32(available - bits) & mask)
            }
        }
    }
}
