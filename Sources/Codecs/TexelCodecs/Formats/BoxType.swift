/// The four-character code of a box, an item or a brand (ISO/IEC 14496-12, 4.2).
package struct BoxType: Sendable, Hashable {
    /// The characters, the first in the highest byte.
    package let code: UInt32

    package init(_ code: UInt32) { self.code = code }

    /// The bytes, in file order.
    package var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) } }
}

extension BoxType: ExpressibleByStringLiteral {
    /// - Parameter value: four ASCII characters.
    package init(stringLiteral value: String) {
        code = value.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension BoxType: CustomStringConvertible {
    /// The characters; those that are not printable ASCII are replaced.
    package var description: String {
        String(bytes.map { (32...126).contains($0) ? Character(UnicodeScalar($0)) : "?" })
    }
}
