import CISAL
import TexelCodecs
import TexelCore

/// Inflates the pixels through ISA-L; stops at the first defect of the file.
///
/// ISA-L reads the chunks in place, and verifies the Adler-32 checksum at the end of the stream.
final class Inflater {
    /// The version of ISA-L at build time; the library has no function for it.
    static let libraryVersion = "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)"

    /// The compressed data that has not been read.
    private var data: PNGPixelData
    private var hasBegun = false
    private let state: UnsafeMutablePointer<inflate_state>
    /// Whether reading has ended: the stream is damaged, a chunk did not match its checksum, or ISA-L would accept more
    /// than zlib does.
    private var isBroken = false
    /// The error that ended the input, if it failed. Nothing more is read after it.
    private(set) var interruption: TexelError?
    /// Whether ISA-L filled the room for output, and so may have more output without reading on.
    private var mayHaveMore = false

    /// - Parameter data: the compressed pixels.
    init(_ data: PNGPixelData) {
        self.data = data
        state = .allocate(capacity: 1)
        isal_inflate_init(state)
        state.pointee.crc_flag = UInt32(ISAL_ZLIB)
    }

    deinit { state.deallocate() }

    /// Whether inflating never waits for bytes to arrive.
    var hasWholeFile: Bool { data.isWhole }

    /// Inflates as much as fits, at most to the end of a piece of the data. ISA-L copies its window of 32 KB in each
    /// call, so there should be room for several times as much.
    ///
    /// - Returns: the number of bytes; `nil` if the data is damaged or ends.
    func inflate(into output: UnsafeMutablePointer<UInt8>, room: Int) -> Int? {
        guard !isBroken, state.pointee.block_state != ISAL_BLOCK_FINISH else { return nil }
        if state.pointee.avail_in == 0, !mayHaveMore { feed() }
        // ISA-L has 32-bit counters.
        let room = UInt32(clamping: room)
        let (input, hadMore) = (state.pointee.avail_in, mayHaveMore)
        state.pointee.next_out = output
        state.pointee.avail_out = room
        guard isal_inflate(state) == ISAL_DECOMP_OK else {
            // If a distance reaches before the start of the stream, ISA-L counts bytes as written that it did not
            // write. They would expose uninitialised memory, so the output of this call is discarded.
            isBroken = true
            return nil
        }
        mayHaveMore = state.pointee.avail_out == 0
        let count = Int(room - state.pointee.avail_out)
        return hadMore || state.pointee.avail_in < input || count > 0 ? count : nil
    }

    /// Returns whether the stream and its chunks end here, with the right checksum. All expected bytes must have been
    /// inflated.
    func isAtEnd() -> Bool {
        var excess: UInt8 = 0
        while let count = inflate(into: &excess, room: 1) {
            if count > 0 { return false }
        }
        // ISA-L's bit buffer may contain whole bytes after the end of the stream; these are excess data.
        return !isBroken && state.pointee.block_state == ISAL_BLOCK_FINISH && state.pointee.avail_in == 0
            && state.pointee.read_in_length < 8 && dataIsAtEnd()
    }

    /// Passes the next piece of data to ISA-L, if there is one.
    private func feed() {
        do throws(TexelError) {
            switch try data.piece() {
            case .end: break
            case .damaged: isBroken = true
            case .bytes(let bytes):
                guard let base = bytes.baseAddress, let count = Int32(exactly: bytes.count),
                    // zlib refuses windows that deflate does not have, ISA-L does not.
                    hasBegun || Zlib.declaredWindow(base[0]) <= Zlib.largestWindow
                else {
                    isBroken = true
                    return
                }
                hasBegun = true
                // ISA-L does not write through this pointer.
                state.pointee.next_in = UnsafeMutablePointer(mutating: base)
                state.pointee.avail_in = UInt32(count)
            }
        } catch {
            interruption = error
            isBroken = true
        }
    }

    private func dataIsAtEnd() -> Bool {
        do throws(TexelError) {
            return try data.isAtEnd()
        } catch {
            interruption = error
            isBroken = true
            return false
        }
    }
}
