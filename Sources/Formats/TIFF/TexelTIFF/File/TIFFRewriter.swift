import TexelCodecs
import TexelCore

/// Writes pages of a file to a new file with other metadata. The bytes of strips and tiles stay the same.
///
/// The new file has only fields that are known to be kept, so nothing else of the original remains in it. The fields
/// that describe the pixels are made of what was understood, so that they are valid even if those of the file are not.
struct TIFFRewriter {
    private let input: TIFFInput
    private let metadata: WrittenMetadata
    private let keeping: KeptParts
    private let stop: StopToken?
    /// The profile to write instead of the file's own.
    var profile: [UInt8]?

    init(_ input: TIFFInput, metadata: WrittenMetadata, keeping: KeptParts, _ stop: StopToken?) {
        (self.input, self.metadata, self.keeping, self.stop) = (input, metadata, keeping, stop)
    }

    /// Returns a file of some of the pages.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported`, `limitExceeded`, `stopped`.
    func file(of directories: [TIFFFileDirectory]) throws(TexelError) -> [UInt8] {
        _ = try input.bytes.wait(for: .max, stop)
        var contents: [TIFFPageWriter] = []
        for (index, directory) in directories.enumerated() {
            contents.append(try page(directory, isFirst: index == 0))
        }
        let total = contents.reduce(0) { $0 + $1.dataSize }
        let parts = contents.reduce(0) { $0 + $1.partCount + $1.fields.count }
        // 4 GB is what the offsets of a file that is not a BigTIFF reach.
        let isBig = input.isBig || total + parts * 64 + metadataSize > Int(UInt32.max) - (1 << 20)
        return TIFFPageWriter.file(contents, TIFFForm(order: input.order, isBig: isBig), from: input.bytes)
    }

    private var metadataSize: Int {
        (metadata.exif?.count ?? 0) + (metadata.xmp?.count ?? 0) + (metadata.iptc?.count ?? 0)
    }

    private func page(_ directory: TIFFFileDirectory, isFirst: Bool) throws(TexelError) -> TIFFPageWriter {
        let layout = try TIFFLayout(directory, in: input, stop)
        var page = TIFFPageWriter(isTiled: layout.isTiled, try ranges(directory, layout))
        // Without its profile, an image of inks would have other colours.
        let keepsInks = layout.color == .cmyk && profile == nil
        let keepsProfile = try TIFFPageColors.profile(of: directory, layout, in: input, stop)?.fault == nil
        page.fields = try pixelFields(of: directory, layout)
        for entry in directory.entries
        where isKept(entry, isFirst: isFirst) || keepsInks && entry.tag == TIFFTag.profile {
            if entry.tag == TIFFTag.profile, !keepsProfile { continue }
            if page.fields.contains(where: { $0.tag == entry.tag }) { continue }
            guard let range = entry.range, try input.bytes.has(range.upperBound, stop) else { continue }
            page.fields.append(
                TIFFValue(tag: entry.tag, type: entry.type, count: entry.count, bytes: Array(input.bytes[range])))
        }
        if isFirst {
            page.set(metadata, profile: profile, input.order)
        } else if let density = try densityOfFurtherPage(directory) {
            page.set(density, input.order)
        }
        page.fields = page.fields.compactMap { TIFFFieldForm.wellFormed($0, in: layout, input.order) }
        return page
    }

    /// Returns the density to write for a page after the first; `nil` for none.
    private func densityOfFurtherPage(_ directory: TIFFFileDirectory) throws(TexelError) -> PixelDensity? {
        if metadata.overridesDensity { return metadata.density }
        return keeping.isEmpty ? nil : try input.density(of: directory, stop)
    }

    /// Returns the fields of ``TIFFTag/ofLayout``, from what was understood of the file's.
    private func pixelFields(
        of directory: TIFFFileDirectory, _ layout: TIFFLayout
    ) throws(TexelError) -> [TIFFValue] {
        var fields = layout.fields(input.order)
        if layout.color == .palette {
            let palette = try TIFFPageColors.palette(of: directory, layout, in: input, stop)
            // Without all colours, the pixels would have another meaning.
            if palette.isCutOff { throw .truncated(rowsRead: 0, rows: layout.size.height) }
            fields.append(TIFFValue(TIFFTag.colorMap, TIFFValue.short, palette.padded(bits: layout.bits), input.order))
        }
        if layout.compression == .jpeg, let tables = directory[TIFFTag.jpegTables] {
            guard let bytes = try input.bytes(of: tables, stop) else {
                throw .truncated(rowsRead: 0, rows: layout.size.height)
            }
            fields.append(TIFFValue(TIFFTag.jpegTables, undefined: bytes))
        }
        return fields
    }

    /// Returns where the strips or tiles are. What the file does not have of them stays missing.
    private func ranges(
        _ directory: TIFFFileDirectory, _ layout: TIFFLayout
    ) throws(TexelError) -> [Range<Int>] {
        let parts = try TIFFParts(directory, layout, in: input, stop)
        var ranges: [Range<Int>] = []
        for plane in 0..<layout.planeCount {
            for part in 0..<layout.partsOfPlane {
                let range = try parts.range(of: part, plane: plane, stop)
                ranges.append(range.map { $0.clamped(to: 0..<input.bytes.countSoFar) } ?? 0..<0)
            }
        }
        return ranges
    }

    /// Whether a field of the file is copied.
    private func isKept(_ entry: TIFFEntry, isFirst: Bool) -> Bool {
        let tag = entry.tag
        if TIFFTag.ofLayout.contains(tag) { return false }
        if TIFFTag.ofPixels.contains(tag) { return true }
        if TIFFTag.ofColors.contains(tag) { return keeping.contains(.color) && !(isFirst && profile != nil) }
        // Types 13 and 18 hold positions of directories.
        if TIFFTag.ofPositions.contains(tag) || entry.type == 13 || entry.type == 18 { return false }
        if !isFirst, tag == TIFFTag.orientation { return true }
        if TIFFTag.ofDensity.contains(tag) { return false }
        if TIFFTag.ofMetadata.contains(tag) { return !isFirst && keeping.contains(.attachments) }
        // Fields of other programs, such as those of GeoTIFF.
        return keeping.contains(.attachments)
    }
}
