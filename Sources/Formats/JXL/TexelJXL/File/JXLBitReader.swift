import TexelCodecs
import TexelCore

/// Reads the fields of codestream headers, from the lowest bit of each byte (ISO/IEC 18181-1, annex B and C).
struct JXLBitReader {
    private let bytes: InputBytes
    private var codestream: JXLCodestream
    private var piece = 0..<0
    private var byte: UInt8 = 0
    private var bitsLeft = 0

    init(_ bytes: InputBytes, _ codestream: JXLCodestream) {
        (self.bytes, self.codestream) = (bytes, codestream)
    }

    /// - Throws: `truncated` if the file ends; `damaged`, `limitExceeded`, `stopped`.
    private mutating func bit() throws(TexelError) -> Int {
        if bitsLeft == 0 {
            if piece.isEmpty {
                guard let next = try codestream.next(4096) else { throw .truncated(rowsRead: 0, rows: 0) }
                piece = next
            }
            byte = bytes[piece.lowerBound]
            piece = piece.dropFirst()
            bitsLeft = 8
        }
        defer {
            byte >>= 1
            bitsLeft -= 1
        }
        return Int(byte & 1)
    }

    /// A number of `count` bits, at most 32.
    mutating func bits(_ count: Int) throws(TexelError) -> Int {
        var value = 0
        for index in 0..<count { value |= try bit() << index }
        return value
    }

    mutating func bool() throws(TexelError) -> Bool { try bit() == 1 }

    /// One of four ways to store a number: an offset to which a number of bits is added.
    mutating func number(_ choices: (offset: Int, bits: Int)...) throws(TexelError) -> Int {
        let choice = choices[try bits(2)]
        return choice.offset + (try bits(choice.bits))
    }

    /// A value of an enumeration.
    mutating func enumeration() throws(TexelError) -> Int { try number((0, 0), (1, 0), (2, 4), (18, 6)) }

    /// A number of up to 64 bits; larger ones than `Int.max` are not read exactly.
    mutating func longNumber() throws(TexelError) -> Int {
        switch try bits(2) {
        case 0: return 0
        case 1: return 1 + (try bits(4))
        case 2: return 17 + (try bits(8))
        default:
            var (value, shift) = (try bits(12), 12)
            while try bool() {
                guard shift < 60 else {
                    value |= (try bits(4) & 7) << 60
                    break
                }
                value |= try bits(8) << shift & Int.max
                shift += 8
            }
            return value
        }
    }

    /// A floating-point number of 16 bits, which no caller needs.
    mutating func skipHalf(_ count: Int = 1) throws(TexelError) { for _ in 0..<count { _ = try bits(16) } }

    /// Moves to the next byte.
    mutating func align() { bitsLeft = 0 }
}
