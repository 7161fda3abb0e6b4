package import TexelCore

/// Corrects the times in the tracks of a file: without the time of creation, and with a number of repetitions.
package struct ISOTiming {
    private let file: ISOMediaFile
    private let parser: ISOParser

    /// - Parameter file: the structure of the whole file.
    package init(_ file: ISOMediaFile) {
        self.file = file
        var limits = Limits()
        limits.chunks = .max
        parser = ISOParser(file.bytes, file.format, limits, nil)
    }

    /// Returns the file whose bytes do not depend on the time, and whose tracks are played `playCount` times.
    ///
    /// - Parameter playCount: 0 for endless.
    /// - Throws: `damaged`, `unsupported`.
    package func corrected(playCount: Int) throws(TexelError) -> [UInt8] {
        guard let movie = file.movie else { throw .damaged(file.format, .missing("box moov")) }
        let draft = try edits(movie, playCount, moved: { $0 })
        let edits = try edits(movie, playCount, moved: { draft.moved($0) })
        return edits.applied(to: file.bytes, count: file.bytes.count)
    }

    private func edits(_ movie: ISOMovie, _ playCount: Int, moved: (Int) -> Int) throws(TexelError) -> ISOEdits {
        var edits = ISOEdits()
        var growth = 0
        let durations = movie.tracks.map { track in duration(of: track, in: movie) }
        let longest = durations.max() ?? 0
        for child in try parser.boxes(in: movie.box.payload) where child.type == "mvhd" {
            try clearTimes(child, idCount: 0, duration: total(longest, playCount), &edits)
        }
        for (track, duration) in zip(movie.tracks, durations) {
            for child in track.children {
                switch child.type {
                case "tkhd": try clearTimes(child, idCount: 2, duration: total(duration, playCount), &edits)
                case "edts": edits.replace(child.range, with: [])
                case "mdia":
                    for header in try parser.boxes(in: child.payload) where header.type == "mdhd" {
                        try clearTimes(header, idCount: 0, duration: nil, &edits)
                    }
                default: break
                }
            }
            let list = editList(duration, isRepeated: playCount != 1)
            let old = track.children.filter { $0.type == "edts" }.reduce(0) { $0 + $1.range.count }
            guard let media = track.children.first(where: { $0.type == "mdia" }) else { continue }
            edits.replace(media.range.lowerBound..<media.range.lowerBound, with: list)
            edits.resize(track.box, by: list.count - old)
            growth += list.count - old
            for box in track.offsetBoxes { try edits.correctOffsets(box, parser, moved) }
        }
        edits.resize(movie.box, by: growth)
        for item in file.meta?.items ?? [] where item.construction == 0 {
            guard item.extents.allSatisfy({ $0.upperBound <= movie.box.range.lowerBound }) else {
                return try withItems(edits, moved)
            }
        }
        return try sorted(edits)
    }

    private func sorted(_ edits: ISOEdits) throws(TexelError) -> ISOEdits {
        var edits = edits
        guard edits.sort() else { throw .damaged(file.format, .corrupt("boxes overlap")) }
        return edits
    }

    /// Adds the new positions of items.
    private func withItems(_ edits: ISOEdits, _ moved: (Int) -> Int) throws(TexelError) -> ISOEdits {
        guard let meta = file.meta else { return try sorted(edits) }
        var edits = edits
        let writing = ISOMetaWriting(
            original: meta, bytes: file.bytes, dropped: [], newItems: [], dropsProfiles: false, isLarge: false)
        edits.replace(meta.box.range, with: writing.box(positions: [], moved: moved))
        return try sorted(edits)
    }

    /// Returns the duration of all samples in ticks of the movie.
    private func duration(of track: ISOTrack, in movie: ISOMovie) -> Int {
        // There are at most 2^32 samples, whose durations have 32 bits.
        let ticks = track.samples.reduce(Double(0)) { $0 + Double($1.duration) }
        let scale = track.timescale > 0 ? Double(movie.timescale) / Double(track.timescale) : 1
        return Int(min((ticks * scale).rounded(), 0x1p62))
    }

    /// Returns the duration with all repetitions; all bits set mean that it is indefinite.
    private func total(_ duration: Int, _ playCount: Int) -> UInt64 {
        guard playCount > 0 else { return .max }
        let (product, isTooLarge) = UInt64(duration).multipliedReportingOverflow(by: UInt64(playCount))
        return isTooLarge ? .max : product
    }

    /// Clears the times of creation and modification of a header, and sets its duration.
    ///
    /// - Parameter idCount: the number of 32-bit fields between the times and the duration besides, in `mvhd` and
    ///   `mdhd`, the timescale.
    private func clearTimes(
        _ box: ISOBox, idCount: Int, duration: UInt64?, _ edits: inout ISOEdits
    ) throws(TexelError) {
        var reader = parser.reader(box.payload)
        let size = try reader.versionAndFlags().version == 1 ? 8 : 4
        edits.replace(reader.position..<(reader.position + 2 * size), with: ISOBytes.number(0, 2 * size))
        try reader.skip(2 * size + (idCount == 0 ? 4 : 4 * idCount))
        guard let duration else { return }
        let limited = size == 8 ? duration : min(duration, UInt64(UInt32.max))
        edits.replace(
            reader.position..<(reader.position + size), with: ISOBytes.number(Int(bitPattern: UInt(limited)), size))
    }

    /// Returns an edit list of one edit (ISO/IEC 14496-12, 8.6.6).
    private func editList(_ duration: Int, isRepeated: Bool) -> [UInt8] {
        let fields =
            ISOBytes.number(1, 4) + ISOBytes.number(duration, 8) + ISOBytes.number(0, 8) + ISOBytes.number(1, 2)
            + ISOBytes.number(0, 2)
        return ISOBytes.box("edts", ISOBytes.box("elst", version: 1, flags: isRepeated ? 1 : 0, fields))
    }
}
