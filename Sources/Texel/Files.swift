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
/// Works on ``WorkerPool/shared``, not on Swift's cooperative pool. Cancelling the task stops the work within a band of
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
    /// Decodes a picture file, upright.
    ///
    /// - Throws: `PipelineError`.
    public init(contentsOf path: FilePath, limits: Limits = Limits()) async throws(PipelineError) {
        var request = ImageRequest(path)
        request.limits = limits
        request.cacheUse = .none
        self = try await ImagePipeline.shared.image(for: request)
    }

    /// Writes the picture to a file; its extension decides the format.
    ///
    /// - Parameter overwrites: whether an existing file is replaced.
    /// - Throws: `PipelineError`; then there is no output.
    public func write(
        to path: FilePath, quality: Int = 80, overwrites: Bool = false
    ) async throws(PipelineError) {
        let picture = self
        try await WorkerPool.shared.run(bytes: 0) { () throws(PipelineError) in
            try picture.encodeAndWrite(to: path, quality: quality, overwrites: overwrites)
        }
    }
}
