import TexelCodecs
import TexelCore
import TexelPixels

/// The fields of the file header and the bitmap header, all of which have arrived. Fields that a short header does not
/// have are 0.
struct BMPFields: Sendable {
    private let bytes: InputBytes
    /// The size of the bitmap header.
    let version: Int

    init(_ bytes: InputBytes, version: Int) { (self.bytes, self.version) = (bytes, version) }

    /// Reads four bytes at an offset in the bitmap header.
    private func field(_ offset: Int) -> Int {
        offset + 4 <= version ? bytes.littleEndian(4, at: BMPHeader.fileHeaderSize + offset) : 0
    }

    private func signedField(_ offset: Int) -> Int { Int(Int32(truncatingIfNeeded: field(offset))) }

    /// The offset of the pixels in the file.
    var pixels: Int { bytes.littleEndian(4, at: 10) }

    /// OS/2 1.x and Windows 2 have sides of two bytes.
    private var isCore: Bool { version == 12 }

    /// Whether OS/2 defines the header: its version 2 has 64 bytes or the first of them, but not 40, 52 or 56.
    private var isOS2: Bool { (16...64).contains(version) && ![40, 52, 56].contains(version) }

    var width: Int {
        isCore ? bytes.littleEndian(2, at: 18) : signedField(4)
    }

    var height: Int {
        isCore ? bytes.littleEndian(2, at: 20) : signedField(8)
    }

    var planes: Int { bytes.littleEndian(2, at: isCore ? 22 : 26) }
    var bitsPerPixel: Int { bytes.littleEndian(2, at: isCore ? 24 : 28) }
    private var compression: Int { field(16) }
    var horizontalDensity: Int { signedField(24) }
    var verticalDensity: Int { signedField(28) }
    var colorCount: Int { field(32) }
    /// The bytes of a palette entry.
    var bytesPerColor: Int { isCore ? 3 : 4 }

    // MARK: Coding

    private static let bitFields = 3
    private static let alphaBitFields = 6

    /// The coding, if the bits per pixel and the compression fit each other.
    func coding() throws(TexelError) -> BMPHeader.Coding {
        let bits = bitsPerPixel
        switch compression {
        case 0:
            guard [1, 2, 4, 8, 16, 24, 32, 64].contains(bits) else {
                throw .bmp(.invalidValue(bits, of: "number of bits per pixel"))
            }
            return .plain
        case 1 where bits == 8: return .runLength(8)
        case 2 where bits == 4: return .runLength(4)
        case Self.bitFields where bits == 1: throw .unsupported("a BMP with Huffman compression")
        case Self.bitFields where !isOS2 && (bits == 16 || bits == 32): return .bitFields
        // OS/2 and Windows use the same number for different compressions.
        case 4 where bits == 24 && version <= 64: return .runLength(24)
        case 4: throw .unsupported("a JPEG in a BMP")
        case 5: throw .unsupported("a PNG in a BMP")
        case Self.alphaBitFields where !isOS2 && (bits == 16 || bits == 32): return .bitFields
        case 11...13: throw .unsupported("a CMYK BMP")
        default:
            throw .bmp(.invalidValue(compression, of: "compression", context: "\(bits) bits per pixel"))
        }
    }

    /// The number of masks that follow a header which has none.
    var maskCountAfterHeader: Int {
        guard version == 40 else { return 0 }
        switch compression {
        case Self.bitFields: return 3
        case Self.alphaBitFields: return 4
        default: return 0
        }
    }

    /// The masks of the header, those after it, or the usual ones.
    ///
    /// Without bit fields only the alpha mask of a header of version 4 or 5 counts, for pixels of 32 bits: browsers
    /// show the alpha of such files.
    func masks(_ coding: BMPHeader.Coding) -> [UInt32] {
        func mask(_ index: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: bytes.littleEndian(4, at: BMPHeader.fileHeaderSize + 40 + 4 * index))
        }
        guard coding == .bitFields else {
            return bitsPerPixel == 16
                ? [0x7C00, 0x3E0, 0x1F, 0]
                : [0xFF_0000, 0xFF00, 0xFF, version >= 108 && mask(3) == 0xFF00_0000 ? 0xFF00_0000 : 0]
        }
        let hasAlpha = version >= 56 || maskCountAfterHeader == 4
        return [mask(0), mask(1), mask(2), hasAlpha ? mask(3) : 0]
    }

    // MARK: Colours

    /// The colour space type of versions 4 and 5, as four characters in the order of the file.
    var colorSpaceType: UInt32? { version >= 108 ? UInt32(truncatingIfNeeded: field(56)) : nil }

    /// The nine coordinates of the end points, XYZ for red, green and blue, as fractions of 2³⁰.
    var endpoints: [Int] { (0..<9).map { signedField(60 + 4 * $0) } }

    /// The exponents of red, green and blue as fractions of 2¹⁶.
    var gammas: [Int] { (0..<3).map { field(96 + 4 * $0) } }

    /// The range of the embedded profile in the file; empty if there is none. Below 2³³.
    var profile: Range<Int> {
        guard version >= 124 else { return 0..<0 }
        let start = BMPHeader.fileHeaderSize + Int(field(112))
        return start..<(start + Int(field(116)))
    }
}
