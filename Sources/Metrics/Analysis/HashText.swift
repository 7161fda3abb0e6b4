import TexelPixels

/// The text of a hash of 64 bits: sixteen hexadecimal digits, the first ones for the most significant bits.
enum HashText {
    static func text(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
