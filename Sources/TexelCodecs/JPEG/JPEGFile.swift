import TexelPixels

/// The marker segments of a JPEG file (ITU-T T.81, annex B) up to its first scan, without decoding any.
struct JPEGFile {
    enum Marker {
        static let startOfImage: UInt8 = 0xD8
        static let endOfImage: UInt8 = 0xD9
        static let startOfScan: UInt8 = 0xDA
        static let quantizationTables: UInt8 = 0xDB
        static let comment: UInt8 = 0xFE
        static let application0: UInt8 = 0xE0
        static let application1: UInt8 = 0xE1
        static let application2: UInt8 = 0xE2
        static let application13: UInt8 = 0xED
        static let application14: UInt8 = 0xEE

        /// RSTn and TEM stand alone: no length follows.
        static func standsAlone(_ marker: UInt8) -> Bool { (0xD0...0xD9).contains(marker) || marker == 0x01 }

        /// APP0…APP15.
        static func isApplication(_ marker: UInt8) -> Bool { (application0...0xEF).contains(marker) }

        /// SOF0…SOF15 without DHT, JPG and DAC, which lie between them.
        static func isFrame(_ marker: UInt8) -> Bool {
            (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
        }
    }

    struct Segment {
        var marker: UInt8
        /// What follows the two bytes of the length.
        var payload: Range<Int>
    }

    struct Frame: Hashable {
        struct Component: Hashable {
            var identifier: UInt8
            var horizontalSampling: Int
            var verticalSampling: Int
            /// The number of its table.
            var quantizationTable: Int
        }
        var marker: UInt8
        var precision: Int
        var width: Int
        var height: Int
        var components: [Component]

        var isProgressive: Bool { [0xC2, 0xC6, 0xCA, 0xCE].contains(marker) }
        var isLossless: Bool { [0xC3, 0xC7, 0xCB, 0xCF].contains(marker) }
        var isHierarchical: Bool { (0xC5...0xC7).contains(marker) || (0xCD...0xCF).contains(marker) }
        var isArithmetic: Bool { marker >= 0xC9 }
    }

    let bytes: InputBytes

    /// Everything before the first scan, in its order.
    let segments: [Segment]

    /// Where the marker of the first scan stands, or the end of the file.
    let scanStart: Int

    /// Waits until all of that has arrived.
    ///
    /// - Parameter limit: of the segments.
    /// - Throws: `limitExceeded`, `stopped`.
    init(
        _ bytes: InputBytes, limit: Int = Limits().chunks, stopCheck: StopCheck? = nil
    ) throws(CodecError) {
        self.bytes = bytes
        var segments: [Segment] = []
        var position = 2
        while let (marker, after) = try Self.nextMarker(in: bytes, from: position, stopCheck) {
            position = after
            if marker == Marker.startOfScan || marker == Marker.endOfImage {
                position = after - 2
                break
            }
            if Marker.standsAlone(marker) { continue }
            guard try bytes.has(after + 2, stopCheck) else { break }
            let length = bytes.bigEndian16(at: after)
            guard try bytes.has(after + length, stopCheck) else { break }
            // A length cannot be less than its own two bytes; decoders go on behind it, and so do we.
            position = after + Swift.max(2, length)
            guard segments.count < limit else { throw .limitExceeded(.chunks, value: limit + 1, allowed: limit) }
            segments.append(Segment(marker: marker, payload: (after + 2)..<position))
        }
        self.segments = segments
        self.scanStart = Swift.min(position, bytes.countSoFar)
    }

    /// The same file as though it ended behind `count` bytes, at the end of a scan.
    func ending(after count: Int) -> JPEGFile {
        JPEGFile(
            bytes: InputBytes(endingPictureAfter: count, of: bytes), segments: segments, scanStart: scanStart)
    }

    private init(bytes: InputBytes, segments: [Segment], scanStart: Int) {
        self.bytes = bytes
        self.segments = segments
        self.scanStart = scanStart
    }

