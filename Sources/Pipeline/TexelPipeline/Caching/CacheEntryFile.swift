import SystemPackage
import TexelCodecs
import TexelOperations
import TexelPixels

/// Reads and writes the file of one entry.
///
/// | bytes | content |
/// |---|---|
/// | 8 | `TEXELKV1`: file type and version |
/// | 32 | key |
/// | 8 | length of the metadata in bytes, little-endian |
/// | 8 | length of the content in bytes, little-endian |
/// | 32 | BLAKE2b hash of everything else |
/// | | metadata |
/// | | content |
enum CacheEntryFile {
    private static let signature = Array("TEXELKV1".utf8)
    static let headerSize = 8 + 32 + 8 + 8 + 32

    /// Makes everything before the content.
    static func beginning(_ key: CacheKey, metadata: [UInt8], content: some Collection<UInt8>) -> [UInt8] {
        let lengths = [metadata.count, content.count].flatMap { [UInt8](littleEndian: $0, count: 8) }
        let description = signature + key.digest.bytes + lengths
        var hasher = ContentHasher()
        hasher.update(description)
        hasher.update(metadata)
        hasher.update(content)
        return description + hasher.finish().bytes + metadata
    }

    /// The result of reading an entry's file.
    enum Finding {
        case entry(CacheEntry)
        /// The file is damaged or is not this key's entry.
        case damaged
        /// The file cannot be read, or there is not enough memory.
        case unreadable
    }

    /// Reads an entry and checks its hash.
    ///
    /// - Parameters:
    ///   - size: the size of the file in bytes.
    ///   - key: the entry's key.
    static func read(_ descriptor: FileDescriptor, size: Int, key: CacheKey) -> Finding {
        do {
            guard size >= headerSize, let header = try array(descriptor, count: headerSize),
                header.starts(with: signature), header[8..<40].elementsEqual(key.digest.bytes)
            else { return .damaged }
            let (metadataCount, contentCount) = (header.littleEndian(8, at: 40), header.littleEndian(8, at: 48))
            guard
                // Checked one by one first, so that their sum cannot overflow.
                (0...size).contains(metadataCount), (0...size).contains(contentCount),
                size - headerSize - metadataCount == contentCount,
                let metadata = try array(descriptor, count: metadataCount)
            else { return .damaged }
            guard let memory = LargeMemory(byteCount: max(1, contentCount)) else { return .unreadable }
            let room = UnsafeMutableRawBufferPointer(start: memory.base, count: contentCount)
            guard try fill(room, from: descriptor) else { return .damaged }
            var hasher = ContentHasher()
            hasher.update(header[..<56])
            hasher.update(metadata)
            hasher.update(UnsafeRawBufferPointer(room))
            guard hasher.finish().bytes.elementsEqual(header[56...]) else { return .damaged }
            return .entry(CacheEntry(metadata: metadata, content: InputBytes(adopting: memory, count: contentCount)))
        } catch {
            return .unreadable
        }
    }

    /// Reads `count` bytes. Returns `nil` if the file ends before.
    private static func array(_ descriptor: FileDescriptor, count: Int) throws -> [UInt8]? {
        let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
            filled = try fill(room, from: descriptor) ? count : 0
        }
        return bytes.count == count ? bytes : nil
    }

    /// Fills all of `room`. Returns `false` if the file ends before.
    private static func fill(_ room: UnsafeMutableRawBufferPointer, from descriptor: FileDescriptor) throws -> Bool {
        var filled = 0
        while filled < room.count {
            let count = try descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: room[filled...]))
            if count == 0 { return false }
            filled += count
        }
        return true
    }
}
