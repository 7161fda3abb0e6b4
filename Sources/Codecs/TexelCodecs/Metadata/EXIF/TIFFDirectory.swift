/// An image file directory (IFD): a list of tagged values (TIFF 6.0, section 2).
package struct TIFFDirectory: Sendable, Hashable {
    /// A tagged value. Its ranges have been checked to be inside the block.
    package struct Entry: Sendable, Hashable {
        package let tag: UInt16
        /// `nil` for an unknown type.
        package let type: TIFFType?
        /// The number of elements of the value, as declared.
        package let count: UInt32
        /// The offset of the twelve bytes of the entry.
        package let offset: Int
        /// The range of the value; `nil` if the type is unknown or the value is not inside the block.
        package let valueRange: Range<Int>?

        static let size = 12
    }

    package let offset: Int
    package let entries: [Entry]
    /// The offset of the link to the next directory; `nil` if the block ends before it.
    package let linkOffset: Int?

    /// The bytes of the directory itself, without values stored elsewhere.
    var extent: Range<Int> { offset..<(linkOffset.map { $0 + 4 } ?? offset + 2 + entries.count * Entry.size) }

    /// The bytes of the directory and of its values.
    var occupiedRanges: [Range<Int>] { [extent] + entries.compactMap(\.valueRange) }

    /// The first entry with this tag.
    package subscript(tag: UInt16) -> Entry? { entries.first { $0.tag == tag } }
}
