public import Texel

/// A compressed image as the bytes of a file.
public struct CompressedImage: Sendable, Hashable {
    /// The contents of the file.
    public var bytes: [UInt8]
    /// The width and height of its pixels.
    public var size: PixelSize
    /// The format of the file.
    public var format: ImageFormat
    /// Whether the input's encoded pixels were kept, because nothing else was requested or encoding would have added
    /// bytes.
    public var isKept: Bool
    /// The minimum divisor of both sides: `inSampleSize` rounded down to a power of two, more after retries.
    public var sampleSize = 1
    /// How often the work was retried with a larger sample size because memory was short.
    public var retries = 0
    /// Problems that were tolerated, one sentence each.
    public var warnings: [String] = []

    /// Writes the file atomically. An existing file is replaced and its permissions are kept.
    ///
    /// - Throws: `TexelError`; then nothing was changed.
    public func write(to path: FilePath) async throws(TexelError) {
        let bytes = bytes
        _ = try await WorkerPool.shared.run(bytes: 0) { () throws(TexelError) in
            try AtomicFile.write(bytes, to: path, replacing: .anything)
        }
    }
}

extension CompressedImage {
    init(_ image: EncodedImage) {
        self.init(
            bytes: image.bytes, size: image.size, format: image.format, isKept: image.isKept, warnings: image.warnings)
    }

    init(_ sampled: Sampled<EncodedImage>) {
        self.init(sampled.output)
        sampleSize = sampled.sampleSize
        retries = sampled.retries
    }
}

/// A compressed image in a file.
public struct CompressedFile: Sendable {
    /// The path of the file.
    public let path: FilePath
    /// Its size, format and number of bytes, how it was made, and warnings.
    public let result: FileResult
    /// The minimum divisor of both sides: `inSampleSize` rounded down to a power of two, more after retries.
    public let sampleSize: Int
    /// How often the work was retried with a larger sample size because memory was short.
    public let retries: Int

    init(_ path: FilePath, _ sampled: Sampled<FileResult>) {
        self.path = path
        result = sampled.output
        sampleSize = sampled.sampleSize
        retries = sampled.retries
    }
}
