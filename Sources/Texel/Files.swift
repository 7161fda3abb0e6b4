public import SystemPackage
public import TexelCodecs
public import TexelPipeline
public import TexelPixels

/// Makes a picture file smaller.
///
///     try await Texel.compress("photo.jpg", to: "small.jpg")
///
/// The picture is made upright, keeps its colour profile and loses other metadata. The output's extension decides the
/// format. Where encoding anew would make the file larger, its own pixels are kept.
///
/// - Parameters:
///   - quality: JPEG's 1…100.
///   - options: limits, strictness, and whether an existing output is replaced; by default it is not.
/// - Throws: `PipelineError`; then there is no output.
@discardableResult
public func compress(
    _ input: FilePath, to output: FilePath, quality: Int = 80, options: ProcessingOptions = ProcessingOptions()
) async throws(PipelineError) -> FileResult {
    try await process(input, to: output, with: Recipe().encoding(as: nil, quality: quality), options: options)
}

/// Makes a picture no larger than a box.
///
/// - Parameters:
///   - width: pixels; `nil` follows the aspect.
///   - height: pixels; `nil` follows the aspect.
/// - Throws: `PipelineError`; then there is no output.
@discardableResult
public func resize(
    _ input: FilePath, to output: FilePath, width: Int? = nil, height: Int? = nil, fit: Fit = .inside,
    quality: Int = 80, options: ProcessingOptions = ProcessingOptions()
) async throws(PipelineError) -> FileResult {
    let recipe = Recipe().resizing(width: width, height: height, fit: fit).encoding(as: nil, quality: quality)
    return try await process(input, to: output, with: recipe, options: options)
}

/// Turns a picture clockwise by degrees.
///
/// A quarter turn of a JPEG loses nothing where its sides are whole blocks.
///
/// - Parameters:
///   - quality: JPEG's 1…100; `nil` encodes anew only where it must, at 80.
///   - options: limits, strictness, and whether an existing output is replaced; by default it is not.
/// - Throws: `PipelineError`; then there is no output.
@discardableResult
public func rotate(
    _ input: FilePath, to output: FilePath, by degrees: Double, quality: Int? = nil,
    options: ProcessingOptions = ProcessingOptions()
) async throws(PipelineError) -> FileResult {
    var recipe = Recipe().rotating(by: degrees).encoding(as: nil, quality: quality)
    recipe.output.compresses = false
    return try await process(input, to: output, with: recipe, options: options)
}

/// Carries out a recipe on a file.
///
/// Works on `WorkerPool.shared`, not on Swift's cooperative pool. Cancelling the task stops the work within a band of
/// rows.
///
/// - Throws: `PipelineError`; then there is no output.
@discardableResult
public func process(
    _ input: FilePath, to output: FilePath, with recipe: Recipe, options: ProcessingOptions = ProcessingOptions()
) async throws(PipelineError) -> FileResult {
    let stop = StopToken()
    let result = await withTaskCancellationHandler {
        await Batch.process(input, to: output, with: recipe, options: options, stop: stop)
    } onCancel: {
        stop.cancel()
    }
    if let error = result.error { throw error }
    return result
}

/// Carries out a recipe on the bytes of a file.
///
/// - Throws: `PipelineError`.
public func process(
    _ bytes: some Collection<UInt8>, with recipe: Recipe, options: ProcessingOptions = ProcessingOptions()
) async throws(PipelineError) -> EncodedImage {
    var request = ImageRequest(BytesSource(bytes), recipe: recipe)
    request.limits = options.limits
    request.strictness = options.strictness
    request.timeout = options.timeout
    return try await ImagePipeline.shared.encodedImage(for: request)
}

extension PixelBuffer {
    /// Decodes an image file, upright: the orientation that the file declares is applied to the pixels.
    ///
    /// - Throws: `PipelineError`.
    public init(contentsOf path: FilePath, limits: Limits = Limits()) async throws(PipelineError) {
        try await self.init(FileSource(path), limits)
    }

    /// Decodes the bytes of an image file, upright, as ``init(contentsOf:limits:)`` does:
    ///
    ///     let image = try await PixelBuffer(decoding: data)
    ///
    /// For the pixels as they are stored, use `ImageSource.decodedAsStored(_:)`.
    ///
    /// - Parameter bytes: a PNG or JPEG file; copied once.
    /// - Throws: `PipelineError`.
    public init(decoding bytes: some Collection<UInt8>, limits: Limits = Limits()) async throws(PipelineError) {
        try await self.init(BytesSource(bytes), limits)
    }

    private init(_ source: some ByteSource, _ limits: Limits) async throws(PipelineError) {
        var request = ImageRequest(source)
        request.limits = limits
        request.cacheUse = .none
        self = try await ImagePipeline.shared.image(for: request)
    }

    /// Writes the image to a file; its extension decides the format. ``write(to:as:metadata:background:overwrites:)``
    /// takes all options of a format.
    ///
    /// - Parameters:
    ///   - quality: JPEG's 1…100.
    ///   - overwrites: whether an existing file is replaced.
    /// - Throws: `PipelineError`; then there is no output.
    public func write(
        to path: FilePath, quality: Int = 80, overwrites: Bool = false
    ) async throws(PipelineError) {
        let picture = self
        try await WorkerPool.shared.run(bytes: 0) { () throws(PipelineError) in
            try picture.encodeAndWrite(to: path, quality: quality, overwrites: overwrites)
        }
    }

    /// Writes the image to a file with all options of its format:
    ///
    ///     try await image.write(to: "small.png", as: .png(PNGOptions(effort: .best)))
    ///     try await image.write(to: "small.jpg", as: .jpeg(JPEGOptions(quality: 90, subsampling: .none444)))
    ///
    /// - Parameters:
    ///   - path: its extension may be missing or unknown, but must not be that of another format.
    ///   - encoding: the format and its options.
    ///   - metadata: what to write beside the pixels; the colour profile comes with the pixels.
    ///   - background: the colour under transparent pixels in a format without alpha.
    ///   - overwrites: whether an existing file is replaced.
    /// - Throws: `PipelineError`, `codec(.cannotEncode)` for another format's extension; then there is no output.
    public func write(
        to path: FilePath, as encoding: ImageEncoding, metadata: WrittenMetadata = WrittenMetadata(),
        background: PixelColor = .white, overwrites: Bool = false
    ) async throws(PipelineError) {
        if let promised = path.extension.flatMap({ ImageFormat(fileExtension: $0) }), promised != encoding.format {
            throw .codec(.cannotEncode("the extension of \(path) is not that of a \(encoding.format.rawValue) file"))
        }
        let image = self
        try await WorkerPool.shared.run(bytes: 0) { () throws(PipelineError) in
            let bytes: [UInt8]
            do throws(CodecError) {
                bytes = try image.encoded(as: encoding, metadata: metadata, background: background)
            } catch {
                throw .codec(error)
            }
            do throws(FileError) {
                try AtomicFile.write(bytes, to: path, replacing: overwrites)
            } catch {
                throw .file(error)
            }
        }
    }
}
