import TexelCodecs
import CISAL

/// Inflates the pixels in pieces, through ISA-L; stops at the first defect of the file.
///
/// ISA-L reads the chunks in place, and verifies the Adler-32 checksum at the end of the stream.
final class Inflater {
    /// The version of ISA-L at build time; the library has no function for it.
    static let libraryVersion = "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)"

    /// The compressed data that has not been read.
    private var data: PNGPixelData
    /// The expected size of the inflated image in bytes.
    private let count: Int
    private var hasBegun = false
    private let state: UnsafeMutablePointer<inflate_state>
    /// The output buffer; bytes that have been inflated and not taken are at `begin..<end`.
    private let output: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private var (begin, end) = (0, 0)
    /// Whether reading has ended: the stream is damaged, a chunk did not match its checksum, or ISA-L would accept more
    /// than zlib does.
    private var isBroken: Bool
    /// The error that ended the input, if it failed. Nothing more is read after it.
    private(set) var interruption: CodecError?
    /// Whether ISA-L filled the output buffer, and so may have more output without reading on.
    private var mayHaveMore = false

    /// The minimum room for output per call in bytes; ISA-L copies its window of 32 KB in each call.
    private static let outputSize = 160 * 1024
    /// Kernels may access some bytes after a row.
    private static let margin = 64

    /// - Parameters:
    ///   - data: the compressed pixels.
    ///   - count: the expected size of the inflated bytes.
    ///   - piece: the maximum number of bytes per call of `peek`.
    init(_ data: PNGPixelData, count: Int, piece: Int) {
        self.data = data
        self.count = count
        // ISA-L has 32-bit counters.
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

    /// Returns whether no distance within the image can exceed the window that the first byte of the stream declares
    /// (RFC 1950, 2.2). zlib checks this, ISA-L does not.
    private func isWindowLarge(_ first: UInt8) -> Bool {
        let exponent = Int(first >> 4) + 8
        return exponent == 15 || exponent < 15 && count <= 1 << exponent
    }

    /// Returns the next `count` bytes, valid until the next call; some more bytes are readable. `nil` if the data is
    /// damaged or ends before.
    func peek(_ count: Int) -> UnsafePointer<UInt8>? { fill(count) ? UnsafePointer(output + begin) : nil }

    /// Consumes bytes that were returned by `peek`.
    func take(_ count: Int) { begin += count }

    /// Returns whether the stream and its chunks end here, with the right checksum.
    func isAtEnd() -> Bool {
        // ISA-L's bit buffer may contain whole bytes after the end of the stream; these are excess data.
        !fill(1) && !isBroken && state.pointee.block_state == ISAL_BLOCK_FINISH && state.pointee.avail_in == 0
            && state.pointee.read_in_length < 8 && dataIsAtEnd()
    }

    /// Inflates until `count` bytes are available; returns false if that fails.
    private func fill(_ count: Int) -> Bool {
        guard end - begin < count else { return true }
        output.update(from: output + begin, count: end - begin)
        (begin, end) = (0, end - begin)
        while end < count {
            guard !isBroken, state.pointee.block_state != ISAL_BLOCK_FINISH, inflate() else { return false }
        }
        return true
    }

    /// Inflates as much as fits from one piece of data; returns false without progress.
    private func inflate() -> Bool {
        if state.pointee.avail_in == 0, !mayHaveMore { feed() }
        let (input, room, hadMore) = (state.pointee.avail_in, capacity - end, mayHaveMore)
        state.pointee.next_out = output + end
        state.pointee.avail_out = UInt32(room)
        guard isal_inflate(state) == ISAL_DECOMP_OK else {
            // If a distance reaches before the start of the stream, ISA-L counts bytes as written that it did not
            // write. They would expose uninitialised memory, so the output of this call is discarded.
            isBroken = true
            return false
        }
        end += room - Int(state.pointee.avail_out)
        mayHaveMore = state.pointee.avail_out == 0
        return hadMore || state.pointee.avail_in < input || Int(state.pointee.avail_out) < room
    }

    /// Passes the next piece of data to ISA-L, if there is one.
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
        do throws(CodecError) {
            return try data.isAtEnd()
        } catch {
            interruption = error
            isBroken = true
            return false
        }
    }
}
