import CISAL

/// The inflated bytes of the pixels, in pieces, through ISA-L; ends at the first sign that the file is not sound.
///
/// ISA-L reads the chunks where they lie, and holds all it wrote against the Adler-32 at the stream's end.
final class Inflater {
    /// Of the ISA-L that Texel was built with; the library cannot be asked.
    static let libraryVersion = "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)"

    private let file: PNGFile
    /// IDAT chunks of which nothing was read yet.
    private var chunks: ArraySlice<PNGFile.Chunk>
    private let state: UnsafeMutablePointer<inflate_state>
    /// What was inflated and not taken yet is at `begin..<end`.
    private let output: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private var (begin, end) = (0, 0)
    /// Nothing more may be read: the stream is damaged, a chunk did not match its checksum, or ISA-L would accept more
    /// than zlib does.
    private var isBroken: Bool

    /// What is inflated at a time, at least: ISA-L copies its window of 32 KB at each call.
    private static let outputSize = 160 * 1024
    /// Kernels touch some bytes behind a row.
    private static let margin = 64

    /// - Parameters:
    ///   - chunks: the IDAT chunks of `file`.
    ///   - count: the bytes that they should inflate to.
    ///   - piece: the most bytes that are asked for at a time.
    init(_ file: PNGFile, chunks: ArraySlice<PNGFile.Chunk>, count: Int, piece: Int) {
        self.file = file
        self.chunks = chunks
        // ISA-L counts with 32 bits.
        capacity = min(piece + Self.outputSize, Int(UInt32.max))
        isBroken = piece > capacity || !Self.isWindowLarge(file, chunks, count: count)
        output = .allocate(capacity: capacity + Self.margin)
        state = .allocate(capacity: 1)
        isal_inflate_init(state)
        state.pointee.crc_flag = UInt32(ISAL_ZLIB)
    }

    deinit {
        state.deallocate()
        output.deallocate()
    }

    /// Whether no distance within `count` bytes can reach beyond the window that the stream declares (RFC 1950, 2.2).
    /// ISA-L does not look, zlib does.
    private static func isWindowLarge(_ file: PNGFile, _ chunks: ArraySlice<PNGFile.Chunk>, count: Int) -> Bool {
        guard let first = chunks.first(where: { !$0.data.isEmpty }) else { return false }
        let exponent = Int(file.bytes[first.data.lowerBound] >> 4) + 8
        return exponent == 15 || exponent < 15 && count <= 1 << exponent
    }

    /// The next `count` bytes, until anything else is called; they are readable for some bytes more. `nil` if the file
    /// is damaged before their end.
    func peek(_ count: Int) -> UnsafePointer<UInt8>? { fill(count) ? UnsafePointer(output + begin) : nil }

    /// Passes over bytes that were peeked at.
    func take(_ count: Int) { begin += count }

    /// Whether the stream ends here with the right checksum, and the chunks with it.
    func isAtEnd() -> Bool {
        // Whole bytes behind the end may be in ISA-L's bit buffer.
        !fill(1) && !isBroken && state.pointee.block_state == ISAL_BLOCK_FINISH && state.pointee.avail_in == 0
            && state.pointee.read_in_length < 8 && chunks.isEmpty
    }

    /// Inflates until `count` bytes are there; false if they do not come.
    private func fill(_ count: Int) -> Bool {
        guard end - begin < count else { return true }
        output.update(from: output + begin, count: end - begin)
        (begin, end) = (0, end - begin)
        while end < count {
            guard !isBroken, state.pointee.block_state != ISAL_BLOCK_FINISH, inflate() else { return false }
        }
        return true
    }

    /// Inflates what fits, from one chunk; false without progress.
    private func inflate() -> Bool {
        if state.pointee.avail_in == 0 { feed() }
        let (input, room) = (state.pointee.avail_in, capacity - end)
        state.pointee.next_out = output + end
        state.pointee.avail_out = UInt32(room)
        if isal_inflate(state) != ISAL_DECOMP_OK { isBroken = true }
        end += room - Int(state.pointee.avail_out)
        return state.pointee.avail_in < input || Int(state.pointee.avail_out) < room
    }

    /// Hands over the next chunk that is not empty, if it matches its checksum.
    private func feed() {
        while state.pointee.avail_in == 0, !isBroken, let chunk = chunks.popFirst() {
            let (declared, computed) = file.checksums(of: chunk)
            guard declared == computed, let base = file.bytes.base, let count = Int32(exactly: chunk.data.count) else {
                isBroken = true
                return
            }
            // ISA-L only reads there.
            state.pointee.next_in = UnsafeMutablePointer(mutating: base + chunk.data.lowerBound)
            state.pointee.avail_in = UInt32(count)
        }
    }
}
