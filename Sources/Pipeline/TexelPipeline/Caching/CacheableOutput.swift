public import TexelCodecs
public import TexelCore
import TexelFormats
import TexelOperations
import TexelPNG
public import TexelPixels

/// A result that caches keep. Its entry on disk is its head as a message, and its bytes.
protocol CacheableOutput: HeadedOutput {
    /// The memory that the result takes, in bytes.
    var cacheCost: Int { get }

    /// Makes the bytes to store; `nil` if the result cannot be stored exactly.
    func cacheContent() -> [UInt8]?

    /// Makes a result of what was stored. Returns `nil` if both do not belong together, or if a limit is exceeded.
    init?(_ head: OutputHead, content: InputBytes, limits: Limits)
}

extension CacheableOutput {
    /// The result without its bytes, as a message.
    func cacheMetadata() throws -> [UInt8] { try MessageEncoder.encode(head) }

    /// Makes a result of an entry. Returns `nil` unless the entry is exactly what is stored for such a result.
    init?(_ entry: CacheEntry, limits: Limits = Limits()) {
        guard let head = try? MessageDecoder.decode(OutputHead.self, from: entry.metadata) else { return nil }
        self.init(head, content: entry.content, limits: limits)
        guard let metadata = try? cacheMetadata(), metadata == entry.metadata else { return nil }
    }
}

extension DiskCache {
    /// Stores a result.
    ///
    /// - Returns: whether it was stored.
    func store(output: some CacheableOutput, for key: CacheKey) throws(TexelError) -> Bool {
        guard let content = output.cacheContent(), let metadata = try? output.cacheMetadata() else { return false }
        return try store(metadata: metadata, content: content, for: key)
    }

    /// Looks up a result. Returns `nil` if there is none of this kind.
    func output<Output: CacheableOutput>(for key: CacheKey, limits: Limits = Limits()) -> Output? {
        entry(for: key).flatMap { Output($0, limits: limits) }
    }
}

// MARK: Files

extension DiskCache {
    /// Stores an encoded image.
    ///
    /// - Returns: whether it was stored.
    /// - Throws: `cannotWrite`.
    @discardableResult
    public func store(_ image: EncodedImage, for key: CacheKey) throws(TexelError) -> Bool {
        try store(output: image, for: key)
    }

    /// Looks up a stored ``EncodedImage``.
    public func encodedImage(for key: CacheKey) -> EncodedImage? { output(for: key) }
}

extension EncodedImage: CacheableOutput {
    /// An image without its bytes, and their number.
    struct Head: Codable {
        var image: EncodedImage
        var byteCount: Int
    }

    var head: Head {
        var image = self
        image.bytes = []
        return Head(image: image, byteCount: byteCount)
    }

    var cacheCost: Int { byteCount }

    func cacheContent() -> [UInt8]? { bytes }

    init?(_ head: Head, content: InputBytes, limits: Limits) {
        guard head.image.size.isPositive, head.byteCount == content.count else { return nil }
        self = head.image
        // The collection's own iteration takes ten times as long.
        bytes = content.withContiguousStorageIfAvailable(Array.init) ?? Array(content)
    }
}

// MARK: Pixels

extension DiskCache {
    /// Stores an image; its pixels and its colour space are restored exactly.
    ///
    /// - Returns: whether it was stored; premultiplied images are not, because PNG has no such pixels.
    /// - Throws: `cannotWrite`.
    @discardableResult
    public func store(_ image: PixelBuffer, for key: CacheKey) throws(TexelError) -> Bool {
        try store(output: image, for: key)
    }

    /// Looks up a stored `PixelBuffer`.
    public func pixelBuffer(for key: CacheKey, limits: Limits = Limits()) -> PixelBuffer? {
        output(for: key, limits: limits)
    }
}

/// Pixels are stored as a PNG, which is lossless and takes a fraction of the bytes. The colour space is stored
/// separately, because PNG cannot represent all of them.
extension PixelBuffer: CacheableOutput {
    /// An image without its pixels.
    struct Head: Codable {
        var size: PixelSize
        var alphaMode: AlphaMode
        var colorSpace: ColorSpace
    }

    var head: Head { Head(size: size, alphaMode: alphaMode, colorSpace: colorSpace) }

    var cacheCost: Int { height * bytesPerRow }

    /// Encodes without lossless reductions, which take time and would remove an opaque image's alpha channel. That
    /// fails only for images too large for a PNG.
    func cacheContent() -> [UInt8]? {
        guard alphaMode != .premultiplied else { return nil }
        var image = self
        image.colorSpace = .sRGB
        return try? image.encoded(as: .png(PNGOptions(reducesLosslessly: false, effort: .fast)))
    }

    init?(_ head: Head, content: InputBytes, limits: Limits) {
        var options = DecodeOptions()
        options.policy = DecodePolicy(limits: limits, strictness: .warning)
        guard let source = try? CodecRegistry.shared.open(content, limits: limits), source.info.size == head.size,
            let decoded = try? source.decodedAsStored(options), decoded.image.alphaMode == head.alphaMode
        else { return nil }
        self = decoded.image
        colorSpace = head.colorSpace
    }
}
