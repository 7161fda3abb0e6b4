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

    /// The canvas and its copies, frames with the results of their steps, and the frames that the encoder compares.
    var estimatedBytes: Int {
        let frame = Double(image.input.size.pixelCount ?? .max)
        let largest = max(frame, Double(image.largestSize.pixelCount ?? .max))
        let copies =
            image.recipe.playback.mayGoBack
            ? ComposedFrames.largestNumberOfCopies(ofFrames: image.input.frameCount) : 0
        return PlannedImage.wholeBytes(
            (frame * Double(3 + copies) + largest * (isSmall ? 5 : 3)) * Double(PixelBuffer.bytesPerPixel)
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
        let (bytes, isExact) = try encoded(composed, schedule, &notes, context)
        notes = composed.notes.warnings + notes
        let result = planned.file(
            bytes, size: image.size, route: Self.route, warnings: notes + planned.effortNotes(image))
        let original = OriginalFile(image, context)
        guard original.isKeepable(composed.notes), animation.fault == nil else { return result }
        return try original.file(unlessSmaller: result, by: isExact ? 0 : planned.minimumGain)
    }

    /// A frame that is handed from the thread that composes to the one that encodes.
    ///
    /// Unchecked because `BandRelay` hands it over: one thread uses it at a time.
    private final class Band: @unchecked Sendable {
        var pixels: PixelBuffer?
        var delay = FrameDelay(0, 1)
    }

    /// Composes, changes and encodes the frames of a schedule. The next frame is composed while one is encoded.
    private func encoded(
        _ composed: ComposedFrames, _ schedule: FrameSchedule, _ notes: inout [String], _ context: RouteContext
    ) throws(TexelError) -> (bytes: [UInt8], isExact: Bool) {
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
        var entries = schedule.entries[...]
        var stepNotes: [String] = []
        var last: (pixels: PixelBuffer, entry: FrameSchedule.Entry)?
        let isParallel = context.parallelism() > 1 && isSmall
        try BandRelay.run(isParallel ? [Band(), Band()] : [Band()], isParallel: isParallel) {
            band throws(TexelError) in
            guard var entry = entries.popFirst() else {
                guard let end = last else { return false }
                (band.pixels, band.delay, last) = (end.pixels, end.entry.delay, nil)
                return true
            }
            try context.checkStop()
            var pixels = try composed.frame(entry.frame)
            for note in try context.apply(steps, to: &pixels) where !stepNotes.contains(note) { stepNotes.append(note) }
            band.pixels = nil
            if var before = last {
                // Encoders join equal frames, and players show the sum of their delays.
                if before.pixels == pixels {
                    before.entry.delay = before.entry.shownDelay
                    entry.delay = entry.shownDelay
                }
                (band.pixels, band.delay) = (before.pixels, before.entry.delay)
            }
            last = (pixels, entry)
            return true
        } use: { band throws(TexelError) in
            if let pixels = band.pixels.take() { try encode(pixels, band.delay) }
        }
        for note in stepNotes where !notes.contains(note) { notes.append(note) }
        guard let encoder else { throw .missingFrame(0, count: 0) }
        return (try encoder.finish(), encoder.isExact)
    }

    /// Whether frames are so small that two more may be in memory.
    private var isSmall: Bool {
        [image.input.size, image.size].allSatisfy { ($0.pixelCount ?? .max) <= Self.smallPixelCount }
    }

    private static let smallPixelCount = 16 << 20

    /// Whether any frame of the result may have transparent pixels.
    private func hasAlpha(_ info: ImageInfo) -> Bool {
        steps.reduce(info.alphaMode) { $1.alphaMode(of: $0) } != .opaque
    }

    /// The warning if the format cannot store the delays exactly.
    private func clockNote(_ schedule: FrameSchedule) -> String? {
        guard let ticksPerSecond = options.frameTicksPerSecond, !schedule.isExact(ticksPerSecond: ticksPerSecond) else {
            return nil
        }
        let step = ticksPerSecond <= 1000 ? "\(1000 / ticksPerSecond) ms" : "1/\(ticksPerSecond) s"
        return "the delays of frames were rounded to steps of \(step)"
    }
}
