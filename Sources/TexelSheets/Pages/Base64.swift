import TexelCodecs

/// Base64 encoding (RFC 4648, section 4).
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encoded(_ bytes: [UInt8]) -> String {
        let count = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: count) { text in
            // In bounds: each group of up to three bytes produces four of the `count` characters.
            for group in 0..<(count / 4) {
                let first = UInt32(bytes[3 * group])
                let second = 3 * group + 1 < bytes.count ? UInt32(bytes[3 * group + 1]) : nil
                let third = 3 * group + 2 < bytes.count ? UInt32(bytes[3 * group + 2]) : nil
                let bits = first << 16 | (second ?? 0) << 8 | (third ?? 0)
                text[4 * group] = digits[Int(bits >> 18)]
                text[4 * group + 1] = digits[Int(bits >> 12 & 63)]
                text[4 * group + 2] = second == nil ? UInt8(ascii: "=") : digits[Int(bits >> 6 & 63)]
                text[4 * group + 3] = third == nil ? UInt8(ascii: "=") : digits[Int(bits & 63)]
            }
            return count
        }
    }

    /// Returns an image file as a data URL (RFC 2397).
    static func dataAddress(_ file: [UInt8], _ format: ImageFormat) -> String {
        "data:\(format.mediaType);base64,\(encoded(file))"
    }
}
