import CSodium
import TexelPixels

/// Identifies content by its BLAKE2b hash of 256 bits (RFC 7693), computed by libsodium.
///
/// The hash is collision-resistant, so equal digests mean equal contents.
public struct ContentDigest: Sendable, Hashable {
    /// Eight bytes each, little-endian.
    private let words: SIMD4<UInt64>

    /// The length of a digest in bytes.
    public static let byteCount = 32

    /// Computes the digest of `bytes`.
    public init(of bytes: some Sequence<UInt8>) {
        var hasher = ContentHasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    /// Computes the digest of what identifies a value, which is the same in every process. A value that cannot be
    /// encoded equals no other, so that no result of another is taken for its own.
    package init(ofIdentityOf value: some Encodable) {
        let message = try? MessageEncoder.encodeIdentity(of: value)
        self.init(of: message ?? (0..<Self.byteCount).map { _ in .random(in: 0...255) })
    }

    /// - Parameter bytes: 32 bytes.
    fileprivate init(checked bytes: [UInt8]) {
        func word(_ index: Int) -> UInt64 { UInt64(UInt(bitPattern: bytes.littleEndian(8, at: 8 * index))) }
        words = SIMD4(word(0), word(1), word(2), word(3))
    }

    /// Makes a digest from its ``bytes``. Returns `nil` unless there are 32.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(checked: Array(bytes))
    }

    /// Makes a digest from its ``hexadecimal`` form. Returns `nil` unless it has 64 digits in lower case.
    public init?(hexadecimal: some StringProtocol) {
        guard hexadecimal.utf8.count == Self.byteCount * 2 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        for (index, character) in hexadecimal.utf8.enumerated() {
            let value: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            // The first digit of a byte is its high nibble.
            bytes[index / 2] = bytes[index / 2] << 4 | value
        }
        self.init(checked: bytes)
    }

    /// The 32 bytes of the digest.
    public var bytes: [UInt8] {
        words.indices.flatMap { [UInt8](littleEndian: Int(bitPattern: UInt(words[$0])), count: 8) }
    }

    /// 64 hexadecimal digits in lower case.
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
}

extension ContentDigest: CustomStringConvertible {
    public var description: String { hexadecimal }
}

/// Computes a ``ContentDigest`` incrementally.
///
/// Unchecked because of the pointer, which only its single owner uses.
public struct ContentHasher: ~Copyable, @unchecked Sendable {
    /// libsodium's state, an opaque type in Swift; `crypto_generichash_statebytes()` bytes, aligned to 64 as
    /// libsodium requires.
    private let state: UnsafeMutableRawPointer

    /// Lets libsodium choose the fastest code for this CPU, once. If that fails, hashes are the same, but slower to
    /// compute.
    fileprivate static let isReady = sodium_init() >= 0

    package static var libraryVersion: String { String(cString: sodium_version_string()) }

    /// Starts a hash.
    public init() {
        _ = Self.isReady
        state = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        // Fails for invalid lengths only.
        crypto_generichash_init(OpaquePointer(state), nil, 0, ContentDigest.byteCount)
    }

    deinit { state.deallocate() }

    /// Adds the next bytes.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// Adds the next bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        crypto_generichash_update(
            OpaquePointer(state), base.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    /// Returns the digest of all added bytes.
    public consuming func finish() -> ContentDigest {
        let state = OpaquePointer(state)
        return ContentDigest(
            checked: [UInt8](unsafeUninitializedCapacity: ContentDigest.byteCount) { bytes, count in
                count = ContentDigest.byteCount
                if let base = bytes.baseAddress { _ = crypto_generichash_final(state, base, count) }
            })
    }
}
