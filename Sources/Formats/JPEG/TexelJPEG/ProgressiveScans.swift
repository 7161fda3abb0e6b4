import CJPEGShim
import TexelCodecs
import TexelPixels

/// Finds the scans of a progressive JPEG as they arrive, and makes sources of the image so far.
///
/// Never blocks; continues where it stopped, and reads each byte once. A scan is complete when the marker after it has
/// arrived. Unusual markers end the search; the decoder reports errors later.
struct ProgressiveScans: ImageScans {
    private let file: JPEGFile
    private let frame: JPEGFile.Frame
    private let info: ImageInfo
    private let scanLimit: Int

    /// Where to continue.
    private var position: Int
    /// The scan that contains `position`; `nil` between scans.
    private var current: Scan?
    /// The end of each complete scan.
    private var ends: [Int] = []
    private var detail: Detail
    /// Whether the end of the image was reached, or a marker after which no scan is used.
    private var hasEnded = false

    /// The numbers of scans after which a preview is useful: it is complete, in colour, and clearly finer than the one
    /// before (see `Detail.Level`). At most four, however many scans the file has; never all scans.
    private(set) var worthwhile: [Int] = []

    /// The number of complete scans.
    var completeScans: Int { ends.count }

    /// - Parameter limit: the number of scans after which to stop (``Limits/scans``).
    /// - Returns: `nil` for files that are not progressive JPEGs.
    init?(_ image: JPEGImageFile, limit: Int) {
        guard image.frame.isProgressive else { return nil }
        (file, frame, info) = (image.file, image.frame, image.info)
        scanLimit = limit
        position = file.scanStart
        detail = Detail(componentCount: frame.components.count)
    }

    /// Returns the image with the first `count` scans, as if the file ended there; `nil` if they are not complete or do
    /// not contain the DC coefficients of all components.
    ///
    /// The source can be decoded to pixels or planes; its bytes are not a valid file.
    func preview(after count: Int) -> (any ImageFile)? {
        guard ends.indices.contains(count - 1), let first = firstWhole, count >= first else { return nil }
        return JPEGImageFile(file.ending(after: ends[count - 1]), frame, info)
    }

    /// The number of scans after which all DC coefficients are known.
    private var firstWhole: Int?

    /// Reads the bytes that have arrived since the last call.
    ///
    /// - Returns: whether ``worthwhile`` has a new entry.
    @discardableResult mutating func advance() -> Bool {
        let before = worthwhile.count
        let whole = file.bytes.wholeCount
        let there = file.bytes.countSoFar
        while !hasEnded, current == nil ? readSegment(there) : readData(there) {}
        if whole != nil { hasEnded = true }
        return worthwhile.count > before
    }

    /// Looks for the end of a scan's data; returns false if it has not arrived.
    private mutating func readData(_ there: Int) -> Bool {
        guard let scan = current, position < there, let base = file.bytes.base else { return false }
        guard let end = texel_jpeg_end_of_scan(base + position, base + there) else {
            // The last byte may be the first byte of a marker.
            position = max(position, there - 1)
            return false
        }
        position = end - base
        current = nil
        finish(scan)
        return true
    }

    /// Reads a marker segment; returns false if it has not arrived.
    private mutating func readSegment(_ there: Int) -> Bool {
        let bytes = file.bytes
        guard position + 2 <= there else { return false }
        let marker = bytes[position + 1]
        guard bytes[position] == 0xFF, marker != 0, marker != JPEGFile.Marker.endOfImage else { return end() }
        if marker == 0xFF || JPEGFile.Marker.standsAlone(marker) {
            position += marker == 0xFF ? 1 : 2
            return true
        }
        guard position + 4 <= there else { return false }
        let next = position + 2 + max(2, bytes.bigEndian(2, at: position + 2))
        guard next <= there else { return false }
        if JPEGFile.Marker.isFrame(marker), !ends.isEmpty { return end() }
        if marker == JPEGFile.Marker.startOfScan {
            guard let scan = Scan(bytes[(position + 4)..<next], frame), ends.count < scanLimit else { return end() }
            current = scan
        }
        position = next
        return true
    }

    private mutating func end() -> Bool {
        hasEnded = true
        return false
    }

    private mutating func finish(_ scan: Scan) {
        ends.append(position)
        let before = detail.level
        detail.add(scan)
        let level = detail.level
        guard level > before else { return }
        if before == .none { firstWhole = ends.count }
        if level < .whole { worthwhile.append(ends.count) }
    }
}

/// A scan header of a progressive file (ITU-T T.81, B.2.3 and G.1.1.1).
private struct Scan {
    /// The indices of the components in the frame.
    let components: [Int]
    let coefficients: ClosedRange<Int>
    /// The number of low bits that the scan does not contain (successive approximation, Al).
    let missingBits: Int8

    /// - Parameter payload: the segment after its length.
    /// - Returns: `nil` for a header that no decoder accepts.
    init?(_ payload: Slice<InputBytes>, _ frame: JPEGFile.Frame) {
        let payload = Array(payload)
        guard let count = payload.first.map({ Int($0) }), (1...4).contains(count), payload.count == 4 + 2 * count
        else { return nil }
        var components: [Int] = []
        for index in 0..<count {
            let identifier = payload[1 + 2 * index]
            guard let place = frame.components.firstIndex(where: { $0.identifier == identifier }) else { return nil }
            components.append(place)
        }
        let (first, last) = (Int(payload[1 + 2 * count]), Int(payload[2 + 2 * count]))
        guard first <= last, last < 64, first > 0 || last == 0 else { return nil }
        self.components = components
        coefficients = first...last
        missingBits = Int8(payload[3 + 2 * count] & 15)
    }
}

/// The precision of the coefficients that are known so far.
private struct Detail {
    enum Level: Int, Comparable {
        case none
        /// The DC coefficients of all components.
        case means
        /// Also the first five AC coefficients of luma.
        case outlines
        /// Also all AC coefficients of luma.
        case brightness
        /// All coefficients of all components, except the lowest bit.
        case fine
        /// All coefficients.
        case whole

        static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    /// The number of missing bits of each coefficient of each component; `nil` if no scan has contained it.
    private var missingBits: [[Int8?]]
    private(set) var level = Level.none

    init(componentCount: Int) {
        missingBits = Array(repeating: Array(repeating: nil, count: 64), count: componentCount)
    }

    mutating func add(_ scan: Scan) {
        for component in scan.components {
            for index in scan.coefficients { missingBits[component][index] = scan.missingBits }
        }
        level = max(level, found)
    }

    private var found: Level {
        guard missingBits.allSatisfy({ $0[0] != nil }), let brightness = missingBits.first else { return .none }
        let most = missingBits.joined().reduce(into: Int8(0)) { $0 = max($0, $1 ?? .max) }
        if most == 0 { return .whole }
        if most == 1 { return .fine }
        if !brightness.contains(nil) { return .brightness }
        // libjpeg's standard script begins with these AC coefficients of luma.
        return brightness[1...5].contains(nil) ? .means : .outlines
    }
}
