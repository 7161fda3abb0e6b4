package import TexelPixels

/// The bytes of an encoded picture at an address that does not move, as the codec libraries need it.
///
/// Unchecked because of the raw pointer: nobody writes to the bytes after the initialiser.
public final class InputBytes: @unchecked Sendable {
    private let storage: UnsafeMutableRawBufferPointer
    /// Whose bytes these are; without one they are this object's own.
    private let owner: LargeMemory?

    /// A copy of `bytes`.
    public convenience init(_ bytes: some Collection<UInt8>) {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        _ = storage.initializeMemory(as: UInt8.self, fromContentsOf: bytes)
        self.init(storage, owner: nil)
    }

    /// The first `count` bytes of memory that the caller hands over.
    package convenience init(adopting memory: LargeMemory, count: Int) {
        precondition(count <= memory.byteCount)
        self.init(UnsafeMutableRawBufferPointer(start: memory.base, count: count), owner: memory)
    }

    private init(_ storage: UnsafeMutableRawBufferPointer, owner: LargeMemory?) {
        self.storage = storage
        self.owner = owner
    }

    deinit { if owner == nil { storage.deallocate() } }

    /// For the codecs, which keep this object as long as they use the address.
    var base: UnsafePointer<UInt8>? {
        storage.baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// For the codecs, like ``base``.
    var rawBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }
}

extension InputBytes: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { storage.count }
    public subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < storage.count)
        return storage[position]
    }

    /// The caller has checked that four bytes lie at `position`.
    func bigEndian32(at position: Int) -> UInt32 {
        UInt32(bigEndian16(at: position)) << 16 | UInt32(bigEndian16(at: position + 2))
    }

    /// The caller has checked that two bytes lie at `position`.
    func bigEndian16(at position: Int) -> Int {
        Int(self[position]) << 8 | Int(self[position + 1])
    }
}
