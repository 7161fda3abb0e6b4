import TexelCodecs
import TexelCore
import TexelPixels

/// Writes an animated GIF. Of each frame only what differs from the one before is stored.
///
/// A frame is written when the next one is known, because its disposal depends on that. A pixel of the source that does
/// not change keeps the colour that is displayed, so that dithering does not flicker.
final class GIFAnimationEncoder: AnimationEncoder {
    private let properties: AnimationProperties
    private let context: EncodingContext
    private let pixels: GIFPixels
    private let images: GIFImageWriter
    private var clock = FrameTicks(ticksPerSecond: 100)
    /// The frames that have been appended since the last work, with their delays.
    private var waiting: [(frame: PixelBuffer, delay: Int)] = []
    private let waitingLimit: Int
    /// The frame that was drawn last, with hard edges and all its colours.
    private var source: PixelBuffer?
    /// The displayed canvas before the last frame, and after it.
    private var before: PixelBuffer
    private var shown: PixelBuffer
    /// Includes all pixels that the last frame changes.
    private var changedArea: PixelRectangle
    /// The delay of the last frame.
    private var delay = 0
    private(set) var isExact = true

    init(
        _ options: GIFOptions, _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) {
        pixels = try GIFPixels(options, properties.size, isFrame: true, stop: context.stop)
        (self.properties, self.context) = (properties, context)
        images = GIFImageWriter(LZWCompression(options.effort, stop: context.stop), threads: context.parallelism)
        waitingLimit = context.framesAtOnce(of: properties.size)
        before = try PixelBuffer(width: properties.size.width, height: properties.size.height)
        shown = before
        changedArea = PixelRectangle(covering: properties.size)
    }

    func append(_ frame: consuming PixelBuffer, delay: FrameDelay) throws(TexelError) {
        guard frame.size == properties.size else {
            throw .cannotEncode("a frame of \(frame.size) pixels in an animation of \(properties.size)")
        }
        // A delay of 0 means that there is none; one that is only short must not become 0.
        waiting.append((frame, max(delay.numerator > 0 ? 1 : 0, clock.ticks(for: delay))))
        if waiting.count == waitingLimit { try drawWaiting() }
    }

    func finish() throws(TexelError) -> [UInt8] {
        try drawWaiting()
        try write(.keep)
        return try images.file(properties, metadata: context.metadata)
    }

    /// Draws the frames that wait. What depends on single frames is done for all of them at the same time.
    private func drawWaiting() throws(TexelError) {
        try context.stop?.check()
        let (waiting, pixels, source) = (waiting, pixels, source)
        self.waiting = []
        let sources = try ParallelJobs.map(waiting.count, threads: context.parallelism) { number throws(TexelError) in
            try pixels.withHardEdges(waiting[number].frame)
        }
        let frames = try ParallelJobs.map(waiting.count, threads: context.parallelism) { number throws(TexelError) in
            try GIFFrame(
                sources[number].pixels, since: number > 0 ? sources[number - 1].pixels : source, pixels)
        }
        if !sources.allSatisfy(\.isExact) { isExact = false }
        for (frame, waiting) in zip(frames, waiting) { try draw(frame, delay: waiting.delay) }
        try images.compress()
    }

    private func draw(_ frame: GIFFrame, delay: Int) throws(TexelError) {
        defer { source = frame.pixels }
        guard let source else {
            if !frame.hasFewColors { isExact = false }
            (shown, self.delay) = (frame.drawn ?? frame.pixels, delay)
            return
        }
        guard let area = frame.area else { return self.delay += delay }
        let disposal = frame.erases ? disposal(before: frame.pixels, area) : .keep
        let next: PixelBuffer
        if case .keep = disposal {
            next = try displayed(frame, since: source, area)
            // Different colours may be the same in the palette.
            guard shown.area(in: area, comparedTo: next, where: !=) != nil else { return self.delay += delay }
            try write(disposal)
            (before, shown, changedArea, self.delay) = (shown, next, area, delay)
        } else {
            let base = try base(after: disposal)
            next = try displayed(frame.pixels, since: source, on: base)
            try write(disposal)
            (before, shown, changedArea, self.delay) = (
                base, next, PixelRectangle(covering: properties.size), delay
            )
        }
    }

    // MARK: Disposal

    private enum Disposal {
        case keep
        /// The last frame's area becomes transparent; the area is enlarged to this one.
        case clear(PixelRectangle)
        /// The last frame is removed.
        case restore
    }

    /// The smallest area that the last frame changes. The first one covers the canvas.
    private var ownArea: PixelRectangle {
        guard !images.isEmpty else { return PixelRectangle(covering: properties.size) }
        return shown.area(in: changedArea, comparedTo: before, where: !=)
            ?? PixelRectangle(x: changedArea.x, y: changedArea.y, width: 1, height: 1)
    }

