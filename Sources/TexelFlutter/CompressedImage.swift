public import Texel

/// A compressed picture, as the bytes of a file.
public struct CompressedImage: Sendable, Hashable {
    public var bytes: [UInt8]
    /// Width and height of the pixels in it.
    public var size: PixelSize
    public var format: ImageFormat
    /// Whether these are the input's own pixels, because nothing asked for others or new ones would take more bytes.
    public var isKept: Bool
    /// By what both sides were divided at least: `inSampleSize` rounded down to a power of two, more after retries.
    public var sampleSize = 1
    /// How often it was tried again with a larger sample size, because memory did not suffice.
    public var retries = 0
    /// What was let pass, each in one sentence.
    public var warnings: [String] = []

    /// Writes the file: whole or not at all. An existing one is replaced at the end, its permissions are kept.
    ///
    /// - Throws: `PipelineError`; then nothing was changed.
    public func write(to path: FilePath) async throws(PipelineError) {
        let bytes = bytes
        try await WorkerPool.shared.run(bytes: 0) { () throws(PipelineError) in
            do throws(FileError) {
                try AtomicFile.write(bytes, to: path, replacing: true)
            } catch {
                throw .file(error)
            }
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

/// A compressed picture in a file.
public struct CompressedFile: Sendable {
    public let path: FilePath
    /// Its size, format and bytes, how it came about, and what was let pass.
    public let result: FileResult
    /// By what both sides were divided at least: `inSampleSize` rounded down to a power of two, more after retries.
    public let sampleSize: Int
    /// How often it was tried again with a larger sample size, because memory did not suffice.
    public let retries: Int

    init(_ path: FilePath, _ sampled: Sampled<FileResult>) {
        self.path = path
        result = sampled.output
        sampleSize = sampled.sampleSize
        retries = sampled.retries
    }
}
