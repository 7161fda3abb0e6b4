package import TexelCore
package import TexelPixels

/// The structure of a file of the ISO base media format (ISO/IEC 14496-12), with items (ISO/IEC 23008-12) or tracks.
///
/// Knows no image format: types of items and properties are only compared by the formats built on it. Every offset,
/// size and count is checked, and nothing is allocated in proportion to a number that the file only declares.
package struct ISOMediaFile: Sendable {
    package let bytes: InputBytes
    /// The format in errors.
    package let format: ImageFormat
    package let majorBrand: BoxType
    package let compatibleBrands: [BoxType]
    /// The brands of the format.
    private let brands: Brands
    /// The boxes at the top level, up to the last one that was needed.
    package private(set) var topLevel: [ISOBox] = []
    package private(set) var meta: ISOMeta?
    package private(set) var movie: ISOMovie?

    /// Whether some readers refuse the file although its images are understood, so that it must not be copied.
    package var hasDefect: Bool {
        (meta.map { $0.primaryID == nil && !$0.items.isEmpty } ?? false)
            || movie?.tracks.contains(where: \.hasDefect) ?? false
    }

    /// Whether all brands of `sequence` or `still` that the file has say that its image is a sequence.
    private let prefersTracks: Bool

    /// The brands of a format: of files with items, and of files with tracks.
    package struct Brands: Sendable {
        package let still: Set<BoxType>
        package let sequence: Set<BoxType>

        package init(still: Set<BoxType>, sequence: Set<BoxType>) {
            self.still = still
            self.sequence = sequence
        }
    }

    /// Reads the header: all boxes up to those that describe the image. Waits for them.
    ///
    /// - Throws: `truncated`, `damaged`, `limitExceeded`, `stopped`.
    package init(
        _ bytes: InputBytes, format: ImageFormat, brands: Brands, limits: Limits, stop: StopToken?
    ) throws(TexelError) {
        self.bytes = bytes
        self.format = format
        self.brands = brands
        let parser = ISOParser(bytes, format, limits, stop)
        guard let first = try parser.box(at: 0, in: nil) else { throw .truncated(rowsRead: 0, rows: 0) }
        guard first.type == "ftyp" else { throw parser.corrupt("the file does not begin with the box ftyp") }
        try parser.load(first)
        var reader = parser.reader(first.payload)
        let majorBrand = try reader.type()
        try reader.skip(4)
        var compatible: [BoxType] = []
        while reader.count >= 4 {
            try parser.count()
            compatible.append(try reader.type())
        }
        (self.majorBrand, compatibleBrands) = (majorBrand, compatible)
        prefersTracks =
            brands.sequence.contains(majorBrand)
            || !brands.still.contains(majorBrand) && compatible.contains { brands.sequence.contains($0) }
        topLevel = [first]
        try read(parser)
    }

    private mutating func read(_ parser: ISOParser) throws(TexelError) {
        var position = topLevel[0].range.upperBound
        while meta == nil || prefersTracks && movie == nil {
            guard let box = try parser.box(at: position, in: nil) else { break }
            topLevel.append(box)
            if box.type == "meta", meta == nil {
                try parser.load(box)
                meta = try parser.meta(box)
            } else if box.type == "moov", movie == nil {
                try parser.load(box)
                movie = try parser.movie(box)
            }
            position = box.range.upperBound
        }
        // A file of tracks need not have items.
        guard meta != nil || movie != nil else {
            throw try parser.bytes.wait(for: .max, parser.stop) < position || topLevel.count == 1
                ? .truncated(rowsRead: 0, rows: 0) : .damaged(format, .missing("box meta"))
        }
    }

    /// The brand that the file should begin with: one of the format, if the file's own is neither compatible nor one of
    /// the format, so that it is damaged.
    var validMajorBrand: BoxType {
        let known = brands.still.union(brands.sequence)
        if compatibleBrands.contains(majorBrand) || known.contains(majorBrand) { return majorBrand }
        let preferred = prefersTracks ? brands.sequence : brands.still
        return compatibleBrands.first { preferred.contains($0) } ?? compatibleBrands.first { known.contains($0) }
            ?? majorBrand
    }

    /// Whether the image is a sequence: the tracks of the file, not its items.
    package var isSequence: Bool { prefersTracks && movie != nil || meta == nil }

    /// Returns the whole file's structure: the boxes after the header, too. Waits for the end of the file.
    ///
    /// Boxes that are cut off or invalid end the list.
    package func completed(limits: Limits, stop: StopToken?) throws(TexelError) -> ISOMediaFile {
        var file = self
        let count = try bytes.wait(for: .max, stop)
        let parser = ISOParser(bytes, format, limits, stop)
        var position = file.topLevel.last?.range.upperBound ?? 0
        while position < count {
            guard let box = try parser.validBox(at: position) else { break }
            file.topLevel.append(box)
            guard box.range.upperBound <= count else { break }
            if box.type == "meta", file.meta == nil { file.meta = try parser.meta(box) }
            if box.type == "moov", file.movie == nil { file.movie = try parser.movie(box) }
            position = box.range.upperBound
        }
        return file
    }

    /// Returns the data of an item, waiting for them.
    ///
    /// - Returns: `nil` if the item has none, or the file ends before them.
    /// - Throws: `limitExceeded`, `stopped`.
    package func data(of item: ISOItem, limits: Limits, stop: StopToken?) throws(TexelError) -> [UInt8]? {
        guard !item.extents.isEmpty else { return nil }
        return try ISOParser(bytes, format, limits, stop).data(item.extents, limit: limits.metadataBytes)
    }
}

// MARK: Transformations

extension [ISOProperty] {
    /// The transform from the stored image to the displayed one: `irot`, then `imir` (ISO/IEC 23000-22, 7.3.6.7). Each
    /// property counts once.
    package var orientation: Orientation {
        var orientation = Orientation.identity
        if let rotation = first(where: { $0.type == "irot" }), case .rotation(let turns) = rotation.value {
            orientation = [.identity, .rotated270, .rotated180, .rotated90][turns]
        }
        if let mirror = first(where: { $0.type == "imir" }), case .mirror(let exchangesColumns) = mirror.value {
            orientation = orientation.followed(by: exchangesColumns ? .flippedHorizontally : .flippedVertically)
        }
        return orientation
    }
}
