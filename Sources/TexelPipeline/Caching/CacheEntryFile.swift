import SystemPackage
import TexelCodecs
import TexelPixels

/// The file of one entry.
///
/// | bytes | what |
/// |---|---|
/// | 8 | `TEXELKV1`: what it is, and the version of this table |
/// | 32 | the key |
/// | 8 | how many bytes of metadata, the lowest first |
/// | 8 | how many bytes of content |
/// | 32 | the BLAKE2b of everything else |
/// | | the metadata |
/// | | the content |
enum CacheEntryFile {
    private static let signature = Array("TEXELKV1".utf8)
    static let headerSize = 8 + 32 + 8 + 8 + 32

    /// Everything before the content.
    static func beginning(_ key: CacheKey, metadata: [UInt8], content: some Collection<UInt8>) -> [UInt8] {
        var fields = FieldWriter()
        fields.append(fixed: signature)
        fields.append(fixed: key.digest.bytes)
        fields.append(metadata.count)
        fields.append(content.count)
        var hasher = ContentHasher()
        hasher.update(fields.bytes)
        hasher.update(metadata)
        hasher.update(content)
        fields.append(fixed: hasher.finish().bytes)
        fields.append(fixed: metadata)
        return fields.bytes
    }

    /// What was found in the place of an entry.
    enum Finding {
        case entry(CacheEntry)
        /// No entry, or a damaged one.
        case damaged
        /// The system does not give it, or not now.
        case unreadable
    }

    /// - Parameter size: of the file.
    static func read(_ descriptor: FileDescriptor, size: Int, key: CacheKey) -> Finding {
        do {
            guard size >= headerSize, let header = try array(descriptor, count: headerSize),
                header.starts(with: signature), header[8..<40].elementsEqual(key.digest.bytes)
            else { return .damaged }
            var lengths = FieldReader(Array(header[40..<56]))
            guard let metadataCount = lengths.integer(), let contentCount = lengths.integer(),
                // Neither can be more than there is, so that the sum is one.
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

    /// `nil` where the file ends before.
    private static func array(_ descriptor: FileDescriptor, count: Int) throws -> [UInt8]? {
        let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
            filled = try fill(room, from: descriptor) ? count : 0
        }
        return bytes.count == count ? bytes : nil
    }

    /// Whether there was enough to fill all of `room`.
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
