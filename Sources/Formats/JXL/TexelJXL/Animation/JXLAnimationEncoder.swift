import TexelCodecs
import TexelCore
import TexelPixels

/// Writes an animation: each frame holds the part of the image that has changed.
final class JXLAnimationEncoder: AnimationEncoder {
    private let options: JXLOptions
    private let properties: AnimationProperties
    private let context: EncodingContext
    /// Created with the first frame.
    private var library: JXLLibraryEncoder?
    private var previous: PixelBuffer?
    private var frameCount = 0
    private var clock = FrameTicks(ticksPerSecond: JXLAnimationEncoder.ticksPerSecond)

    /// The steps of time: thousandths of a second, and all common frame rates, are whole numbers of them.
    static let ticksPerSecond = 90_000

    init(
        _ options: JXLOptions, _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) {
        try JXLEncoder.check(options, properties.size)
        try LoadedLibrary.jxl.require()
        (self.options, self.properties, self.context) = (options, properties, context)
        context.progress?.begin(partCount: properties.frameCount)
    }

    func append(_ frame: consuming PixelBuffer, delay: FrameDelay) throws(TexelError) {
        try context.stop?.check()
        let pixels = try JXLPixels(frame)
        guard pixels.image.size == properties.size else {
            throw .cannotEncode("a frame of \(pixels.image.size) pixels in an animation of \(properties.size)")
        }
        guard frameCount < properties.frameCount else {
            throw .cannotEncode("more frames than the \(properties.frameCount) that were announced")
        }
        let library = try encoder(first: pixels)
        var part = PixelRectangle(covering: properties.size)
        if let previous {
            part = pixels.image.changedRectangle(since: previous) ?? PixelRectangle(x: 0, y: 0, width: 1, height: 1)
        }
        frameCount += 1
        // Frames that take no time are not displayed.
        let ticks = min(max(1, clock.ticks(for: delay)), Int(UInt32.max))
        try library.add(pixels.image, part: part, ticks: ticks, isLast: frameCount == properties.frameCount)
        previous = pixels.image
        context.progress?.advance()
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
        guard let library, frameCount == properties.frameCount else {
            throw .cannotEncode("an animation with \(frameCount) of \(properties.frameCount) frames")
        }
        return JXLContainer.file(library.take(), context.metadata)
    }
}
