import TexelCore
package import TexelPixels

/// The tracks of a file: a `moov` box (ISO/IEC 14496-12, 8.2).
package struct ISOMovie: Sendable {
    package let box: ISOBox
    /// The time unit of ``ISOTrack/duration`` and of edit lists: ticks per second.
    package let timescale: Int
    package let tracks: [ISOTrack]
}

/// A track: a sequence of samples, which are coded frames.
package struct ISOTrack: Sendable {
    package let box: ISOBox
    /// The boxes inside, in order.
    package fileprivate(set) var children: [ISOBox] = []
    package fileprivate(set) var id = 0
    /// The size of the frames as displayed, in whole pixels.
    package fileprivate(set) var size = PixelSize(width: 0, height: 0)
    /// The duration with all repetitions, in ticks of the movie; `nil` if it is indefinite.
    package fileprivate(set) var duration: Int?
    /// The kind of the samples: "pict" and "vide" for images, "auxv" for auxiliary images.
    package fileprivate(set) var handler: BoxType?
    /// The time unit of ``samples``: ticks per second.
    package fileprivate(set) var timescale = 0
    /// The coding of the samples: the type of the first sample entry.
    package fileprivate(set) var codingType: BoxType?
    /// The properties in the first sample entry.
    package fileprivate(set) var properties: [ISOProperty] = []
    package fileprivate(set) var samples: [Sample] = []
    /// References to other tracks.
    package fileprivate(set) var references: [ISOReference] = []
    /// The items of the track, such as metadata.
    package fileprivate(set) var meta: ISOMeta?
    /// The edit list; `nil` without one.
    package fileprivate(set) var edits: Edits?
    /// The boxes `hdlr`.
    package fileprivate(set) var handlerBoxes: [ISOBox] = []
    /// Whether a box is not as the standard demands, although its fields are understood. Some readers refuse such a
    /// track, so it must not be copied.
    package fileprivate(set) var hasDefect = false
    /// The boxes `stco` and `co64`, which have positions in the file.
    package fileprivate(set) var offsetBoxes: [ISOBox] = []

    package struct Sample: Sendable, Hashable {
        /// The bytes; the file may end before.
        package let range: Range<Int>
        /// In ticks.
        package fileprivate(set) var duration: Int
    }

    package struct Edits: Sendable, Hashable {
        /// Whether the edits are repeated until the end of the track's duration.
        package let isRepeated: Bool
        /// The duration of all edits in ticks of the movie.
        package let duration: Int
    }

    fileprivate init(_ box: ISOBox) { self.box = box }

    /// Returns the first property of a type.
    package func property(_ type: BoxType) -> ISOProperty? { properties.first { $0.type == type } }

    /// The number of times to play the samples (ISO/IEC 23008-12, 9.6.1); 0 for endless, also without an edit list,
    /// as browsers do.
    package var playCount: Int {
        guard let edits else { return 0 }
        guard edits.isRepeated else { return 1 }
        guard let duration, edits.duration > 0 else { return 0 }
        return max(1, duration / edits.duration + (duration % edits.duration == 0 ? 0 : 1))
    }
}

extension ISOParser {
    /// Reads a `moov` box that has arrived. Tracks without an identifier or with other kinds of samples have no samples
    /// here.
    func movie(_ box: ISOBox) throws(TexelError) -> ISOMovie {
        var timescale = 0
        var tracks: [ISOTrack] = []
        for child in try boxes(in: box.payload) {
            switch child.type {
            case "mvhd":
                var reader = reader(child.payload)
                try reader.skip(try reader.versionAndFlags().version == 1 ? 16 : 8)
                timescale = try reader.unsigned(4)
            case "trak": tracks.append(try track(child))
            default: break
            }
        }
        return ISOMovie(box: box, timescale: timescale, tracks: tracks)
    }

