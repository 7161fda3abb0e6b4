import CCodecShims
import TexelPixels

/// Finds the scans of a progressive JPEG as they become complete, and makes sources of the picture so far.
///
/// It never waits, remembers where it was, and looks at each byte once; a scan counts when the marker behind it is
/// there. Where the markers are unusual it stops looking: the picture itself is the decoder's to judge.
package struct ProgressiveScans: Sendable {
    private let file: JPEGFile
    private let frame: JPEGFile.Frame
    private let info: ImageInfo
    private let scanLimit: Int

    /// Where to look on.
    private var position: Int
    /// The scan in whose data `position` lies; between scans `nil`.
    private var current: Scan?
    /// Where each complete scan ends.
    private var ends: [Int] = []
    private var detail: Detail
    /// The end of the picture was seen, or something that nobody need look behind.
    private var hasEnded = false

    /// After which numbers of scans the picture so far is worth a look: whole, in full colour, and clearly finer than
    /// the one before (see ``Detail/Level``). At most four, however many scans a file has, and never the picture with
    /// all of its scans.
    package private(set) var worthwhile: [Int] = []

    /// How many scans are complete.
    package var completeScans: Int { ends.count }

    /// - Parameter scanLimit: after how many scans to stop looking (``Limits/scans``).
    /// - Returns: `nil` for files that are not progressive JPEGs.
    package init?(_ source: ImageSource, scanLimit: Int) {
        guard case .jpeg(let file, let frame) = source.container, frame.isProgressive else { return nil }
        self.file = file
        self.frame = frame
        self.scanLimit = scanLimit
        info = source.info
        position = file.scanStart
        detail = Detail(componentCount: frame.components.count)
    }

    /// The picture with the first `count` scans, as though the file ended there; `nil` where they do not make a whole
    /// picture in full colour, or are not complete.
    ///
    /// All routes that decode pixels or planes serve it; its bytes are not a file of their own.
    package func preview(after count: Int) -> ImageSource? {
        guard ends.indices.contains(count - 1), let first = firstWhole, count >= first else { return nil }
        return ImageSource(file.ending(after: ends[count - 1]), frame, info)
    }

    /// After how many scans the picture was whole for the first time.
    private var firstWhole: Int?

    /// Looks at the bytes that have come since.
    ///
    /// - Returns: whether there is another entry in ``worthwhile``.
    @discardableResult package mutating func advance() -> Bool {
        let before = worthwhile.count
        let whole = file.bytes.wholeCount
        let there = file.bytes.countSoFar
        while !hasEnded, current == nil ? readSegment(there) : readData(there) {}
        if whole != nil { hasEnded = true }
        return worthwhile.count > before
    }

    /// Looks for the end of a scan's data; false where it is not there yet.
    private mutating func readData(_ there: Int) -> Bool {
        guard let scan = current, position < there, let base = file.bytes.base else { return false }
        guard let end = texel_jpeg_end_of_scan(base + position, base + there) else {
            // The last byte may be the first of a marker.
            position = max(position, there - 1)
            return false
        }
        position = end - base
        current = nil
        finish(scan)
        return true
    }

    /// Reads a marker and its segment; false where they are not there yet.
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
        let next = position + 2 + max(2, bytes.bigEndian16(at: position + 2))
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

/// A scan header of a progressive picture (ITU-T T.81, B.2.3 and G.1.1.1).
private struct Scan {
    /// Their places in the frame.
    let components: [Int]
    let coefficients: ClosedRange<Int>
    /// The bits that are still missing behind it.
    let missingBits: Int8

    /// - Parameter payload: what follows the length; `nil` where no decoder would take it.
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

/// What of a picture's coefficients is known.
private struct Detail {
    enum Level: Int, Comparable {
        case none
        /// The mean of each block, of all components.
        case means
        /// The lowest frequencies of the brightness.
        case outlines
        /// All frequencies of the brightness.
        case brightness
        /// All frequencies of all components, to the last bit but one.
        case fine
        case whole

        static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    /// Of each coefficient of each component the bits that are missing; `nil` where all are.
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
        // Where libjpeg's own first scan of them ends.
        return brightness[1...5].contains(nil) ? .means : .outlines
    }
}
