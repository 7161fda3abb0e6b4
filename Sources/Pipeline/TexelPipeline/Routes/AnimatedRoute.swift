import TexelCodecs
import TexelCore
import TexelFormats
import TexelOperations
import TexelPixels

/// The frames of an animation are composed, changed and encoded one after another. Memory does not depend on their
/// number, but for the file.
struct AnimatedRoute: PlannedRoute {
    static let route = Route.animated

    let image: PlannedImage
    let planned: PlannedEncoding
    let options: any AnimatedOptions
    let steps: [any RowStep]

    var encoding: PlannedEncoding? { planned }

    /// The canvas, a frame with the results of its steps, and the frames that the encoder compares.
    var estimatedBytes: Int {
        let frame = Double(image.input.size.pixelCount ?? .max)
        let largest = max(frame, Double(image.largestSize.pixelCount ?? .max))
        return PlannedImage.wholeBytes(
            (frame * 2 + largest * 3) * Double(PixelBuffer.bytesPerPixel)
                + options.workingBytes(pixels: image.pixelCount, isSearched: false))
    }

    var reason: String { "every frame is composed, changed and encoded" }
    var explanation: [String] { ["load: \(image.input.frameCount) frames"] }

    func run(_ context: RouteContext) throws(TexelError) -> EncodedImage {
        guard !planned.output.target.isSet else {
            throw .unsupported("a search for the size or the score of an animation")
        }
        try planned.refuseLoss()
        let composed = try ComposedFrames(context, dithers: image.recipe.dithers)
        let animation = composed.animation
        var notes = LossNotes(context.source.info, image.recipe, convertsColors: image.convertsColors).all
        if let clockNote = clockNote(animation) { notes.append(clockNote) }
        if animation.hasSeparateDefaultImage {
            notes.append("the default image, which is not a frame of the animation, was dropped")
        }
        if animation.fault != nil { notes.append(RouteContext.missingFrames) }
        let bytes = try encoded(composed, &notes, context)
        notes = composed.notes.warnings + notes
        let result = planned.file(
            bytes, size: image.size, route: Self.route, warnings: notes + planned.effortNotes(image))
        let original = OriginalFile(image, context)
        guard original.isKeepable(composed.notes), animation.fault == nil else { return result }
        return try original.file(unlessSmaller: result, by: planned.minimumGain)
    }

    /// Composes, changes and encodes all frames.
    private func encoded(
        _ composed: ComposedFrames, _ notes: inout [String], _ context: RouteContext
    ) throws(TexelError) -> [UInt8] {
        let (info, animation) = (context.source.info, composed.animation)
        context.rowCounter?.expect(animation.frames.count * image.size.height)
        var encodingContext = planned.context(image, info.metadata, size: image.size, context)
        // Progress counts whole frames.
        encodingContext.progress = nil
        var encoder: (any AnimationEncoder)?
        for (index, frame) in animation.frames.enumerated() {
            try context.checkStop()
            var pixels = try composed.frame(index)
            for note in try context.apply(steps, to: &pixels) where !notes.contains(note) { notes.append(note) }
            let current: any AnimationEncoder
            if let encoder {
                current = encoder
            } else {
                let properties = AnimationProperties(
                    size: pixels.size, frameCount: animation.frames.count, playCount: animation.playCount,
                    hasAlpha: hasAlpha(info), colorSpace: pixels.colorSpace)
                current = try options.animationEncoder(properties, encodingContext)
            }
            try current.append(pixels, delay: frame.delay)
            encoder = current
            context.rowCounter?.advance(by: image.size.height)
        }
        guard let encoder else { throw .missingFrame(0, count: 0) }
        return try encoder.finish()
    }

    /// Whether any frame of the result may have transparent pixels.
    private func hasAlpha(_ info: ImageInfo) -> Bool {
        steps.reduce(info.alphaMode) { $1.alphaMode(of: $0) } != .opaque
    }

    /// The warning if the format cannot store the delays exactly.
    private func clockNote(_ animation: any ImageAnimation) -> String? {
        guard let ticksPerSecond = options.frameTicksPerSecond else { return nil }
        var clock = FrameTicks(ticksPerSecond: ticksPerSecond)
        for frame in animation.frames { _ = clock.ticks(for: frame.delay) }
        return clock.isExact ? nil : "the delays of frames were rounded to steps of \(1000 / ticksPerSecond) ms"
    }
}
