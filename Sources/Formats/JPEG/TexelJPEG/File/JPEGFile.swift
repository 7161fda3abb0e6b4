import PlatformLibc
import TexelCodecs
import TexelCore
import TexelPixels

/// The marker segments of a JPEG file (ITU-T T.81, annex B) up to its first scan. Nothing is decoded.
struct JPEGFile {
    enum Marker {
        static let restart0: UInt8 = 0xD0
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

        /// Whether the marker has no length field: RSTn, SOI, EOI and TEM.
        static func standsAlone(_ marker: UInt8) -> Bool { (0xD0...0xD9).contains(marker) || marker == 0x01 }

        /// Whether the marker is one of APP0…APP15.
        static func isApplication(_ marker: UInt8) -> Bool { (application0...0xEF).contains(marker) }

        /// Whether the marker is one of SOF0…SOF15; DHT, JPG and DAC have numbers among them.
        static func isFrame(_ marker: UInt8) -> Bool {
            (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
        }
    }

    struct Segment {
        var marker: UInt8
        /// The bytes after the length field.
        var payload: Range<Int>
    }

    /// A frame header (SOFn).
    struct Frame: Hashable {
        struct Component: Hashable {
            var identifier: UInt8
            var horizontalSampling: Int
            var verticalSampling: Int
            /// The number of its quantisation table.
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

    /// All segments before the first scan, in file order.
    let segments: [Segment]

    /// The position of the first scan's marker, or the end of the file.
    let scanStart: Int

    /// Reads the segments; waits until they have arrived.
    ///
    /// - Parameter limit: the maximum number of segments.
    /// - Throws: `limitExceeded`, `stopped`.
    init(
        _ bytes: InputBytes, limit: Int = Limits().chunks, stop: StopToken? = nil
    ) throws(TexelError) {
        self.bytes = bytes
        var segments: [Segment] = []
        var position = 2
        while let (marker, after) = try Self.nextMarker(in: bytes, from: position, stop) {
            position = after
            if marker == Marker.startOfScan || marker == Marker.endOfImage {
                position = after - 2
                break
            }
            if Marker.standsAlone(marker) { continue }
            guard try bytes.has(after + 2, stop) else { break }
            let length = bytes.bigEndian(2, at: after)
            guard try bytes.has(after + length, stop) else { break }
            // A length includes its own two bytes. If it is less, continue after them, as decoders do.
            position = after + Swift.max(2, length)
            guard segments.count < limit else { throw .limitExceeded(.chunks, value: limit + 1, allowed: limit) }
            segments.append(Segment(marker: marker, payload: (after + 2)..<position))
        }
        self.segments = segments
        self.scanStart = Swift.min(position, bytes.countSoFar)
    }

    /// Returns the file as if it ended after `count` bytes, at the end of a scan.
    func ending(after count: Int) -> JPEGFile {
        JPEGFile(
            bytes: InputBytes(endingImageAfter: count, of: bytes), segments: segments, scanStart: scanStart)
    }

    private init(bytes: InputBytes, segments: [Segment], scanStart: Int) {
        self.bytes = bytes
        self.segments = segments
        self.scanStart = scanStart
    }

    private static let searchStep = 1 << 20

    /// Finds the next marker at or after `position`. Skips fill bytes and stray data, as decoders do.
    private static func nextMarker(
        in bytes: InputBytes, from position: Int, _ stop: StopToken?
    ) throws(TexelError) -> (marker: UInt8, after: Int)? {
        var (position, there, released) = (position, 0, position)
        while true {
            if position - released >= searchStep {
                bytes.release(before: position)
                released = position
            }
            if there < position + 2 { there = try bytes.wait(for: position + 2, stop) }
            guard there >= position + 2 else { return nil }
            // The last byte that is there cannot be distinguished from a marker without the one after it.
            let end = Swift.min(there - 1, position + searchStep)
            let part = bytes.rawBytes(position..<end)
            guard let base = part.baseAddress, let found = memchr(base, 0xFF, part.count) else {
                position = end
                continue
            }
            position += UnsafeRawPointer(found) - base
            let code = bytes[position + 1]
            if code != 0xFF, code != 0x00 { return (code, position + 2) }
            position += 1
        }
    }

