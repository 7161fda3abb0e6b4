import CDeflate

/// The checksum of PNG chunks (PNG specification, annex D; ISO 3309).
enum CRC32 {
    /// - Parameter previous: the checksum of the preceding bytes; 0 if there are none.
    static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
        libdeflate_crc32(previous, bytes.baseAddress, bytes.count)
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { checksum($0) } }
}
