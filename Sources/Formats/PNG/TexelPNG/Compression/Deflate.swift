import CDeflate
import TexelCodecs
import TexelCore

/// A deflate compressor (RFC 1951) for data in memory, through libdeflate. The result is equal on every processor.
struct Deflate: ~Copyable {
    /// The compression levels of libdeflate.
    static let levels = 0...12

    /// The version of libdeflate at build time; the library has no function for it.
    static let libraryVersion = LIBDEFLATE_VERSION_STRING

    private let compressor: OpaquePointer

    init(level: Int) throws(TexelError) {
        guard let compressor = libdeflate_alloc_compressor(Int32(level)) else { throw .outOfMemory }
        self.compressor = compressor
    }

    deinit { libdeflate_free_compressor(compressor) }

    /// Returns an upper bound for the compressed size of `count` bytes.
    func bound(_ count: Int) -> Int { libdeflate_deflate_compress_bound(compressor, count) }

    /// Returns the compressed size of `bytes`.
    func size(of bytes: [UInt8]) -> Int {
        let result = UnsafeMutableRawBufferPointer.allocate(byteCount: bound(bytes.count), alignment: 64)
        defer { result.deallocate() }
        return bytes.withUnsafeBytes { compress($0, into: result) }
    }

    /// Compresses `bytes` into `result`, which must be large enough; returns the number of bytes written.
    func compress(_ bytes: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer) -> Int {
        libdeflate_deflate_compress(compressor, bytes.baseAddress, bytes.count, result.baseAddress, result.count)
    }
}

/// The zlib format around a deflate stream (RFC 1950).
enum Zlib {
    /// The window of deflate in bytes: the largest distance of a match.
    static let largestWindow = 1 << 15

    /// Returns the window that the first byte of a stream declares, in bytes (RFC 1950, 2.2).
    static func declaredWindow(_ first: UInt8) -> Int { 1 << (Int(first >> 4) + 8) }

    /// Returns the two bytes of a header with ``largestWindow`` instead of the declared one.
    ///
    /// - Parameter flags: the second byte, whose hint of the effort is kept.
    static func widenedHeader(flags: UInt8) -> [UInt8] {
        let (first, hint) = (Int(0x78), Int(flags & 0xC0))
        // The two bytes are a multiple of 31.
        return [UInt8(first), UInt8(hint + (31 - (first << 8 + hint) % 31) % 31)]
    }

    /// Returns the header for a window of 32 KB, with the effort as a hint.
    static func header(_ effort: Effort) -> [UInt8] {
        switch effort {
        case .fast: [0x78, 0x01]
        case .balanced: [0x78, 0x9C]
        case .best: [0x78, 0xDA]
        }
    }

    /// Returns `bytes` as a zlib stream.
    static func compressed(_ bytes: [UInt8], effort: Effort) throws(TexelError) -> [UInt8] {
        let deflate = try Deflate(level: 9)
        let stream = bytes.withUnsafeBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: deflate.bound(bytes.count)) { result, count in
                count = deflate.compress(bytes, into: UnsafeMutableRawBufferPointer(result))
            }
        }
        var checksum = Adler32()
        checksum.append(bytes.withUnsafeBytes(Adler32.checksum), count: bytes.count)
        return header(effort) + stream + checksum.bytes
    }
}

/// The checksum of a zlib stream (RFC 1950): s1 is one plus the sum of all bytes, s2 the sum of all values of s1.
struct Adler32 {
    private static let modulus: UInt64 = 65521
    private var (s1, s2): (UInt64, UInt64) = (1, 0)

    /// Appends `count` bytes given only their own checksum: each of them adds the earlier s1, less 1, to s2.
    mutating func append(_ checksum: UInt32, count: Int) {
        let before = s1 + Self.modulus - 1
        s2 = (s2 + UInt64(checksum >> 16) + before * (UInt64(count) % Self.modulus)) % Self.modulus
        s1 = (before + UInt64(checksum & 0xFFFF)) % Self.modulus
    }

    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        libdeflate_adler32(1, bytes.baseAddress, bytes.count)
    }

    var value: UInt32 { UInt32(s2 << 16 | s1) }

    /// The checksum as it ends a zlib stream.
    var bytes: [UInt8] { PNGChunkWriter.bigEndian(value) }
}
