import TexelCodecs
import TexelPixels

/// Decodes rows of run-length codes.
struct BMPRunRows {
    let index: BMPRowIndex
    private let bytes: InputBytes
    private let bits: Int
    /// A colour for each index.
    private let colors: [UInt32]

    /// - Parameters:
    ///   - bits: the bits per pixel: 4, 8 or 24.
    ///   - colors: a colour for each index.
    init(_ index: BMPRowIndex, bits: Int, colors: [UInt32], in bytes: InputBytes) {
        (self.index, self.bits, self.colors, self.bytes) = (index, bits, colors, bytes)
    }

    /// Decodes the pixels of a row that the codes give; others stay as they are.
    ///
    /// - Parameters:
    ///   - number: the number of the row in the file, below the height.
    ///   - row: the memory of one row.
    func decode(_ number: Int, into row: UnsafeMutableBufferPointer<UInt32>) {
        guard let start = index.starts[number] else { return }
        defer { extendLifetime(bytes) }
        let file = UnsafeBufferPointer(start: bytes.base, count: bytes.countSoFar)
        var runs = BMPRuns(file, bits: bits, at: start.position)
        var x = start.x
        // `x` never exceeds the width, and `BMPRuns` returns only positions whose data are in the file.
        // Codes beyond the end of the row are not read again: they are of any number, and have no effect.
        while x < row.count, let code = runs.next() {
            switch code {
            case .run(let count, let position):
                let end = min(row.count, x + count)
                let first = x
                while x < end {
                    row[x] = pixel(file, position, bits == 4 ? (x - first) & 1 : 0)
                    x += 1
                }
            case .absolute(let count, let position):
                let end = min(row.count, x + count)
                let first = x
                while x < end {
                    row[x] = pixel(file, position, x - first)
                    x += 1
                }
            case .move(let right, 0): x = min(row.count, x + right)
            case .endOfRow, .endOfImage, .move: return
            }
        }
    }

    /// Returns pixel `index` of the data at `position`.
    private func pixel(_ file: UnsafeBufferPointer<UInt8>, _ position: Int, _ index: Int) -> UInt32 {
        switch bits {
        case 4: return colors[Int(file[position + index / 2]) >> (index & 1 == 0 ? 4 : 0) & 15]
        case 8: return colors[Int(file[position + index])]
        default:
            let color = position + 3 * index
            return 0xFF00_0000 | UInt32(file[color + 2]) << 16 | UInt32(file[color + 1]) << 8 | UInt32(file[color])
        }
    }
}
