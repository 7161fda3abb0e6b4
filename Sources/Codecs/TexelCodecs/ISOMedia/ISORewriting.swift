package import TexelCore

/// Replaces the metadata of a file; the coded images stay bit for bit.
///
/// The bytes of the removed metadata are cut out, so positions in the file change: `iloc`, `stco` and `co64` follow.
package struct ISORewriting {
    /// The EXIF block to write, starting with its TIFF header.
    package var exif: [UInt8]?
    /// The XMP packet to write.
    package var xmp: [UInt8]?
    /// Whether to keep ICC profiles.
    package var keepsProfiles = true
    /// Whether to keep metadata and boxes of other kinds.
    package var keepsOthers = false

    private let file: ISOMediaFile
    private let limits: Limits
    private let stop: StopToken?

    /// - Parameter file: the structure of the whole file.
    package init(_ file: ISOMediaFile, limits: Limits, stop: StopToken?) {
        (self.file, self.limits, self.stop) = (file, limits, stop)
    }

    private var newItems: [ISOMetaWriting.NewItem] { [exif.map { .exif($0) }, xmp.map { .xmp($0) }].compactMap { $0 } }

    /// Returns the new file.
    ///
    /// - Throws: `unsupported` for a structure whose positions cannot be corrected; `damaged`, `stopped`.
    package func rewritten() throws(TexelError) -> [UInt8] {
        let count = try file.bytes.wait(for: .max, stop)
        try check()
        // The lengths of all replacements do not depend on positions, so the first pass finds where bytes move.
        let draft = try edits(positions: newItems.map { _ in 0 }, count, moved: { $0 })
        let place = draft.insertion
        var positions: [Int] = []
        var position = draft.edits.moved(place.at) + place.offset
        for item in newItems {
            positions.append(position)
            position += item.data.count
        }
        for range in keptData where draft.edits.touches(range) {
            throw .unsupported("changing the metadata of a file whose image data overlap its metadata")
        }
        return try edits(positions: positions, count, moved: { draft.edits.moved($0) }).edits
            .applied(to: file.bytes, count: count)
    }

    private func check() throws(TexelError) {
        if file.topLevel.contains(where: { ["moof", "sidx", "mfra"].contains($0.type) }) {
            throw .unsupported("changing the metadata of a fragmented file")
        }
        if items.contains(where: { $0.isElsewhere }) {
            throw .unsupported("changing the metadata of a file whose items are in other files or in other items")
        }
        guard items.allSatisfy({ $0.end < 1 << 62 }) else {
            throw .unsupported("changing the metadata of a file whose data are outside of it")
        }
        guard items.allSatisfy({ $0.id <= Int(UInt32.max) - 2 }) else {
            throw .unsupported("changing the metadata of a file that has no identifiers left for items")
        }
    }

    private var tracks: [ISOTrack] { file.movie?.tracks ?? [] }

    /// The items of the file and of its tracks.
    private var items: [ISOItem] { (file.meta?.items ?? []) + tracks.flatMap { $0.meta?.items ?? [] } }

    // MARK: What is dropped

    /// Returns the identifiers of the items to remove: EXIF and XMP, and other blocks that describe an image.
    private func dropped(_ meta: ISOMeta) -> Set<Int> {
        let describing = Set(meta.references.filter { $0.type == "cdsc" }.map(\.from))
        return Set(
            meta.items.filter { item in
                item.isEXIF || item.isXMP
                    || !keepsOthers && describing.contains(item.id) && ["mime", "uri "].contains(item.type)
            }.map(\.id))
    }

    private func extents(of meta: ISOMeta?, areDropped: Bool) -> [Range<Int>] {
        guard let meta else { return [] }
        let dropped = dropped(meta)
        return meta.items.filter { $0.construction == 0 && dropped.contains($0.id) == areDropped }.flatMap(\.extents)
    }

    /// The bytes of images and of everything else that stays.
    private var keptData: [Range<Int>] {
        extents(of: file.meta, areDropped: false) + tracks.flatMap { $0.samples.map(\.range) }
    }

    // MARK: Replacements

    /// Where the data of new items are inserted: this many bytes after the new place of a byte.
    private typealias Insertion = (at: Int, offset: Int)

    private func edits(
        positions: [Int], _ count: Int, moved: (Int) -> Int
    ) throws(TexelError) -> (edits: ISOEdits, insertion: Insertion) {
        var edits = ISOEdits()
        // Data may be declared after the end of the file.
        let end = items.reduce(count) { max($0, $1.end) }
        let isLarge = end + newItems.reduce(0) { $0 + $1.data.count } + 1 << 20 > Int(UInt32.max)
        let data = newItems.isEmpty ? [] : ISOBytes.box("mdat", newItems.flatMap(\.data))
        var insertion: Insertion = (0, 0)
        if let meta = file.meta {
            let box = writing(meta, isLarge).box(positions: positions, moved: moved)
            edits.replace(meta.box.range, with: box + data)
            insertion = (meta.box.range.lowerBound, box.count + 8)
        } else if let first = file.topLevel.first {
            // After the brands.
            edits.replace(first.range.upperBound..<first.range.upperBound, with: data)
            insertion = (first.range.upperBound - 1, 1 + 8)
        }
        if let brands = file.topLevel.first, file.validMajorBrand != file.majorBrand {
            let start = brands.payload.lowerBound
            edits.replace(start..<(start + 4), with: file.validMajorBrand.bytes)
        }
        try editMovie(&edits, positions, isLarge, moved)
        cutData(&edits, count)
        if !keepsOthers {
            for box in file.topLevel where ["free", "skip", "uuid"].contains(box.type) {
                edits.replace(box.range.clamped(to: 0..<count), with: [])
            }
        }
        guard edits.sort() else { throw .damaged(file.format, .corrupt("boxes overlap")) }
        return (edits, insertion)
    }

    private func writing(_ meta: ISOMeta?, _ isLarge: Bool) -> ISOMetaWriting {
        ISOMetaWriting(
            original: meta, bytes: file.bytes, dropped: meta.map { dropped($0) } ?? [], newItems: newItems,
            dropsProfiles: !keepsProfiles, isLarge: isLarge)
    }

    /// Cuts the bytes of removed items out of `mdat` boxes, unless something else needs them.
    private func cutData(_ edits: inout ISOEdits, _ count: Int) {
        let removed =
            extents(of: file.meta, areDropped: true) + tracks.flatMap { extents(of: $0.meta, areDropped: true) }
        let kept = keptData + tracks.flatMap { extents(of: $0.meta, areDropped: false) }
        let unused = ByteRanges(removed).subtracting(ByteRanges(kept))
        for box in file.topLevel where box.type == "mdat" {
            let parts = unused.compactMap { range -> Range<Int>? in
                // The file may end before the metadata do.
                let part = range.clamped(to: box.payload).clamped(to: 0..<count)
                return part.isEmpty ? nil : part
            }
            for part in parts { edits.replace(part, with: []) }
            edits.resize(box, by: -parts.reduce(0) { $0 + $1.count })
        }
    }

    private func editMovie(
        _ edits: inout ISOEdits, _ positions: [Int], _ isLarge: Bool, _ moved: (Int) -> Int
    ) throws(TexelError) {
        guard let movie = file.movie else { return }
        let parser = ISOParser(file.bytes, file.format, limits, stop)
        var movieGrowth = 0
        for child in try parser.boxes(in: movie.box.payload) where child.type == "udta" && !keepsOthers {
            edits.replace(child.range, with: [])
            movieGrowth -= child.range.count
        }
        for track in tracks {
            var growth = 0
            for child in track.children where child.type == "udta" && !keepsOthers {
                edits.replace(child.range, with: [])
                growth -= child.range.count
            }
            let isMain = track.id == mainTrack?.id
            if let meta = track.meta {
                let isEmpty = newItems.isEmpty || !isMain
                let box =
                    isEmpty && dropped(meta).count == meta.items.count
                    ? []
                    : ISOMetaWriting(
                        original: meta, bytes: file.bytes, dropped: dropped(meta), newItems: isMain ? newItems : [],
                        dropsProfiles: !keepsProfiles, isLarge: isLarge
                    ).box(positions: positions, moved: moved)
                edits.replace(meta.box.range, with: box)
                growth += box.count - meta.box.range.count
            } else if isMain, !newItems.isEmpty {
                let box = writing(nil, isLarge).box(positions: positions, moved: moved)
                edits.replace(track.box.range.upperBound..<track.box.range.upperBound, with: box)
                growth += box.count
            }
            edits.resize(track.box, by: growth)
            movieGrowth += growth
            for box in track.offsetBoxes { try edits.correctOffsets(box, parser, moved) }
            for box in track.handlerBoxes where box.payload.count >= 8 {
                // Readers refuse other values of the version, the flags and the next field, which means nothing
                // (ISO/IEC 14496-12, 8.4.3).
                let fields = box.payload.lowerBound..<(box.payload.lowerBound + 8)
                edits.replace(fields, with: [UInt8](repeating: 0, count: 8))
            }
            if !keepsProfiles {
                for property in track.properties {
                    guard case .profile = property.value else { continue }
                    let empty = ISOBytes.number(property.box.range.count, 4) + BoxType("free").bytes
                    let padding = [UInt8](repeating: 0, count: max(0, property.box.range.count - 8))
                    edits.replace(property.box.range, with: empty + padding)
                }
            }
        }
        edits.resize(movie.box, by: movieGrowth)
    }

    /// The track whose metadata are those of the file: the first that is not auxiliary to another.
    private var mainTrack: ISOTrack? {
        tracks.first { track in
            !track.samples.isEmpty && !track.references.contains { $0.type == "auxl" } && track.handler != "auxv"
        }
    }
}
