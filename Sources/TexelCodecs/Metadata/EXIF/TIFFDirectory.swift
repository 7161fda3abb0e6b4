/// One image file directory: a list of tagged values (TIFF 6.0, section 2).
package struct TIFFDirectory: Sendable, Hashable {
    /// A tagged value. Where it lies has been proved to be inside the block.
    package struct Entry: Sendable, Hashable {
        package let tag: UInt16
        /// `nil` for a type that this code does not know.
        package let type: TIFFType?
        package let count: UInt32
        /// Where the twelve bytes of the entry begin.
        package let offset: Int
        /// Where the value lies; `nil` where the type is unknown or the value leaves the block.
        package let valueRange: Range<Int>?

        static let size = 12
    }

    package let offset: Int
    package let entries: [Entry]
    /// Where the offset of the next directory is written; `nil` where the block ends before it.
    package let linkOffset: Int?

    /// The bytes of the directory itself, without values that lie elsewhere.
    var extent: Range<Int> { offset..<(linkOffset.map { $0 + 4 } ?? offset + 2 + entries.count * Entry.size) }

    /// The directory's bytes and those of its values.
    var occupiedRanges: [Range<Int>] { [extent] + entries.compactMap(\.valueRange) }

    /// The first entry with this tag.
    package subscript(tag: UInt16) -> Entry? { entries.first { $0.tag == tag } }
}
