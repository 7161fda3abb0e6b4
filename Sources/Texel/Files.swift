public import SystemPackage
public import TexelCodecs
public import TexelCore
public import TexelPipeline
public import TexelPixels

/// Compresses an image file.
///
///     try await Texel.compress("photo.jpg", to: "small.jpg")
///
/// The image is made upright and keeps its colour profile, but no other metadata. The output's extension decides the
/// format. If encoding would make the file larger, the input's encoded pixels are kept.
///
/// - Parameters:
///   - input: The file to read.
///   - output: The file to write.
///   - quality: The quality of lossy formats, 1…100, comparable across formats.
///   - options: The policy for decoding, and whether an existing output is replaced, which is off by default.
/// - Throws: `TexelError`; then no output is written.
@discardableResult
public func compress(
    _ input: FilePath, to output: FilePath, quality: Int = 80, options: ProcessingOptions = ProcessingOptions()
) async throws(TexelError) -> FileResult {
    try await process(input, to: output, with: Recipe().encoding(as: nil, quality: quality), options: options)
}

/// Resizes an image file. Images are never enlarged.
///
/// - Parameters:
///   - input: The file to read.
///   - output: The file to write.
///   - width: The width of the box in pixels; `nil` keeps the aspect ratio.
///   - height: The height of the box in pixels; `nil` keeps the aspect ratio.
///   - fit: How the image is fitted into the box.
///   - quality: The quality of lossy formats, 1…100, comparable across formats.
///   - options: The policy for decoding, and whether an existing output is replaced, which is off by default.
/// - Throws: `TexelError`; then no output is written.
@discardableResult
public func resize(
    _ input: FilePath, to output: FilePath, width: Int? = nil, height: Int? = nil, fit: Fit = .inside,
    quality: Int = 80, options: ProcessingOptions = ProcessingOptions()
) async throws(TexelError) -> FileResult {
    let recipe = Recipe().resizing(width: width, height: height, fit: fit).encoding(as: nil, quality: quality)
    return try await process(input, to: output, with: recipe, options: options)
}

/// Rotates an image file clockwise.
///
/// Quarter turns of a JPEG are lossless if its sides are whole blocks.
///
/// - Parameters:
///   - input: The file to read.
///   - output: The file to write.
///   - degrees: The angle. Angles other than quarter turns enlarge the canvas.
///   - quality: The quality, 1…100, comparable across lossy formats. With `nil`, a lossy file that cannot be rotated
///     losslessly is encoded at its own quality, and other input at 80.
///   - options: The policy for decoding, and whether an existing output is replaced, which is off by default.
/// - Throws: `TexelError`; then no output is written.
@discardableResult
public func rotate(
    _ input: FilePath, to output: FilePath, by degrees: Double, quality: Int? = nil,
    options: ProcessingOptions = ProcessingOptions()
) async throws(TexelError) -> FileResult {
    var recipe = Recipe().rotating(by: degrees).encoding(as: nil, quality: quality)
    recipe.output.compresses = false
    return try await process(input, to: output, with: recipe, options: options)
}

/// Applies a recipe to a file.
///
/// Runs on `WorkerPool.shared`, not on Swift's cooperative pool. Cancelling the task stops the work within one band of
/// rows.
///
/// - Parameters:
///   - input: The file to read.
///   - output: The file to write.
///   - recipe: The recipe.
///   - options: The policy for decoding, and whether an existing output is replaced, which is off by default.
/// - Throws: `TexelError`; then no output is written.
@discardableResult
public func process(
    _ input: FilePath, to output: FilePath, with recipe: Recipe, options: ProcessingOptions = ProcessingOptions()
) async throws(TexelError) -> FileResult {
    let stop = StopToken()
    let result = await withTaskCancellationHandler {
        await Batch.process(input, to: output, with: recipe, options: options, stop: stop)
    } onCancel: {
        stop.cancel()
    }
    if let error = result.error { throw error }
    return result
}