    /// The next marker at or after `position`, skipping fill bytes and stray data as decoders do.
    private static func nextMarker(
        in bytes: InputBytes, from position: Int, _ stopCheck: StopCheck?
    ) throws(CodecError) -> (marker: UInt8, after: Int)? {
        var (position, there) = (position, 0)
        while true {
            if there < position + 2 { there = try bytes.wait(for: position + 2, stopCheck) }
            guard there >= position + 2 else { return nil }
            if bytes[position] == 0xFF, bytes[position + 1] != 0xFF, bytes[position + 1] != 0x00 {
                return (bytes[position + 1], position + 2)
            }
            position += 1
        }
    }

    /// The frame header.
    ///
    /// - Throws: `missingFrame` without one; `unsupported` for what libjpeg cannot decode to eight bits.
    func frame() throws(CodecError) -> Frame {
        guard let segment = segments.first(where: { Marker.isFrame($0.marker) }) else { throw .jpeg(.missingFrame) }
        let at = segment.payload.lowerBound
        guard segment.payload.count >= 6 else { throw .jpeg(.corrupt("the frame header is too short")) }
        let count = Int(bytes[at + 5])
        guard segment.payload.count >= 6 + 3 * count else { throw .jpeg(.corrupt("the frame header is too short")) }
        let frame = Frame(
            marker: segment.marker, precision: Int(bytes[at]), width: bytes.bigEndian16(at: at + 3),
            height: bytes.bigEndian16(at: at + 1),
            components: (0..<count).map { index in
                let component = at + 6 + 3 * index
                return Frame.Component(
                    identifier: bytes[component], horizontalSampling: Int(bytes[component + 1] >> 4),
                    verticalSampling: Int(bytes[component + 1] & 15),
                    quantizationTable: Int(bytes[component + 2]))
            })
        if frame.isLossless { throw .unsupported("lossless JPEG") }
        if frame.isHierarchical { throw .unsupported("hierarchical JPEG") }
        if frame.precision != 8 { throw .unsupported("\(frame.precision)-bit JPEG") }
        if ![1, 3, 4].contains(count) { throw .unsupported("JPEG with \(count) components") }
        guard frame.width > 0 else { throw .jpeg(.invalidDimensions(width: frame.width, height: frame.height)) }
        // A height of 0 promises a DNL marker behind the first scan, which libjpeg does not read.
        if frame.height == 0 { throw .unsupported("JPEG whose height follows its pixels") }
        return frame
    }

    /// The payloads of all segments with `marker` that begin with `identifier`, without the identifier.
    func payloads(_ marker: UInt8, beginningWith identifier: [UInt8]) -> [Range<Int>] {
        segments.compactMap { segment in
            guard segment.marker == marker, bytes[segment.payload].starts(with: identifier) else { return nil }
            return (segment.payload.lowerBound + identifier.count)..<segment.payload.upperBound
        }
    }

    /// Adobe's transform byte: 0 as stored, 1 YCbCr, 2 YCCK. `nil` without an Adobe marker.
    var adobeTransform: Int? {
        guard let payload = payloads(Marker.application14, beginningWith: Array("Adobe".utf8)).first,
            payload.count >= 7
        else { return nil }
        return Int(bytes[payload.lowerBound + 6])
    }

    /// Where the picture's own bytes end, its EOI marker included: pictures that other standards append
    /// (previews, gain maps) lie behind it.
    func end(_ stopCheck: StopCheck?) throws(CodecError) -> Int { try walkScans(stopCheck).end ?? bytes.count }

    /// In front of a marker segment that the end of the file cuts short; else the end of the file.
    func wholeSegmentsEnd(_ stopCheck: StopCheck?) throws(CodecError) -> Int {
        try walkScans(stopCheck).cut ?? bytes.count
    }

    /// Looks at the markers from the first scan on, until the picture's end or a segment that is cut.
    private func walkScans(_ stopCheck: StopCheck?) throws(CodecError) -> (end: Int?, cut: Int?) {
        var position = scanStart
        while let (marker, after) = try Self.nextMarker(in: bytes, from: position, stopCheck) {
            position = after
            if marker == Marker.endOfImage { return (after, nil) }
            if Marker.standsAlone(marker) { continue }
            guard try bytes.has(after + 2, stopCheck) else { return (nil, after - 2) }
            position = after + Swift.max(2, bytes.bigEndian16(at: after))
            guard try bytes.has(position, stopCheck) else { return (nil, after - 2) }
        }
        return (nil, nil)
    }
}
