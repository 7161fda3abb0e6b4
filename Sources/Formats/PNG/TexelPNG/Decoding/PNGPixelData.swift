import TexelCodecs
import TexelCore
import TexelPixels

/// The data of consecutive IDAT chunks, in pieces whose checksum has been verified where possible.
///
/// A chunk that has arrived completely is verified and then returned in large pieces. A chunk that is still arriving is
/// returned in steps of libpng's read size (PNG_IDAT_READ_SIZE), and verified at its end. If rows of damaged files are
/// accepted, an early row must not differ from what the whole file would give; every chunk is then awaited.
struct PNGPixelData {
    private let file: PNGFile
    private let waitsForChunks: Bool
    private let stop: StopToken?
    /// The position after the current chunk.
    private var next: Int
    /// The part of the current chunk that has not been returned.
    private var rest = 0..<0
    /// The running checksum of a chunk that was not verified in advance.
    private var checksum: UInt32?

    private static let step = 4096

    /// - Parameters:
    ///   - position: the position of the first chunk.
    ///   - waitsForChunks: whether to wait for the whole chunk before returning any of it.
    init(_ file: PNGFile, at position: Int, waitsForChunks: Bool, _ stop: StopToken?) {
        self.file = file
        self.waitsForChunks = waitsForChunks
        self.stop = stop
        next = position
    }

    /// Whether the whole file is there, so that reading never waits for bytes.
    var isWhole: Bool { file.bytes.wholeCount != nil }

    /// The result of reading a piece.
    enum Piece {
        /// A non-empty part of the data.
        case bytes(UnsafeBufferPointer<UInt8>)
        /// There is no further chunk.
        case end
        /// A checksum does not match, or the file ends inside a chunk.
        case damaged
    }

    /// Returns the next piece; waits until it has arrived.
    ///
    /// - Throws: `stopped`.
    mutating func piece() throws(TexelError) -> Piece {
        while rest.isEmpty {
            guard try endsSoundly() else { return .damaged }
            guard let begins = try beginChunk() else { return .end }
            guard begins else { return .damaged }
        }
        let begin = rest.lowerBound
        file.bytes.release(before: begin)
        let wanted = min(rest.count, checksum == nil ? PNGFile.step : Self.step)
        let there = try file.bytes.wait(for: begin + wanted, stop) - begin
        guard there >= wanted else { return .damaged }
        let count = checksum == nil ? wanted : there >= rest.count ? rest.count : there / Self.step * Self.step
        let raw = file.bytes.rawBytes(begin..<(begin + count))
        if let checksum { self.checksum = CRC32.checksum(raw, after: checksum) }
        rest = (begin + count)..<rest.upperBound
        return .bytes(raw.bindMemory(to: UInt8.self))
    }

    /// Returns whether all data has been returned and verified.
    ///
    /// - Throws: `stopped`.
    mutating func isAtEnd() throws(TexelError) -> Bool {
        guard rest.isEmpty, try endsSoundly() else { return false }
        return try beginChunk() == nil
    }

    /// Verifies a chunk that was returned in steps.
    private mutating func endsSoundly() throws(TexelError) -> Bool {
        guard let computed = checksum else { return true }
        guard try file.bytes.has(next, stop) else { return false }
        checksum = nil
        return file.bytes.bigEndian(4, at: next - 4) == computed
    }

    /// Moves to the next chunk.
    ///
    /// - Returns: whether the chunk is valid so far; `nil` if there is none.
    private mutating func beginChunk() throws(TexelError) -> Bool? {
        guard try file.bytes.has(next + 12, stop) else { return nil }
        let chunk = file.announcedChunk(at: next)
        guard chunk.name == "IDAT" else { return nil }
        if waitsForChunks { _ = try file.bytes.has(chunk.whole.upperBound, stop) }
        let isWhole = file.bytes.countSoFar >= chunk.whole.upperBound
        if isWhole {
            let (declared, computed) = file.checksums(of: chunk)
            guard declared == computed else { return false }
        } else if let count = file.bytes.wholeCount, count < chunk.whole.upperBound {
            return nil
        } else {
            checksum = CRC32.checksum(file.bytes.rawBytes((chunk.data.lowerBound - 4)..<chunk.data.lowerBound))
        }
        (next, rest) = (chunk.whole.upperBound, chunk.data)
        return true
    }
}
