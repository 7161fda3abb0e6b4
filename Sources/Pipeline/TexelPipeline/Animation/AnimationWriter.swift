public import TexelCodecs
public import TexelCore
public import TexelPixels

/// Encodes frames as an animation, one after another.
///
///     let input = try await AnimatedImage(contentsOf: "clip.gif")
///     let writer = try AnimationWriter(input.info.size, as: .webP(), playCount: input.playCount)
///     for try await frame in input {
///         try writer.append(frame.pixels.applying(caption), for: frame.duration)
///     }
///     try Data(writer.finish()).write(to: output)
///
/// The encoder compares each frame with the one before, and holds a fixed number of them. It works on the calling
/// thread.
public final class AnimationWriter {
    private let encoder: any AnimationEncoder
    private var isEmpty = true

    /// Begins an animation.
    ///
    /// - Parameters:
    ///   - size: The size of all frames.
    ///   - encoding: The format and its options.
    ///   - playCount: How often the animation is played; 0 for endless.
    ///   - hasAlpha: Whether any frame may have transparent pixels.
    ///   - colorSpace: The colour space of all frames.
    /// - Throws: `unsupported` if animations of the format cannot be written; `cannotEncode`, `outOfMemory`.
    public init(
        _ size: PixelSize, as encoding: ImageEncoding, playCount: Int = 0, hasAlpha: Bool = true,
        colorSpace: ColorSpace = .sRGB
    ) throws(TexelError) {
        let properties = AnimationProperties(
            size: size, playCount: playCount, hasAlpha: hasAlpha, colorSpace: colorSpace)
        let context = EncodingContext(parallelism: WorkerPool.availableCores)
        encoder = try encoding.animatedOptions().animationEncoder(properties, context)
    }

    /// Encodes the next frame.
    ///
    /// - Parameters:
    ///   - frame: The whole image as displayed.
    ///   - duration: How long it is shown. A format with coarser steps rounds the end of each frame, so that errors do
    ///     not accumulate.
    /// - Throws: `cannotEncode` if the frame has another size.
    public func append(_ frame: PixelBuffer, for duration: Duration) throws(TexelError) {
        try encoder.append(frame, delay: FrameDelay(duration))
        isEmpty = false
    }

    /// Ends the animation and returns the bytes of the file.
    ///
    /// - Throws: `cannotEncode` if there are no frames.
    public func finish() throws(TexelError) -> [UInt8] {
        if isEmpty { throw .cannotEncode("an animation without frames") }
        return try encoder.finish()
    }
}

extension ImageEncoding {
    /// The options, for a format that stores animations.
    ///
    /// - Throws: `unsupported`.
    package func animatedOptions() throws(TexelError) -> any AnimatedOptions {
        if let options = options as? any AnimatedOptions { return options }
        throw .unsupported("writing animations as \(format.displayName)")
    }
}
