import CDeflate

/// A deflate compressor (RFC 1951) of whole blocks of memory, through libdeflate: the same bytes on every processor.
struct Deflate: ~Copyable {
    /// libdeflate's levels.
    static let levels = 0...12

    /// Of the libdeflate that Texel was built with; the library cannot be asked.
    static let libraryVersion = LIBDEFLATE_VERSION_STRING

    private let compressor: OpaquePointer

    init(level: Int) throws(CodecError) {
        guard let compressor = libdeflate_alloc_compressor(Int32(level)) else { throw .outOfMemory }
        self.compressor = compressor
    }

    deinit { libdeflate_free_compressor(compressor) }

    /// Room for whatever `count` bytes become.
    func bound(_ count: Int) -> Int { libdeflate_deflate_compress_bound(compressor, count) }

    /// How many bytes these become.
    func size(of bytes: [UInt8]) -> Int {
        let result = UnsafeMutableRawBufferPointer.allocate(byteCount: bound(bytes.count), alignment: 64)
        defer { result.deallocate() }
        return bytes.withUnsafeBytes { compress($0, into: result) }
    }

    /// Compresses `bytes` into `result`, which has room for them, and returns the number of bytes written.
    func compress(_ bytes: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer) -> Int {
        libdeflate_deflate_compress(compressor, bytes.baseAddress, bytes.count, result.baseAddress, result.count)
    }
}

/// The zlib format around a deflate stream (RFC 1950).
enum Zlib {
    /// A window of 32 KB, and how much time the compressor took for it.
    static func header(_ effort: Effort) -> [UInt8] {
        switch effort {
        case .fast: [0x78, 0x01]
        case .balanced: [0x78, 0x9C]
        case .best: [0x78, 0xDA]
        }
    }

    /// `bytes` as a zlib stream.
    static func compressed(_ bytes: [UInt8], effort: Effort) throws(CodecError) -> [UInt8] {
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

/// The checksum of a zlib stream (RFC 1950): s1 is one more than the sum of all bytes, s2 the sum of all s1.
struct Adler32 {
    private static let modulus: UInt64 = 65521
    private var (s1, s2): (UInt64, UInt64) = (1, 0)

    /// Adds `count` bytes of which only their own checksum is known: each of them raises s2 by the s1 before them.
    mutating func append(_ checksum: UInt32, count: Int) {
        let before = s1 + Self.modulus - 1
        s2 = (s2 + UInt64(checksum >> 16) + before * (UInt64(count) % Self.modulus)) % Self.modulus
        s1 = (before + UInt64(checksum & 0xFFFF)) % Self.modulus
    }

    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        libdeflate_adler32(1, bytes.baseAddress, bytes.count)
    }

    var value: UInt32 { UInt32(s2 << 16 | s1) }

    /// As they end a zlib stream.
    var bytes: [UInt8] { PNGChunkWriter.bigEndian(value) }
}

/// The checksum of PNG chunks (PNG specification, annex D; ISO 3309).
enum CRC32 {
    /// - Parameter previous: the checksum of what stands before, if anything.
    static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
        libdeflate_crc32(previous, bytes.baseAddress, bytes.count)
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { checksum($0) } }
}
