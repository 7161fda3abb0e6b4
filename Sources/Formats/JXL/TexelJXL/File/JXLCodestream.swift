import TexelCodecs
import TexelCore

/// Reads the codestream of a file in order, from one or several boxes.
struct JXLCodestream: Sendable {
    private let bytes: InputBytes
    private let stop: StopToken?
    /// `nil` for a file without a container.
    private var walk: JXLBoxWalk?
    /// The bytes of the current box that have not been returned.
    private var rest = 0..<0
    /// Whether no box with a part of the codestream may follow.
    private var isLastBox = false
    private var nextPart = 0

    /// Begins before the first byte of the codestream.
    init(_ bytes: InputBytes, hasContainer: Bool, limits: Limits, stop: StopToken?) {
        (self.bytes, self.stop) = (bytes, stop)
        if hasContainer {
            walk = JXLBoxWalk(bytes, limits, stop)
        } else {
            (rest, isLastBox) = (0..<Int.max, true)
        }
    }

    /// Returns the next bytes, at most `count`, which have arrived; waits for at least one.
    ///
    /// - Returns: `nil` if the file or the codestream ends.
    /// - Throws: `damaged`, `limitExceeded`, `stopped`.
    mutating func next(_ count: Int) throws(TexelError) -> Range<Int>? {
        while rest.isEmpty {
            guard !isLastBox, try findPart() else { return nil }
        }
        guard try bytes.has(rest.lowerBound + 1, stop) else { return nil }
        let available = min(rest.upperBound, bytes.countSoFar) - rest.lowerBound
        let end = rest.lowerBound + min(available, count)
        let result = rest.lowerBound..<end
        rest = end..<rest.upperBound
        return result
    }

    /// Moves to the next box with a part of the codestream.
    private mutating func findPart() throws(TexelError) -> Bool {
        while let box = try walk?.next() {
            switch box.type {
            case "jxlc":
                guard nextPart == 0 else { throw .jxl(.corrupt("the file has two codestreams")) }
                (rest, isLastBox) = (box.content, true)
                return true
            case "jxlp":
                // The number of the part; the last one's has its highest bit set.
                guard box.content.count >= 4 else { throw .jxl(.corrupt("a jxlp box is too short")) }
                guard try bytes.has(box.content.lowerBound + 4, stop) else { return false }
                let number = bytes.bigEndian(4, at: box.content.lowerBound)
                guard number & 0x7FFF_FFFF == nextPart else {
                    throw .jxl(.corrupt("the parts of the codestream are not in order"))
                }
                nextPart += 1
                (rest, isLastBox) = ((box.content.lowerBound + 4)..<box.content.upperBound, number >> 31 == 1)
                return true
            default: break
            }
        }
        return false
    }
}