/// Applies a recipe to the bytes of an image file.
///
/// - Parameters:
///   - bytes: The contents of an image file.
///   - recipe: The recipe.
///   - options: The policy for decoding, and the time limit.
/// - Throws: `TexelError`.
public func process(
    _ bytes: some Collection<UInt8>, with recipe: Recipe, options: ProcessingOptions = ProcessingOptions()
) async throws(TexelError) -> EncodedImage {
    var request = ImageRequest(BytesSource(bytes), recipe: recipe)
    request.policy = options.policy
    request.timeout = options.timeout
    return try await ImagePipeline.unshared.encodedImage(for: request)
}

extension PixelBuffer {
    /// Decodes an image file, upright: the orientation in the file is applied to the pixels.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - policy: The limits for decoding, and which damage is accepted.
    /// - Throws: `TexelError`.
    public init(contentsOf path: FilePath, policy: DecodePolicy = DecodePolicy()) async throws(TexelError) {
        try await self.init(FileSource(path), policy)
    }

    /// Decodes the bytes of an image file, upright, like ``init(contentsOf:policy:)``:
    ///
    ///     let image = try await PixelBuffer(decoding: data)
    ///
    /// For the pixels as stored, use `ImageFile.decodedAsStored(_:)`.
    ///
    /// - Parameters:
    ///   - bytes: An image file; copied once.
    ///   - policy: The limits for decoding, and which damage is accepted.
    /// - Throws: `TexelError`.
    public init(decoding bytes: some Collection<UInt8>, policy: DecodePolicy = DecodePolicy())
        async throws(TexelError)
    {
        try await self.init(BytesSource(bytes), policy)
    }

    private init(_ source: some ByteSource, _ policy: DecodePolicy) async throws(TexelError) {
        var request = ImageRequest(source)
        request.policy = policy
        request.cacheUse = .none
        self = try await ImagePipeline.shared.image(for: request)
    }

    /// Writes the image to a file whose extension decides the format. For all options of a format use
    /// ``write(to:as:metadata:background:overwrites:)``.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - quality: The quality of lossy formats, 1…100, comparable across formats.
    ///   - overwrites: Whether an existing file is replaced.
    /// - Throws: `TexelError`; then no output is written.
    public func write(
        to path: FilePath, quality: Int = 80, overwrites: Bool = false
    ) async throws(TexelError) {
        let image = self
        try await WorkerPool.shared.run(bytes: 0) { () throws(TexelError) in
            try image.encodeAndWrite(to: path, quality: quality, overwrites: overwrites)
        }
    }

    /// Writes the image to a file with all options of its format:
    ///
    ///     try await image.write(to: "small.png", as: .png(PNGOptions(effort: .best)))
    ///     try await image.write(to: "small.jpg", as: .jpeg(JPEGOptions(quality: 90, subsampling: .yuv444)))
    ///
    /// - Parameters:
    ///   - path: The file. Its extension may be missing or unknown, but not that of another format.
    ///   - encoding: The format and its options.
    ///   - metadata: The metadata to write, except the colour profile, which is that of the pixels.
    ///   - background: The colour behind transparent pixels in a format without alpha.
    ///   - overwrites: Whether an existing file is replaced.
    /// - Throws: `TexelError`; `cannotEncode` for another format's extension; then no output is written.
    public func write(
        to path: FilePath, as encoding: ImageEncoding, metadata: WrittenMetadata = WrittenMetadata(),
        background: PixelColor = .white, overwrites: Bool = false
    ) async throws(TexelError) {
        if let promised = path.extension.flatMap({ ImageFormat(fileExtension: $0) }), promised != encoding.format {
            throw .cannotEncode("the extension of \(path) is not that of a \(encoding.format.rawValue) file")
        }
        let image = self
        try await WorkerPool.shared.run(bytes: 0) { () throws(TexelError) in
            let bytes = try image.encoded(as: encoding, metadata: metadata, background: background)
            try AtomicFile.write(bytes, to: path, replacing: Replacement(overwrites: overwrites))
        }
    }
}