    private func track(_ box: ISOBox) throws(TexelError) -> ISOTrack {
        var track = ISOTrack(box)
        track.children = try boxes(in: box.payload)
        for child in track.children {
            switch child.type {
            case "tkhd":
                if track.id != 0 { track.hasDefect = true }
                try readHeader(child, &track)
            case "meta": track.meta = try meta(child)
            case "edts":
                for list in try boxes(in: child.payload) where list.type == "elst" {
                    track.edits = try edits(list)
                }
                // Without an edit there is no duration.
                if track.edits?.duration ?? 0 == 0 { track.hasDefect = true }
            case "tref":
                for reference in try boxes(in: child.payload) {
                    var reader = reader(reference.payload)
                    try count(reader.count / 4)
                    var to: [Int] = []
                    while reader.count >= 4 { to.append(try reader.unsigned(4)) }
                    track.references.append(ISOReference(type: reference.type, from: 0, to: to))
                }
            case "mdia": try readMedia(child, &track)
            default: break
            }
        }
        return track
    }

    private func readHeader(_ box: ISOBox, _ track: inout ISOTrack) throws(TexelError) {
        var reader = reader(box.payload)
        let isLong = try reader.versionAndFlags().version == 1
        try reader.skip(isLong ? 16 : 8)
        track.id = try reader.unsigned(4)
        try reader.skip(4)
        // All bits set mean that the duration is not known; that is no 63-bit number.
        let (high, low) = (isLong ? try reader.unsigned(4) : 0, try reader.unsigned(4))
        let isIndefinite = low == 0xFFFF_FFFF && (!isLong || high == 0xFFFF_FFFF)
        track.duration = isIndefinite ? nil : Int(exactly: UInt64(high) << 32 | UInt64(low))
        try reader.skip(8 + 2 + 2 + 2 + 2 + 36)
        // 16.16 fixed-point numbers.
        track.size = PixelSize(width: try reader.unsigned(4) >> 16, height: try reader.unsigned(4) >> 16)
    }

    private func edits(_ box: ISOBox) throws(TexelError) -> ISOTrack.Edits {
        var reader = reader(box.payload)
        let (version, flags) = try reader.versionAndFlags()
        let count = try reader.unsigned(4)
        try self.count(count)
        var duration = 0
        for _ in 0..<count {
            let (sum, isTooLarge) = duration.addingReportingOverflow(try reader.unsigned(version == 1 ? 8 : 4))
            guard !isTooLarge else { throw corrupt("the edit list is too long") }
            duration = sum
            try reader.skip((version == 1 ? 8 : 4) + 4)
        }
        return ISOTrack.Edits(isRepeated: flags & 1 == 1, duration: duration)
    }

    private func readMedia(_ box: ISOBox, _ track: inout ISOTrack) throws(TexelError) {
        let children = try boxes(in: box.payload)
        for child in children {
            var reader = reader(child.payload)
            switch child.type {
            case "hdlr":
                try reader.skip(8)
                track.handler = try reader.type()
                track.handlerBoxes.append(child)
                // Three reserved numbers, then a text.
                if reader.count <= 12 || !bytes[(reader.position + 12)..<reader.end].contains(0) {
                    track.hasDefect = true
                }
            case "mdhd":
                try reader.skip(try reader.versionAndFlags().version == 1 ? 16 : 8)
                track.timescale = try reader.unsigned(4)
            default: break
            }
        }
        for information in children where information.type == "minf" {
            for table in try boxes(in: information.payload) where table.type == "stbl" {
                try readSamples(table, &track)
            }
        }
    }

    // MARK: Samples

    private func readSamples(_ box: ISOBox, _ track: inout ISOTrack) throws(TexelError) {
        var tables: [BoxType: ISOBox] = [:]
        for child in try boxes(in: box.payload) where tables[child.type] == nil { tables[child.type] = child }
        track.offsetBoxes = [tables["stco"], tables["co64"]].compactMap { $0 }
        if let descriptions = tables["stsd"] { try readDescription(descriptions, &track) }
        // Sound has more samples than the limit on frames allows, and is not needed.
        guard track.handler == "pict" || track.handler == "vide" || track.handler == "auxv",
            let sizes = try sampleSizes(tables), let offsets = try chunkOffsets(tables), let runs = tables["stsc"]
        else { return }
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(sizes.count)
        var reader = reader(runs.payload)
        _ = try reader.versionAndFlags()
        let runCount = try reader.unsigned(4)
        try count(runCount)
        var next = runCount > 0 ? try readRun(&reader) : nil
        for run in 0..<runCount {
            guard let (first, perChunk) = next else { break }
            next = run + 1 < runCount ? try readRun(&reader) : nil
            let end = next?.first ?? max(first, offsets.count + 1)
            guard first >= 1, end >= first else { throw corrupt("the chunks of a track are not in order") }
            for position in offsets.prefix(end - 1).dropFirst(first - 1) {
                var (position, left) = (position, perChunk)
                while left > 0, ranges.count < sizes.count {
                    let (end, isTooLarge) = position.addingReportingOverflow(sizes[ranges.count])
                    guard !isTooLarge else { throw corrupt("a sample is outside of the file") }
                    ranges.append(position..<end)
                    (position, left) = (end, left - 1)
                }
            }
        }
        track.samples = ranges.map { ISOTrack.Sample(range: $0, duration: 0) }
        if let durations = tables["stts"] { try readDurations(durations, &track) }
    }

