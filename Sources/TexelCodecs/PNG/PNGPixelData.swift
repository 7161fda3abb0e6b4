/// The data of consecutive IDAT chunks, handed out in the pieces in which they may be believed.
///
/// A chunk that is there as a whole is held against its checksum first and then handed out at once. One that still
/// arrives is handed out in the steps in which libpng reads (PNG_IDAT_READ_SIZE), and its checksum is asked for at its
/// end. Where rows of a damaged file count, none may come out that the whole file would not have given: then every chunk
/// is waited for.
struct PNGPixelData {
    private let file: PNGFile
    private let waitsForChunks: Bool
    private let stopCheck: StopCheck?
    /// Where the chunk behind the current one begins.
    private var next: Int
    /// What was not handed out of the current chunk.
    private var rest = 0..<0
    /// Of the name and of what was handed out, where the chunk was not checked as a whole.
    private var checksum: UInt32?

    private static let step = 4096

    /// - Parameters:
    ///   - position: where the first chunk begins.
    ///   - waitsForChunks: whether nothing is handed out of a chunk that still arrives.
    init(_ file: PNGFile, at position: Int, waitsForChunks: Bool, _ stopCheck: StopCheck?) {
        self.file = file
        self.waitsForChunks = waitsForChunks
        self.stopCheck = stopCheck
        next = position
    }

    enum Piece {
        /// Not empty.
        case bytes(UnsafeBufferPointer<UInt8>)
        case end
        /// A checksum does not match, or the file ends inside a chunk that has begun.
        case damaged
    }

    /// Waits for the next piece.
    ///
    /// - Throws: `stopped`.
    mutating func piece() throws(CodecError) -> Piece {
        while rest.isEmpty {
            guard try endsSoundly() else { return .damaged }
            guard let begins = try beginChunk() else { return .end }
            guard begins else { return .damaged }
        }
        let begin = rest.lowerBound
        let wanted = checksum == nil ? rest.count : min(rest.count, Self.step)
        let there = try file.bytes.wait(for: begin + wanted, stopCheck) - begin
        guard there >= wanted else { return .damaged }
        let count = there >= rest.count ? rest.count : there / Self.step * Self.step
        let raw = file.bytes.rawBytes(begin..<(begin + count))
        if let checksum { self.checksum = CRC32.checksum(raw, after: checksum) }
        rest = (begin + count)..<rest.upperBound
        return .bytes(raw.bindMemory(to: UInt8.self))
    }

    /// Whether everything was handed out, and was sound.
    ///
    /// - Throws: `stopped`.
    mutating func isAtEnd() throws(CodecError) -> Bool {
        guard rest.isEmpty, try endsSoundly() else { return false }
        return try beginChunk() == nil
    }

    /// Holds a chunk that was handed out in steps against its checksum.
    private mutating func endsSoundly() throws(CodecError) -> Bool {
        guard let computed = checksum else { return true }
        guard try file.bytes.has(next, stopCheck) else { return false }
        checksum = nil
        return file.bytes.bigEndian32(at: next - 4) == computed
    }

    /// - Returns: whether the chunk may be read; `nil` where none follows.
    private mutating func beginChunk() throws(CodecError) -> Bool? {
        guard try file.bytes.has(next + 12, stopCheck) else { return nil }
        let chunk = file.announcedChunk(at: next)
        guard chunk.name == "IDAT" else { return nil }
        if waitsForChunks { _ = try file.bytes.has(chunk.whole.upperBound, stopCheck) }
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
