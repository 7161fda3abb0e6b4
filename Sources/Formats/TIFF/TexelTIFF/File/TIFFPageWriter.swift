import TexelCodecs

/// A page to be written: fields, directories of EXIF, and the strips or tiles in another file.
struct TIFFPageWriter {
    let isTiled: Bool
    var fields: [TIFFValue] = []
    private var exif: [TIFFValue] = []
    private var gps: [TIFFValue] = []
    private var interoperability: [TIFFValue] = []
    /// The ranges of the strips or tiles in the other file; empty for those that it does not have.
    private let ranges: [Range<Int>]
    /// The bytes that they have together, in order: strips may share bytes, which are copied once. So the new file is
    /// not longer than the other, whatever its fields say.
    private let segments: [Range<Int>]

    init(isTiled: Bool, _ ranges: [Range<Int>]) {
        (self.isTiled, self.ranges) = (isTiled, ranges)
        var segments: [Range<Int>] = []
        let filled = ranges.filter { !$0.isEmpty }
        for range in filled.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = segments.last, range.lowerBound <= last.upperBound {
                segments[segments.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                segments.append(range)
            }
        }
        self.segments = segments
    }

    /// The number of strips or tiles.
    var partCount: Int { ranges.count }

    /// The bytes of the strips or tiles.
    var dataSize: Int { segments.reduce(0) { $0 + $1.count } }

    /// Adds metadata.
    mutating func set(_ metadata: WrittenMetadata, profile: [UInt8]?, _ order: ByteOrder) {
        if let profile { replace(TIFFValue(TIFFTag.profile, undefined: profile)) }
        if let xmp = metadata.xmp {
            replace(TIFFValue(tag: TIFFTag.xmp, type: TIFFType.byte.rawValue, count: xmp.count, bytes: xmp))
        }
        if let iptc = metadata.iptc {
            // JPEG's segments begin with a signature, which this field does not have.
            let signature = Array("Photoshop 3.0\0".utf8)
            let resources = iptc.starts(with: signature) ? Array(iptc.dropFirst(signature.count)) : iptc
            replace(
                TIFFValue(
                    tag: TIFFTag.photoshop, type: TIFFType.byte.rawValue, count: resources.count, bytes: resources))
        }
        if let block = metadata.exif.flatMap({ EXIF($0) }) {
            let parts = block.fields(in: order)
            for field in parts.image where TIFFTag.ofEXIF.contains(field.tag) { replace(TIFFValue(field)) }
            exif = parts.exif.map { TIFFValue($0) }
            gps = parts.gps.map { TIFFValue($0) }
            interoperability = parts.interoperability.map { TIFFValue($0) }
            if let density = block.density { set(density, order) }
        }
        if let density = metadata.density { set(density, order) }
    }

    private mutating func replace(_ value: TIFFValue) {
        fields.removeAll { $0.tag == value.tag }
        fields.append(value)
    }

    /// Adds a density, instead of another one.
    mutating func set(_ density: PixelDensity, _ order: ByteOrder) {
        func field(_ tag: UInt16, _ value: Rational) -> TIFFValue {
            TIFFValue(
                tag: tag, type: TIFFType.rational.rawValue, count: 1,
                bytes: order.bytes(value.numerator) + order.bytes(value.denominator))
        }
        let resolution = density.resolution
        replace(field(TIFFTag.xResolution, resolution.horizontal))
        replace(field(TIFFTag.yResolution, resolution.vertical))
        replace(TIFFValue(TIFFTag.resolutionUnit, TIFFValue.short, [Int(resolution.unit)], order))
    }
}

extension TIFFValue {
    fileprivate init(_ field: TIFFField) {
        self.init(tag: field.tag, type: field.type.rawValue, count: Int(field.count), bytes: field.bytes)
    }
}

// MARK: Layout