    private func readRun(_ reader: inout ISOReader) throws(TexelError) -> (first: Int, perChunk: Int) {
        let (first, perChunk) = (try reader.unsigned(4), try reader.unsigned(4))
        try reader.skip(4)
        return (first, perChunk)
    }

    private func sampleSizes(_ tables: [BoxType: ISOBox]) throws(TexelError) -> [Int]? {
        guard let box = tables["stsz"] ?? tables["stz2"] else { return nil }
        var reader = reader(box.payload)
        _ = try reader.versionAndFlags()
        let isCompact = box.type == "stz2"
        let field = try reader.unsigned(4)
        let count = try reader.unsigned(4)
        guard count <= limits.frames else {
            throw .limitExceeded(.frames, value: count, allowed: limits.frames)
        }
        guard !isCompact else {
            guard [8, 16].contains(field & 255) else { throw corrupt("sample sizes have \(field & 255) bits") }
            return try numbers(count, (field & 255) / 8, &reader)
        }
        return field > 0 ? Array(repeating: field, count: count) : try numbers(count, 4, &reader)
    }

    private func chunkOffsets(_ tables: [BoxType: ISOBox]) throws(TexelError) -> [Int]? {
        guard let box = tables["stco"] ?? tables["co64"] else { return nil }
        var reader = reader(box.payload)
        _ = try reader.versionAndFlags()
        let count = try reader.unsigned(4)
        try self.count(count)
        return try numbers(count, box.type == "stco" ? 4 : 8, &reader)
    }

    private func numbers(_ count: Int, _ size: Int, _ reader: inout ISOReader) throws(TexelError) -> [Int] {
        guard count <= reader.count / size else { throw corrupt("a box is too short for its fields") }
        var numbers: [Int] = []
        numbers.reserveCapacity(count)
        for _ in 0..<count { numbers.append(try reader.unsigned(size)) }
        return numbers
    }

    /// The last duration holds for all samples that have none.
    private func readDurations(_ box: ISOBox, _ track: inout ISOTrack) throws(TexelError) {
        var reader = reader(box.payload)
        _ = try reader.versionAndFlags()
        let count = try reader.unsigned(4)
        try self.count(count)
        var (index, duration) = (0, 0)
        for _ in 0..<count {
            let sampleCount = try reader.unsigned(4)
            duration = try reader.unsigned(4)
            let end = min(track.samples.count, index + sampleCount)
            while index < end {
                track.samples[index].duration = duration
                index += 1
            }
        }
        while index < track.samples.count {
            track.samples[index].duration = duration
            index += 1
        }
    }

    // MARK: Descriptions

    private func readDescription(_ box: ISOBox, _ track: inout ISOTrack) throws(TexelError) {
        var reader = reader(box.payload)
        _ = try reader.versionAndFlags()
        _ = try reader.unsigned(4)
        guard let entry = try self.box(at: reader.position, in: reader.end) else { return }
        track.codingType = entry.type
        // The fields of a visual sample entry (ISO/IEC 14496-12, 12.1.3) precede its boxes.
        let fieldSize = 78
        guard ["pict", "vide", "auxv"].contains(track.handler), entry.payload.count > fieldSize else { return }
        for child in try boxes(in: entry.payload.skipping(fieldSize)) {
            if child.type == "auxi", child.payload.count <= 4 || bytes[child.payload.upperBound - 1] != 0 {
                track.hasDefect = true
            }
            track.properties.append(try property(child))
        }
    }
}
