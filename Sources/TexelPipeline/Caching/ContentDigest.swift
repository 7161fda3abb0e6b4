import CSodium

/// Names content by what is in it: its BLAKE2b hash of 256 bits (RFC 7693), as libsodium computes it.
///
/// Nobody can find two contents of equal name, so equal names are equal contents.
public struct ContentDigest: Sendable, Hashable {
    /// Eight bytes each, the first byte in the lowest bits.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    public static let byteCount = 32

    /// The name of `bytes`.
    public init(of bytes: some Sequence<UInt8>) {
        var hasher = ContentHasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    /// A name that was written down as ``bytes``; `nil` unless there are 32.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << (index % 8 * 8) }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// A name that was written down as ``hexadecimal``; `nil` unless it is one.
    public init?(hexadecimal: some StringProtocol) {
        guard hexadecimal.utf8.count == Self.byteCount * 2 else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, character) in hexadecimal.utf8.enumerated() {
            let value: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            // The first digit of a byte is its upper half.
            words[index / 16] |= UInt64(value) << ((index % 16 / 2) * 8 + (index % 2 == 0 ? 4 : 0))
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
    }

    /// 64 digits in lower case.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: Self.byteCount * 2) { text in
            for (index, byte) in bytes.enumerated() {
                text[index * 2] = digits[Int(byte >> 4)]
                text[index * 2 + 1] = digits[Int(byte & 15)]
            }
            return Self.byteCount * 2
        }
    }

    public static func == (first: ContentDigest, second: ContentDigest) -> Bool { first.words == second.words }

    public func hash(into hasher: inout Hasher) {
        // Any part of a good hash is a good hash.
        hasher.combine(words.0)
    }
}

extension ContentDigest: CustomStringConvertible {
    public var description: String { hexadecimal }
}

/// Computes a ``ContentDigest`` of bytes that come piece by piece.
///
/// Unchecked because of the pointer: its owner alone knows what it points to.
public struct ContentHasher: ~Copyable, @unchecked Sendable {
    /// libsodium's own, which Swift cannot import; `crypto_generichash_statebytes()` bytes, aligned as it wants them.
    private let state: UnsafeMutableRawPointer

    /// libsodium chooses the fastest code for this processor, once; later calls of any thread find it chosen. Should
    /// that fail, it computes the same more slowly.
    fileprivate static let isReady = sodium_init() >= 0

    static var libraryVersion: String { String(cString: sodium_version_string()) }

    public init() {
        _ = Self.isReady
        state = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        // Fails for impossible lengths only.
        crypto_generichash_init(OpaquePointer(state), nil, 0, ContentDigest.byteCount)
    }

    deinit { state.deallocate() }

    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        crypto_generichash_update(
            OpaquePointer(state), base.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    /// The name of all bytes that came.
    public consuming func finish() -> ContentDigest {
        let state = OpaquePointer(state)
        return ContentDigest(writtenBy: { _ = crypto_generichash_final(state, $0, ContentDigest.byteCount) })
    }
}

extension ContentDigest {
    /// A name that `body` writes as 32 bytes.
    fileprivate init(writtenBy body: (UnsafeMutablePointer<UInt8>) -> Void) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { bytes in
            if let base = bytes.baseAddress { body(base.assumingMemoryBound(to: UInt8.self)) }
        }
        self.words = (
            UInt64(littleEndian: words.0), UInt64(littleEndian: words.1), UInt64(littleEndian: words.2),
            UInt64(littleEndian: words.3)
        )
    }
}