    /// Chooses what happens to the last frame before `next` is drawn, which cannot make pixels transparent.
    ///
    /// - Parameter changes: where the next frame differs from the last one.
    private func disposal(before next: PixelBuffer, _ changes: PixelRectangle) -> Disposal {
        let erased = shown.area(in: changes, comparedTo: next) { shown, next in shown != 0 && next == 0 }
        guard let erased else { return .keep }
        let own = ownArea
        let cleared = own.union(erased)
        let canvas = PixelRectangle(covering: properties.size)
        // A long delay is divided into several images, of which only the last one could be removed.
        let canRestore =
            !images.isEmpty && delay <= GIFImageWriter.longestDelay
            && before.area(in: canvas, comparedTo: next, where: { before, next in before != 0 && next == 0 }) == nil
        guard canRestore else { return .clear(cleared) }
        // What must be drawn again.
        let clearing = next.count(in: cleared, comparedTo: next) { next, _ in next != 0 }
        let restoring = before.count(in: own, comparedTo: next, where: !=)
        return restoring <= clearing ? .restore : .clear(cleared)
    }

    /// Returns what is displayed after the disposal of the last frame.
    private func base(after disposal: Disposal) throws(TexelError) -> PixelBuffer {
        switch disposal {
        case .keep: return shown
        case .restore: return before
        case .clear(let area):
            var base = shown
            base.updateRaster(to: base.alphaMode) { raster in
                raster.cropped(to: area).fill(0..<area.height, with: 0)
            }
            return base
        }
    }

    private func write(_ disposal: Disposal) throws(TexelError) {
        switch disposal {
        case .keep: try images.append(shown, over: before, ownArea, delay: delay, disposal: 1)
        case .restore: try images.append(shown, over: before, ownArea, delay: delay, disposal: 3)
        case .clear(let area): try images.append(shown, over: before, area, delay: delay, disposal: 2)
        }
    }

    // MARK: Colours

    /// Returns what a frame looks like with the colours of a GIF if it is drawn over the last one.
    ///
    /// - Parameter area: where the frame differs from `last`.
    private func displayed(
        _ frame: GIFFrame, since last: PixelBuffer, _ area: PixelRectangle
    ) throws(TexelError) -> PixelBuffer {
        var result = shown
        if frame.hasFewColors {
            result.draw(frame.changes, at: area)
            return result
        }
        let count = GIFFrame.colorCount(pixels)
        if pixels.colorCount == GIFColorTable.capacity, !GIFColorTable.hasRoom(for: frame.changes, count: count) {
            // Without a transparent index, there is room for one more colour.
            let part = try frame.pixels.cropped(to: area)
            let whole = try part.combined(try last.cropped(to: area), try shown.cropped(to: area)) { new, old, shown in
                new == old ? shown : new
            }
            if !whole.hasTransparentPixel, GIFColorTable.hasRoom(for: whole, count: GIFColorTable.capacity) {
                result.draw(whole, at: area)
                return result
            }
        }
        isExact = false
        if let drawn = frame.drawn {
            result.draw(drawn, at: area)
        } else {
            result.draw(try pixels.quantized(frame.changes, count: count), at: area)
        }
        return result
    }

    /// Returns what a frame looks like with the colours of a GIF.
    ///
    /// - Parameters:
    ///   - last: the frame before.
    ///   - base: what is displayed when the frame is drawn, after a disposal.
    private func displayed(
        _ frame: PixelBuffer, since last: PixelBuffer, on base: PixelBuffer
    ) throws(TexelError) -> PixelBuffer {
        let canvas = PixelRectangle(covering: frame.size)
        // Where the source has not changed, the displayed colour stays. It is drawn again if the disposal removes it.
        var result = try frame.combined(last, shown) { new, old, shown in new == old ? shown : 0 }
        var redrawn = GIFColorTable()
        let excess = result.count(in: canvas, comparedTo: base) { kept, base in
            kept != 0 && kept != base && !redrawn.insert(kept)
        }
        let most = pixels.colorCount
        let room = most - redrawn.count
        // If these colours leave too few others, all colours that are drawn are chosen anew.
        let keepsColors = excess == 0 && (redrawn.count == 0 || room > most / 2)
        let changes =
            keepsColors
            ? try frame.combined(last, frame) { new, old, _ in new == old ? 0 : new }
            : try frame.combined(result, base) { new, kept, base in kept != 0 && kept == base ? 0 : new }
        let drawn = try pixels.quantized(changes, count: max(2, keepsColors ? room : most))
        if drawn != changes { isExact = false }
        result.draw(drawn, at: canvas)
        return result
    }
}
