#if HTTP
    /// Percent-encoding of RFC 3986, section 2.
    enum PercentEncoding {
        /// The characters that need no encoding in a path, besides the unreserved ones.
        static let path = Set("!$&'()*+,;=:@/".utf8)
        static let query = path.union("?".utf8)

        /// Normalises an encoding: encodes characters that must be, decodes unreserved ones, and leaves the rest as it
        /// is.
        static func normalised(_ text: Substring, keeping allowed: Set<UInt8>) -> String {
            var result: [UInt8] = []
            var rest = text.utf8[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "%"), let value = pair(rest) {
                    rest = rest.dropFirst(2)
                    if isUnreserved(value) { result.append(value) } else { append(value, to: &result) }
                } else if isUnreserved(byte) || allowed.contains(byte) {
                    result.append(byte)
                } else {
                    append(byte, to: &result)
                }
            }
            return String(decoding: result, as: UTF8.self)
        }

        /// Decodes a text; `nil` if the result is not valid UTF-8.
        static func decoded(_ text: Substring) -> String? {
            var bytes: [UInt8] = []
            var rest = text.utf8[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "%"), let value = pair(rest) {
                    rest = rest.dropFirst(2)
                    bytes.append(value)
                } else {
                    bytes.append(byte)
                }
            }
            return String(validating: bytes, as: UTF8.self)
        }

        private static func isUnreserved(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._~".utf8.contains(byte)
            }
        }

        /// The byte for two hexadecimal digits.
        private static func pair(_ text: Substring.UTF8View.SubSequence) -> UInt8? {
            let digits = text.prefix(2)
            // `UInt8(_:radix:)` would accept a sign.
            guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
            return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        }

        private static func append(_ byte: UInt8, to result: inout [UInt8]) {
            let digits = Array("0123456789ABCDEF".utf8)
            result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
#endif
