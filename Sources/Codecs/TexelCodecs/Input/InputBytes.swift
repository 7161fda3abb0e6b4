public import TexelCore
package import TexelPixels

/// The bytes of an encoded image, at a fixed address as the codec libraries require.
///
/// The bytes may still be arriving (``ArrivingBytes``). As a collection this is always the whole file: reading
/// `endIndex` or `count` waits for the end. Codecs call `has(_:_:)` before they read.
///
/// Unchecked because of the raw pointer: the bytes are immutable after the initialiser or after their arrival.
public final class InputBytes: @unchecked Sendable {
    private let start: UnsafeRawPointer?
    private let memory: Memory
    /// Whether the decoder assumes the end of the image after the last byte, because more scans follow in the file.
    package let appendsEndOfImage: Bool

    /// The owner of the memory.
    private enum Memory {
        case own(UnsafeMutableRawBufferPointer)
        case shared(AnyObject, count: Int)
        case reloadable(any ReloadableMemory, count: Int)
        case arriving(ArrivingBytes)
    }

    /// Copies `bytes`.
    public convenience init(_ bytes: some Collection<UInt8>) {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        _ = storage.initializeMemory(as: UInt8.self, fromContentsOf: bytes)
        self.init(UnsafeRawPointer(storage.baseAddress), .own(storage))
    }

    /// Adopts the first `count` bytes of `memory` without a copy.
    package convenience init(adopting memory: LargeMemory, count: Int) {
        precondition(count <= memory.byteCount)
        self.init(UnsafeRawPointer(memory.base), .shared(memory, count: count))
    }

    /// Refers to `count` bytes at `base`, which must not change or move while `owner` exists.
    package convenience init(of owner: any AnyObject & Sendable, at base: UnsafeRawPointer, count: Int) {
        self.init(base, .shared(owner, count: count))
    }

    /// Refers to the `count` bytes of a file at `base`, as long as `memory` exists.
    package convenience init(mapping memory: any ReloadableMemory, at base: UnsafeRawPointer, count: Int) {
        self.init(base, .reloadable(memory, count: count))
    }

    /// Refers to arriving bytes in place, including those that have not arrived yet.
    package convenience init(_ arriving: ArrivingBytes) { self.init(arriving.base, .arriving(arriving)) }

    /// Refers to the first `count` bytes of an image, which must have arrived, as if the image ended there.
    package convenience init(endingImageAfter count: Int, of bytes: InputBytes) {
        precondition(count <= bytes.countSoFar)
        self.init(bytes.start, .shared(bytes, count: count), appendsEndOfImage: true)
    }

    private init(_ start: UnsafeRawPointer?, _ memory: Memory, appendsEndOfImage: Bool = false) {
        self.start = start
        self.memory = memory
        self.appendsEndOfImage = appendsEndOfImage
    }

    deinit { if case .own(let storage) = memory { storage.deallocate() } }

    /// The address of the first byte. Codecs must keep this object alive while they use it.
    package var base: UnsafePointer<UInt8>? { start?.assumingMemoryBound(to: UInt8.self) }

    /// Calls `body` with the bytes of the whole file; waits until all have arrived.
    package func withUnsafeRawBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { extendLifetime(self) }
        return try body(rawBytes(0..<endIndex))
    }

    /// Returns the bytes of a range that has arrived. Codecs must keep this object alive while they use them.
    package func rawBytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= countSoFar)
        return UnsafeRawBufferPointer(start: start.map { $0 + range.lowerBound }, count: range.count)
    }
}

// MARK: Bytes that can be read again

/// Memory whose content can be read from a file again at any time.
package protocol ReloadableMemory: AnyObject, Sendable {
    /// Releases the memory before an offset until it is needed again.
    func release(before offset: Int)
}

extension InputBytes {
    /// The memory, if it is that of a file.
    package var reloadableMemory: (any ReloadableMemory)? {
        if case .reloadable(let memory, _) = memory { memory } else { nil }
    }

    /// The number of bytes that take memory of this process.
    package var ownedCount: Int { reloadableMemory == nil ? countSoFar : 0 }

    /// Tells that a decoder, which reads forwards, has used the bytes before an offset.
    package func release(before offset: Int) { reloadableMemory?.release(before: offset) }
}

// MARK: Bytes that arrive

extension InputBytes {
    /// The number of bytes that have arrived.
    package var countSoFar: Int {
        switch memory {
        case .own(let storage): storage.count
        case .shared(_, let count), .reloadable(_, let count): count
        case .arriving(let bytes): bytes.count
        }
    }

    /// The size of the whole file; `nil` until its end has arrived.
    package var wholeCount: Int? {
        if case .arriving(let bytes) = memory { bytes.wholeCount } else { countSoFar }
    }

    /// Waits until `count` bytes or the end of the file have arrived.
    ///
    /// - Returns: the number of bytes that have arrived; less than `count` only at the end of the file.
    /// - Throws: `stopped` if `stop` has a reason or the input failed.
    public func wait(for count: Int, _ stop: StopToken?) throws(TexelError) -> Int {
        if case .arriving(let bytes) = memory { try bytes.wait(for: count, stop) } else { countSoFar }
    }

    /// Returns whether the file has at least `count` bytes; waits until that is known.
    ///
    /// - Throws: `stopped`, as ``wait(for:_:)`` does.
    package func has(_ count: Int, _ stop: StopToken?) throws(TexelError) -> Bool {
        try wait(for: count, stop) >= count
    }
}

// MARK: As a collection

extension InputBytes: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int {
        // If the input failed, the bytes that arrived are the whole collection.
        (try? wait(for: .max, nil)) ?? countSoFar
    }
    public subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < countSoFar)
        return start.map { $0.load(fromByteOffset: position, as: UInt8.self) } ?? 0
    }
    /// A range of bytes that have arrived; does not wait for the end of the file.
    public subscript(bounds: Range<Int>) -> Slice<InputBytes> {
        precondition(bounds.lowerBound >= 0 && bounds.upperBound <= countSoFar)
        return Slice(base: self, bounds: bounds)
    }

    // The default implementations would check against `endIndex`, and so wait for the end of the file.
    public func index(after position: Int) -> Int { position + 1 }
    public func index(before position: Int) -> Int { position - 1 }
    public func index(_ position: Int, offsetBy distance: Int) -> Int { position + distance }
    public func index(_ position: Int, offsetBy distance: Int, limitedBy limit: Int) -> Int? {
        let isBeyond =
            distance >= 0
            ? limit >= position && limit - position < distance : limit <= position && limit - position > distance
        return isBeyond ? nil : position + distance
    }
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    public func withContiguousStorageIfAvailable<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
    ) rethrows -> Value? {
        // Slices of an arriving file call this too, and must not wait for its end.
        guard let count = wholeCount else { return nil }
        return try body(UnsafeBufferPointer(start: base, count: count))
    }
}
