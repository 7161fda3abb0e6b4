public import TexelPixels

extension EXIF {
    /// Returns the block to write with pixels of the given size and orientation; `nil` if the policy keeps none.
    ///
    /// - `none` and `color` keep no EXIF.
    /// - `privacy` builds a new block from a list of tags that reveal nothing about a person or a location.
    /// - `all` keeps every byte at its offset, because maker notes contain offsets into the block, and corrects only
    ///   the values that the new pixels made wrong.
    ///
    /// - Parameters:
    ///   - policy: which tags are kept, as above.
    ///   - orientation: the transform from the written pixels to the displayed image.
    ///   - size: the size of the written pixels, as stored.
    ///   - keepsThumbnail: false if the pixels changed, because the thumbnail would show the old image.
    ///   - density: the density of the file; `nil` keeps the block's own. A block without a density gets one only under
    ///     `privacy`.
    public func rewritten(
        for policy: MetadataPolicy, orientation: Orientation, size: PixelSize, keepsThumbnail: Bool,
        density: PixelDensity? = nil
    ) -> [UInt8]? {
        switch policy {
        case .none, .color: nil
        case .privacy: privacyBlock(orientation: orientation, size: size, density: density)
        case .all:
            correctedBlock(orientation: orientation, size: size, keepsThumbnail: keepsThumbnail, density: density)
        }
    }
}

// MARK: Corrections in place

extension EXIF {
    private func correctedBlock(
        orientation: Orientation, size: PixelSize, keepsThumbnail: Bool, density: PixelDensity?
    ) -> [UInt8] {
        var block = block
        let width = UInt32(clamping: size.width)
        let height = UInt32(clamping: size.height)
        func correct(_ tag: UInt16, in directory: TIFFDirectory?, to value: UInt32) {
            for entry in directory?.entries ?? [] where entry.tag == tag {
                // A dimension may have either type; an orientation is always a SHORT, even if the writer used another
                // type.
                let isShort = entry.type == .short || tag == EXIFTag.orientation
                block.write(value, to: entry, prefersShort: isShort)
            }
        }
        for directory in [image] + thumbnails {
            correct(EXIFTag.orientation, in: directory, to: UInt32(clamping: orientation.rawValue))
        }
        // Width and length in IFD1 are those of the thumbnail.
        correct(EXIFTag.imageWidth, in: image, to: width)
        correct(EXIFTag.imageLength, in: image, to: height)
        correct(EXIFTag.pixelXDimension, in: exif, to: width)
        correct(EXIFTag.pixelYDimension, in: exif, to: height)
        correct(EXIFTag.relatedImageWidth, in: interoperability, to: width)
        correct(EXIFTag.relatedImageLength, in: interoperability, to: height)
        if let density { write(density, to: &block) }
        if !keepsThumbnail || !thumbnails.allSatisfy({ holdsData(of: $0) }) { removeThumbnail(from: &block) }
        if orientation != .identity, image[EXIFTag.orientation] == nil { add(orientation, to: &block) }
        return block.bytes
    }

    /// Overwrites the density, where it is. Without a unit in the block, the unit is the inch.
    private func write(_ density: PixelDensity, to block: inout TIFFBlock) {
        let unit = image[EXIFTag.resolutionUnit]
        var (code, x, y) = density.resolution
        if unit == nil, code == 3 {
            (code, x, y) = (2, density.perInch(density.horizontal), density.perInch(density.vertical))
        }
        for (tag, value) in [(EXIFTag.xResolution, x), (EXIFTag.yResolution, y)] {
            for entry in image.entries where entry.tag == tag && block.rational(entry) != nil {
                guard let range = entry.valueRange else { continue }
                block.write(value.numerator, at: range.lowerBound)
                block.write(value.denominator, at: range.lowerBound + 4)
            }
        }
        if let unit { block.write(UInt32(code), to: unit, prefersShort: true) }
    }