    /// Parses the frame header.
    ///
    /// - Throws: `missingFrame` if there is none; `unsupported` if libjpeg cannot decode the file to eight bits.
    func frame() throws(TexelError) -> Frame {
        guard let segment = segments.first(where: { Marker.isFrame($0.marker) }) else {
            throw .jpeg(.missing("frame header"))
        }
        let at = segment.payload.lowerBound
        guard segment.payload.count >= 6 else { throw .jpeg(.corrupt("the frame header is too short")) }
        let count = Int(bytes[at + 5])
        guard segment.payload.count >= 6 + 3 * count else { throw .jpeg(.corrupt("the frame header is too short")) }
        let frame = Frame(
            marker: segment.marker, precision: Int(bytes[at]), width: bytes.bigEndian(2, at: at + 3),
            height: bytes.bigEndian(2, at: at + 1),
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
        if frame.hasFractionalSampling { throw .unsupported("JPEG with fractional sampling factors") }
        guard frame.width > 0 else { throw .jpeg(.invalidDimensions(width: frame.width, height: frame.height)) }
        // With a height of 0, a DNL marker after the first scan has the height. libjpeg does not read it.
        if frame.height == 0 { throw .unsupported("JPEG with its height after the first scan (DNL)") }
        return frame
    }

    /// Returns the payloads of all segments with `marker` that begin with `identifier`, without the identifier.
    func payloads(_ marker: UInt8, beginningWith identifier: [UInt8]) -> [Range<Int>] {
        segments.compactMap { segment in
            guard segment.marker == marker, bytes[segment.payload].starts(with: identifier) else { return nil }
            return (segment.payload.lowerBound + identifier.count)..<segment.payload.upperBound
        }
    }

    /// Adobe's colour transform: 0 none, 1 YCbCr, 2 YCCK; `nil` if there is no Adobe marker.
    var adobeTransform: Int? {
        guard let payload = payloads(Marker.application14, beginningWith: Array("Adobe".utf8)).first,
            payload.count >= 7
        else { return nil }
        return Int(bytes[payload.lowerBound + 6])
    }

    /// Returns the end of the image, after its EOI marker. Images that other standards append (previews, gain maps)
    /// follow it.
    func end(_ stop: StopToken?) throws(TexelError) -> Int { try walkScans(stop).end ?? bytes.count }

    /// Returns the scans and the tables between them, without the EOI marker. A segment or a marker that the end of the
    /// file cuts is not included.
    func scans(_ stop: StopToken?) throws(TexelError) -> Range<Int> {
        let walk = try walkScans(stop)
        var end = walk.end.map { $0 - 2 } ?? walk.cut ?? bytes.count
        while end > scanStart, bytes[end - 1] == 0xFF { end -= 1 }
        return scanStart..<end
    }

    /// Returns the start of a marker segment that the end of the file truncates; otherwise the end of the file.
    func wholeSegmentsEnd(_ stop: StopToken?) throws(TexelError) -> Int {
        try walkScans(stop).cut ?? bytes.count
    }

    /// Reads the markers from the first scan to the end of the image or to a truncated segment.
    private func walkScans(_ stop: StopToken?) throws(TexelError) -> (end: Int?, cut: Int?) {
        var position = scanStart
        while let (marker, after) = try Self.nextMarker(in: bytes, from: position, stop) {
            position = after
            bytes.release(before: position)
            if marker == Marker.endOfImage { return (after, nil) }
            if Marker.standsAlone(marker) { continue }
            guard try bytes.has(after + 2, stop) else { return (nil, after - 2) }
            position = after + Swift.max(2, bytes.bigEndian(2, at: after))
            guard try bytes.has(position, stop) else { return (nil, after - 2) }
        }
        return (nil, nil)
    }
}