extension TIFFPageWriter {
    /// Returns a file of pages: each directory is followed by its values, by the directories of EXIF and by its strips
    /// or tiles, so that a reader can begin before the file is complete.
    static func file(_ pages: [TIFFPageWriter], _ form: TIFFForm, from source: InputBytes) -> [UInt8] {
        var bytes = form.header
        let size = pages.reduce(0) { $0 + $1.dataSize + $1.directorySize(form) }
        bytes.reserveCapacity(bytes.count + size + pages.count)
        for (index, page) in pages.enumerated() {
            page.append(to: &bytes, form, from: source, isLast: index == pages.count - 1)
        }
        return bytes
    }

    private func pointer(_ tag: UInt16, _ offset: Int, _ form: TIFFForm) -> TIFFValue {
        TIFFValue(tag, TIFFValue.long, [offset], form.order)
    }

    /// All fields of the main directory.
    private func mainFields(_ form: TIFFForm, exif: Int, gps: Int, data: Int) -> [TIFFValue] {
        // The position of each segment in the new file.
        var starts: [Int] = []
        var position = data
        for segment in segments {
            starts.append(position)
            position += segment.count
        }
        let positions = ranges.map { range in
            guard !range.isEmpty else { return 0 }
            let index = segments.partitionIndex { $0.upperBound > range.lowerBound }
            return starts[index] + range.lowerBound - segments[index].lowerBound
        }
        let tags =
            isTiled
            ? (TIFFTag.tileOffsets, TIFFTag.tileByteCounts) : (TIFFTag.stripOffsets, TIFFTag.stripByteCounts)
        var all = fields
        all.append(TIFFValue(tags.0, form.offsetType, positions, form.order))
        all.append(TIFFValue(tags.1, form.offsetType, ranges.map(\.count), form.order))
        if hasEXIF { all.append(pointer(EXIFTag.exifDirectory, exif, form)) }
        if !self.gps.isEmpty { all.append(pointer(EXIFTag.gpsDirectory, gps, form)) }
        return all
    }

    private var hasEXIF: Bool { !exif.isEmpty || !interoperability.isEmpty }

    private func exifFields(_ form: TIFFForm, interoperability offset: Int) -> [TIFFValue] {
        interoperability.isEmpty ? exif : exif + [pointer(EXIFTag.interoperabilityDirectory, offset, form)]
    }

    private func directorySize(_ form: TIFFForm) -> Int {
        let sets = [
            mainFields(form, exif: 0, gps: 0, data: 0), hasEXIF ? exifFields(form, interoperability: 0) : [],
            interoperability, gps,
        ]
        return sets.reduce(0) { $0 + ($1.isEmpty ? 0 : form.size(of: $1)) }
    }

    private func append(to bytes: inout [UInt8], _ form: TIFFForm, from source: InputBytes, isLast: Bool) {
        let main = bytes.count
        let draft = mainFields(form, exif: 0, gps: 0, data: 0)
        let exifOffset = main + form.size(of: draft)
        let innerOffset = exifOffset + (hasEXIF ? form.size(of: exifFields(form, interoperability: 0)) : 0)
        let gpsOffset = innerOffset + (interoperability.isEmpty ? 0 : form.size(of: interoperability))
        let data = gpsOffset + (gps.isEmpty ? 0 : form.size(of: gps))
        // Directories begin at even positions.
        let end = data + dataSize + dataSize % 2
        bytes += form.directory(
            mainFields(form, exif: exifOffset, gps: gpsOffset, data: data), at: main, next: isLast ? 0 : end)
        if hasEXIF {
            bytes += form.directory(exifFields(form, interoperability: innerOffset), at: exifOffset, next: 0)
        }
        if !interoperability.isEmpty { bytes += form.directory(interoperability, at: innerOffset, next: 0) }
        if !gps.isEmpty { bytes += form.directory(gps, at: gpsOffset, next: 0) }
        for segment in segments { bytes.append(contentsOf: source.rawBytes(segment)) }
        if !isLast, dataSize % 2 == 1 { bytes.append(0) }
    }
}

extension [Range<Int>] {
    /// The index of the first range for which `predicate` is true, if it is true for all ranges after the first.
    fileprivate func partitionIndex(_ predicate: (Range<Int>) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
