import TexelCodecs
import TexelCore
import TexelPixels

/// Writes an animation: each frame holds the part of the image that has changed.
///
/// With loss, and colours other than sRGB's, each frame holds the whole image: libjxl's decoder cannot combine parts in
/// them.
final class JXLAnimationEncoder: AnimationEncoder {
    private let options: JXLOptions
    private let properties: AnimationProperties
    private let context: EncodingContext
    /// Created with the first frame.
    private var library: JXLLibraryEncoder?
    /// The last frame. It is encoded when it is known whether another one follows.
    private var last: (image: PixelBuffer, part: PixelRectangle, ticks: Int)?
    private var clock = FrameTicks(ticksPerSecond: JXLAnimationEncoder.ticksPerSecond)

    /// The steps of time: thousandths of a second, and all common frame rates, are whole numbers of them.
    static let ticksPerSecond = 90_000

    init(
        _ options: JXLOptions, _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) {
        try JXLEncoder.check(options, properties.size)
        try LoadedLibrary.jxl.require()
        (self.options, self.properties, self.context) = (options, properties, context)
    }

    func append(_ frame: consuming PixelBuffer, delay: FrameDelay) throws(TexelError) {
        try context.stop?.check()
        let pixels = try JXLPixels(frame)
        guard pixels.image.size == properties.size else {
            throw .cannotEncode("a frame of \(pixels.image.size) pixels in an animation of \(properties.size)")
        }
        let library = try encoder(first: pixels)
        var part = PixelRectangle(covering: properties.size)
        if let last {
            if options.isLossless || pixels.image.colorSpace.isSRGB {
                part =
                    pixels.image.changedRectangle(since: last.image)
                    ?? PixelRectangle(x: 0, y: 0, width: 1, height: 1)
            }
            try library.add(last.image, part: last.part, ticks: last.ticks, isLast: false)
        }
        // Frames that take no time are not displayed.
        last = (pixels.image, part, min(max(1, clock.ticks(for: delay)), Int(UInt32.max)))
    }

    private func encoder(first: JXLPixels) throws(TexelError) -> JXLLibraryEncoder {
        if let library { return library }
        let created = try JXLLibraryEncoder(
            options, context, first.withColor, hasAlpha: properties.hasAlpha,
            animation: (Self.ticksPerSecond, properties.playCount))
        library = created
        return created
    }

    func finish() throws(TexelError) -> [UInt8] {
        try context.stop?.check()
        guard let library, let last else { throw .cannotEncode("an animation without frames") }
        try library.add(last.image, part: last.part, ticks: last.ticks, isLast: true)
        return JXLContainer.file(library.take(), context.metadata)
    }
}
