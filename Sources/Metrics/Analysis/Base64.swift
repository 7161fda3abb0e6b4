import TexelPixels

/// Bytes as text in Base64 (RFC 4648, section 4), with padding.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of each character; 255 of those that are not in the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Returns the text of bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for begin in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[begin..<min(begin + 3, bytes.count)]
            let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[number >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text, or `nil` if it is not padded Base64 without other characters.
    package static func bytes(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        for begin in stride(from: 0, to: characters.count, by: 4) {
            let count = begin + 4 == characters.count ? 4 - padding : 4
            var number = 0
            for place in 0..<4 {
                let value = place < count ? values[Int(characters[begin + place])] : 0
                guard value != 255 else { return nil }
                number = number << 6 | Int(value)
            }
            for place in 0..<(count - 1) { bytes.append(UInt8(truncatingIfNeeded: number >> (16 - 8 * place))) }
        }
        return bytes
    }
}
