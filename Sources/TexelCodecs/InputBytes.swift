package import TexelPixels

/// The bytes of an encoded picture at an address that does not move, as the codec libraries need it.
///
/// They may still be arriving (``ArrivingBytes``). As a collection they are then the whole file all the same: asking
/// for its end, and so for `count`, waits for it. Codecs ask for what they need by `has(_:_:)` before they read it.
///
/// Unchecked because of the raw pointer: nobody writes to the bytes after the initialiser, or after they arrived.
public final class InputBytes: @unchecked Sendable {
    private let start: UnsafeRawPointer?
    private let memory: Memory
    /// Whether a JPEG decoder shall find an end marker behind the last byte, for a scan that others follow ends here.
    let endsPicture: Bool

    /// Whose the bytes are.
    private enum Memory {
        case own(UnsafeMutableRawBufferPointer)
        case shared(AnyObject, count: Int)
        case arriving(ArrivingBytes)
    }

    /// A copy of `bytes`.
    public convenience init(_ bytes: some Collection<UInt8>) {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        _ = storage.initializeMemory(as: UInt8.self, fromContentsOf: bytes)
        self.init(UnsafeRawPointer(storage.baseAddress), .own(storage))
    }

    /// The first `count` bytes of memory that the caller hands over.
    package convenience init(adopting memory: LargeMemory, count: Int) {
        precondition(count <= memory.byteCount)
        self.init(UnsafeRawPointer(memory.base), .shared(memory, count: count))
    }

    /// The first `count` bytes at an address, which stay as they are and where they are as long as there is `owner`.
    package convenience init(of owner: any AnyObject & Sendable, at base: UnsafeRawPointer, count: Int) {
        self.init(base, .shared(owner, count: count))
    }

    /// The bytes in place, also those that are still to come.
    package convenience init(_ arriving: ArrivingBytes) { self.init(arriving.base, .arriving(arriving)) }

    /// The first `count` bytes of a picture, as though it ended behind them; they must be there.
    convenience init(endingPictureAfter count: Int, of bytes: InputBytes) {
        precondition(count <= bytes.countSoFar)
        self.init(bytes.start, .shared(bytes, count: count), endsPicture: true)
    }

    private init(_ start: UnsafeRawPointer?, _ memory: Memory, endsPicture: Bool = false) {
        self.start = start
        self.memory = memory
        self.endsPicture = endsPicture
    }

    deinit { if case .own(let storage) = memory { storage.deallocate() } }

    /// For the codecs, which keep this object as long as they use the address.
    var base: UnsafePointer<UInt8>? { start?.assumingMemoryBound(to: UInt8.self) }

    /// The bytes of the whole file in place; waits for its end.
    package func withUnsafeRawBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { extendLifetime(self) }
        return try body(rawBytes(0..<endIndex))
    }

    /// For the codecs, like ``base``; the range must be there.
    func rawBytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= countSoFar)
        return UnsafeRawBufferPointer(start: start.map { $0 + range.lowerBound }, count: range.count)
    }
}

// MARK: Bytes that arrive

extension InputBytes {
    /// How many bytes are there.
    package var countSoFar: Int {
        switch memory {
        case .own(let storage): storage.count
        case .shared(_, let count): count
        case .arriving(let bytes): bytes.count
        }
    }

    /// How many there are of all, if the end has arrived.
    package var wholeCount: Int? {
        if case .arriving(let bytes) = memory { bytes.wholeCount } else { countSoFar }
    }

    /// Waits until `count` bytes are there, or the end.
    ///
    /// - Returns: how many are there: fewer than `count` only at the end.
    /// - Throws: `stopped`, when `stopCheck` says so or the bytes stopped coming.
    package func wait(for count: Int, _ stopCheck: StopCheck?) throws(CodecError) -> Int {
        if case .arriving(let bytes) = memory { try bytes.wait(for: count, stopCheck) } else { countSoFar }
    }

    /// Whether the file has at least `count` bytes; waits until that is known.
    ///
    /// - Throws: as ``wait(for:_:)``.
    func has(_ count: Int, _ stopCheck: StopCheck?) throws(CodecError) -> Bool {
        try wait(for: count, stopCheck) >= count
    }
}

// MARK: As a collection

extension InputBytes: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int {
        // Where they failed to arrive, what is there is all.
        (try? wait(for: .max, nil)) ?? countSoFar
    }
    public subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < countSoFar)
        return start.map { $0.load(fromByteOffset: position, as: UInt8.self) } ?? 0
    }
    /// Bytes that are there; the end of all need not be known.
    public subscript(bounds: Range<Int>) -> Slice<InputBytes> {
        precondition(bounds.lowerBound >= 0 && bounds.upperBound <= countSoFar)
        return Slice(base: self, bounds: bounds)
    }

    // Plain numbers: the defaults would hold them against the end, and wait for it.
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
        // Slices of what is there ask for it as well; they must not wait for the end.
        guard let count = wholeCount else { return nil }
        return try body(UnsafeBufferPointer(start: base, count: count))
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
