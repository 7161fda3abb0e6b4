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

    /// The canvas and its copies, a frame with the results of its steps, and the frames that the encoder compares.
    var estimatedBytes: Int {
        let frame = Double(image.input.size.pixelCount ?? .max)
        let largest = max(frame, Double(image.largestSize.pixelCount ?? .max))
        let copies =
            image.recipe.playback.mayGoBack
            ? ComposedFrames.largestNumberOfCopies(ofFrames: image.input.frameCount) : 0
        return PlannedImage.wholeBytes(
            (frame * Double(2 + copies) + largest * 3) * Double(PixelBuffer.bytesPerPixel)
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
        let schedule = try FrameSchedule(
            animation, image.recipe.playback, shortestDelay: options.shortestDelay,
            frameLimit: context.policy.limits.frames)
        var notes = LossNotes(context.source.info, image.recipe, convertsColors: image.convertsColors).all
        if let clockNote = clockNote(schedule) { notes.append(clockNote) }
        if animation.hasSeparateDefaultImage {
            notes.append("the default image, which is not a frame of the animation, was dropped")
        }
        if animation.fault != nil { notes.append(RouteContext.missingFrames) }
        let bytes = try encoded(composed, schedule, &notes, context)
        notes = composed.notes.warnings + notes
        let result = planned.file(
            bytes, size: image.size, route: Self.route, warnings: notes + planned.effortNotes(image))
        let original = OriginalFile(image, context)
        guard original.isKeepable(composed.notes), animation.fault == nil else { return result }
        return try original.file(unlessSmaller: result, by: planned.minimumGain)
    }

    /// Composes, changes and encodes the frames of a schedule.
    private func encoded(
        _ composed: ComposedFrames, _ schedule: FrameSchedule, _ notes: inout [String], _ context: RouteContext
    ) throws(TexelError) -> [UInt8] {
        let info = context.source.info
        context.rowCounter?.expect(schedule.entries.count * image.size.height)
        var encodingContext = planned.context(image, info.metadata, size: image.size, context)
        // Progress counts whole frames.
        encodingContext.progress = nil
        var encoder: (any AnimationEncoder)?
        func encode(_ pixels: PixelBuffer, _ delay: FrameDelay) throws(TexelError) {
            let current: any AnimationEncoder
            if let encoder {
                current = encoder
            } else {
                let properties = AnimationProperties(
                    size: pixels.size, playCount: schedule.playCount, hasAlpha: hasAlpha(info),
                    colorSpace: pixels.colorSpace)
                current = try options.animationEncoder(properties, encodingContext)
                encoder = current
            }
            try current.append(pixels, delay: delay)
            context.rowCounter?.advance(by: image.size.height)
        }
        var last: (pixels: PixelBuffer, entry: FrameSchedule.Entry)?
        for var entry in schedule.entries {
            try context.checkStop()
            var pixels = try composed.frame(entry.frame)
            for note in try context.apply(steps, to: &pixels) where !notes.contains(note) { notes.append(note) }
            if var before = last {
                // Encoders join equal frames, and players show the sum of their delays.
                if before.pixels == pixels {
                    before.entry.delay = before.entry.shownDelay
                    entry.delay = entry.shownDelay
                }
                try encode(before.pixels, before.entry.delay)
            }
            last = (pixels, entry)
        }
        guard let last else { throw .missingFrame(0, count: 0) }
        try encode(last.pixels, last.entry.delay)
        return try encoder?.finish() ?? []
    }

    /// Whether any frame of the result may have transparent pixels.
    private func hasAlpha(_ info: ImageInfo) -> Bool {
        steps.reduce(info.alphaMode) { $1.alphaMode(of: $0) } != .opaque
    }

    /// The warning if the format cannot store the delays exactly.
    private func clockNote(_ schedule: FrameSchedule) -> String? {
        guard let ticksPerSecond = options.frameTicksPerSecond, !schedule.isExact(ticksPerSecond: ticksPerSecond) else {
            return nil
        }
        return "the delays of frames were rounded to steps of \(1000 / ticksPerSecond) ms"
    }
}
