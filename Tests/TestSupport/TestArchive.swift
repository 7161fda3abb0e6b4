/// A zip or tar file as tests need it, with the faults that they ask for. Nothing is compressed.
public struct TestArchive {
    /// An entry, and what its headers say about it.
    public struct Entry {
        public var name: [UInt8]
        public var bytes: [UInt8]
        /// Bits of a zip's header: 0x1 says encrypted, 0x800 that the name is UTF-8.
        public var flags: UInt16 = 0x800
        /// What is added to the checksum of a zip.
        public var checksumError: UInt32 = 0
        /// The size that the headers of a zip name instead of the true one.
        public var claimedSize: UInt32?
        /// The type of a tar's header: "0" is a file, "1" a hard link, "2" a symbolic link, "5" a folder.
        public var type = UInt8(ascii: "0")

        public init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (Array(name.utf8), bytes) }
    }

    public var entries: [Entry]

    public init(_ entries: [Entry]) { self.entries = entries }

    public init(_ entries: [(String, [UInt8])]) { self.entries = entries.map { Entry($0.0, $0.1) } }

    // MARK: Zip

    /// The file as a zip (PKWARE's APPNOTE.TXT, 4.3).
    public var zip: [UInt8] {
        var (file, directory): ([UInt8], [UInt8]) = ([], [])
        for entry in entries {
            let size = entry.claimedSize ?? UInt32(entry.bytes.count)
            // Version, flags, stored, time, date, checksum, sizes, length of the name, no extra fields.
            let common =
                Self.bytes(20, entry.flags, 0, 0, 0x21)
                + Self.bytes(Self.crc32(entry.bytes) &+ entry.checksumError, size, size)
                + Self.bytes(UInt16(entry.name.count), 0)
            directory += Self.bytes(0x0201_4B50 as UInt32) + Self.bytes(0x0314 as UInt16) + common
            directory += Self.bytes(0, 0, 0 as UInt16) + Self.bytes(0o100644 << 16, UInt32(file.count)) + entry.name
            file += Self.bytes(0x0403_4B50 as UInt32) + common + entry.name + entry.bytes
        }
        let count = UInt16(truncatingIfNeeded: entries.count)
        return file + directory + Self.bytes(0x0605_4B50 as UInt32) + Self.bytes(0, 0, count, count)
            + Self.bytes(UInt32(directory.count), UInt32(file.count)) + Self.bytes(0 as UInt16)
    }

    private static func bytes<Number: FixedWidthInteger>(_ numbers: Number...) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }

    // MARK: Tar

    /// The file as a tar (POSIX.1-1988, ustar).
    public var tar: [UInt8] {
        entries.flatMap { entry in
            let content = entry.type == UInt8(ascii: "0") ? entry.bytes : []
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: [UInt8], at offset: Int) {
                header.replaceSubrange(offset..<(offset + text.count), with: text)
            }
            func octal(_ number: Int, _ count: Int) -> [UInt8] {
                let digits = String(number, radix: 8)
                return Array((String(repeating: "0", count: count - digits.count) + digits).utf8)
            }
            put(entry.name, at: 0)
            put(octal(0o644, 7), at: 100)
            put(octal(content.count, 11), at: 124)
            put(octal(0, 11), at: 136)
            put(Array(repeating: UInt8(ascii: " "), count: 8), at: 148)
            put([entry.type], at: 156)
            // The target of a link.
            if entry.type != UInt8(ascii: "0") { put(Array("target".utf8), at: 157) }
            put(Array("ustar\u{0}00".utf8), at: 257)
            put(octal(header.reduce(0) { $0 + Int($1) }, 6) + [0], at: 148)
            return header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
        } + [UInt8](repeating: 0, count: 1024)
    }
}
