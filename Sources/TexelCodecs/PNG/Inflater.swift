import CISAL

/// The inflated bytes of the pixels, in pieces, through ISA-L; ends at the first sign that the file is not sound.
///
/// ISA-L reads the chunks where they lie, and holds all it wrote against the Adler-32 at the stream's end.
final class Inflater {
    /// Of the ISA-L that Texel was built with; the library cannot be asked.
    static let libraryVersion = "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)"

    /// Of which nothing was read yet.
    private var data: PNGPixelData
    /// The bytes that the picture should inflate to.
    private let count: Int
    private var hasBegun = false
    private let state: UnsafeMutablePointer<inflate_state>
    /// What was inflated and not taken yet is at `begin..<end`.
    private let output: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private var (begin, end) = (0, 0)
    /// Nothing more may be read: the stream is damaged, a chunk did not match its checksum, or ISA-L would accept more
    /// than zlib does.
    private var isBroken: Bool
    /// Why bytes that were needed did not come; nothing more may be read then.
    private(set) var interruption: CodecError?
    /// ISA-L filled all the room it had, and may have more without reading on.
    private var mayHaveMore = false

    /// What is inflated at a time, at least: ISA-L copies its window of 32 KB at each call.
    private static let outputSize = 160 * 1024
    /// Kernels touch some bytes behind a row.
    private static let margin = 64

    /// - Parameters:
    ///   - data: the compressed pixels.
    ///   - count: the bytes that they should inflate to.
    ///   - piece: the most bytes that are asked for at a time.
    init(_ data: PNGPixelData, count: Int, piece: Int) {
        self.data = data
        self.count = count
        // ISA-L counts with 32 bits.
        capacity = min(piece + Self.outputSize, Int(UInt32.max))
        isBroken = piece > capacity
        output = .allocate(capacity: capacity + Self.margin)
        state = .allocate(capacity: 1)
        isal_inflate_init(state)
        state.pointee.crc_flag = UInt32(ISAL_ZLIB)
    }

    deinit {
        state.deallocate()
        output.deallocate()
    }

    /// Whether no distance within the picture can reach beyond the window that the stream's first byte declares
    /// (RFC 1950, 2.2). ISA-L does not look, zlib does.
    private func isWindowLarge(_ first: UInt8) -> Bool {
        let exponent = Int(first >> 4) + 8
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
            && state.pointee.read_in_length < 8 && dataIsAtEnd()
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

    /// Inflates what fits, from one piece of the data; false without progress.
    private func inflate() -> Bool {
        if state.pointee.avail_in == 0, !mayHaveMore { feed() }
        let (input, room, hadMore) = (state.pointee.avail_in, capacity - end, mayHaveMore)
        state.pointee.next_out = output + end
        state.pointee.avail_out = UInt32(room)
        guard isal_inflate(state) == ISAL_DECOMP_OK else {
            // Where a distance reaches beyond the stream's beginning, ISA-L counts bytes as written that it never wrote:
            // whatever its memory held would come out. So nothing of this call counts.
            isBroken = true
            return false
        }
        end += room - Int(state.pointee.avail_out)
        mayHaveMore = state.pointee.avail_out == 0
        return hadMore || state.pointee.avail_in < input || Int(state.pointee.avail_out) < room
    }

    /// Hands over the next piece, if there is one.
    private func feed() {
        do throws(CodecError) {
            switch try data.piece() {
            case .end: break
            case .damaged: isBroken = true
            case .bytes(let bytes):
                guard let base = bytes.baseAddress, let count = Int32(exactly: bytes.count),
                    hasBegun || isWindowLarge(base[0])
                else {
                    isBroken = true
                    return
                }
                hasBegun = true
                // ISA-L only reads there.
                state.pointee.next_in = UnsafeMutablePointer(mutating: base)
                state.pointee.avail_in = UInt32(count)
            }
        } catch {
            interruption = error
            isBroken = true
        }
    }

    private func dataIsAtEnd() -> Bool {
        do throws(CodecError) {
            return try data.isAtEnd()
        } catch {
            interruption = error
            isBroken = true
            return false
        }
    }
}
