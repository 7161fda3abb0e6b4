/// The brands that a file declares in its first box, `ftyp` (ISO/IEC 14496-12, 4.3).
package enum ISOBrands {
    /// The brands of files whose images have a certain coding: AV1 (AV1 Image File Format, 6) and HEVC (ISO/IEC
    /// 23008-12, B.4). Other brands, such as "mif1", allow any coding.
    private static let ofCodings: Set<BoxType> = [
        "avif", "avis", "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs",
    ]

    /// Returns the size of the box at the beginning of a file, at least 12; `nil` if the file begins otherwise.
    package static func boxSize(of head: some Collection<UInt8>) -> Int? {
        guard head.count >= 12, head.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
        return max(12, head.prefix(4).reduce(0) { $0 << 8 | Int($1) })
    }

    /// Returns the first brand that names the coding of the images: the major brand, or else a compatible one.
    ///
    /// - Parameter head: the first bytes of a file; brands after them are ignored.
    /// - Returns: `nil` if there is none.
    package static func coding(of head: [UInt8]) -> BoxType? {
        guard let size = boxSize(of: head) else { return nil }
        let brands = Swift.stride(from: 8, through: min(size, head.count) - 4, by: 4).lazy
            // The minor version is between them.
            .filter { $0 != 12 }
            .map { place in BoxType(UInt32(truncatingIfNeeded: head.bigEndian(4, at: place))) }
        return brands.first { ofCodings.contains($0) }
    }
}