    /// Unlinks IFD1 and overwrites its bytes and the thumbnail's, so that nothing of the old image remains. Bytes that
    /// other directories use too are kept.
    private func removeThumbnail(from block: inout TIFFBlock) {
        if let link = image.linkOffset { block.write(UInt32(0), at: link) }
        let kept = [image, exif, gps, interoperability].compactMap { $0 }.flatMap(\.occupiedRanges)
        let header = 0..<TIFFBlock.headerSize
        let removed = thumbnails.flatMap { $0.occupiedRanges + thumbnailDataRanges(of: $0) }
        let erased = ByteRanges(removed).subtracting(ByteRanges(kept + [header]))
        for range in erased { block.erase(range) }

        // Most writers put the thumbnail last; the block can then end before it.
        if let last = erased.last, block.bytes[last.upperBound...].allSatisfy({ $0 == 0 }),
            kept.allSatisfy({ $0.upperBound <= last.lowerBound })
        {
            block.truncate(to: last.lowerBound)
        }
    }

    /// Whether the JPEG stream that a directory points to, if any, is in the block and not elsewhere in the file.
    private func holdsData(of directory: TIFFDirectory) -> Bool {
        guard let offset = directory[EXIFTag.thumbnailOffset].flatMap({ block.unsigned($0) }),
            let length = directory[EXIFTag.thumbnailLength].flatMap({ block.unsigned($0) })
        else { return true }
        return UInt64(offset) + UInt64(length) <= UInt64(block.bytes.count)
    }

    /// The maximum number of strips to read. A thumbnail has few; a malicious block may claim millions.
    private static let maximumStrips = 4096

    /// Returns the ranges of the thumbnail's data in a directory: one JPEG stream, or strips.
    private func thumbnailDataRanges(of directory: TIFFDirectory) -> [Range<Int>] {
        let pairs = [
            (EXIFTag.thumbnailOffset, EXIFTag.thumbnailLength), (EXIFTag.stripOffsets, EXIFTag.stripByteCounts),
        ]
        return pairs.flatMap { offsetTag, lengthTag -> [Range<Int>] in
            guard let offsets = directory[offsetTag], let lengths = directory[lengthTag],
                let bytes = offsets.valueRange, let type = offsets.type
            else { return [] }
            let count = min(bytes.count / type.size, Self.maximumStrips)
            return (0..<count).compactMap { index in
                guard let offset = block.unsigned(offsets, at: index).flatMap({ Int(exactly: $0) }),
                    let length = block.unsigned(lengths, at: index).flatMap({ Int(exactly: $0) }),
                    offset < block.bytes.count
                else { return nil }
                return offset..<(offset + min(length, block.bytes.count - offset))
            }
        }
    }

    /// Appends a copy of IFD0 with an orientation entry to the block and points the header to it. Nothing else moves.
    private func add(_ orientation: Orientation, to block: inout TIFFBlock) {
        guard image.entries.count < Int(UInt16.max),
            let start = UInt32(exactly: block.bytes.count + block.bytes.count % 2)
        else { return }
        let order = block.byteOrder
        let type = order.bytes(TIFFType.short.rawValue)
        let value = order.bytes(UInt16(clamping: orientation.rawValue))
        let entry = order.bytes(EXIFTag.orientation) + type + order.bytes(UInt32(1)) + value + [0, 0]
        // Entries are sorted by tag. They are copied from `block`, which has been corrected since they were parsed.
        let before = image.entries.prefix { $0.tag < EXIFTag.orientation }
        let after = image.entries.dropFirst(before.count)
        func bytes(of entry: TIFFDirectory.Entry) -> ArraySlice<UInt8> {
            block.bytes[entry.offset..<(entry.offset + TIFFDirectory.Entry.size)]
        }
        var directory = order.bytes(UInt16(clamping: image.entries.count + 1))
        for kept in before { directory += bytes(of: kept) }
        directory += entry
        for kept in after { directory += bytes(of: kept) }
        directory += order.bytes(image.linkOffset.flatMap { block.uint32(at: $0) } ?? 0)
        block.append([UInt8](repeating: 0, count: block.bytes.count % 2) + directory)
        block.write(start, at: 4)
    }
}
