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
    /// The frame that was appended last, with hard edges and all its colours.
    private var source: PixelBuffer?
    /// The displayed canvas before the last frame, and after it.
    private var before: PixelBuffer
    private var shown: PixelBuffer
    /// Includes all pixels that the last frame changes.
    private var changedArea: PixelRectangle
    /// The delay of the last frame.
    private var delay = 0

    init(
        _ options: GIFOptions, _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) {
        pixels = try GIFPixels(options, properties.size, stop: context.stop)
        (self.properties, self.context) = (properties, context)
        images = GIFImageWriter(LZWCompression(options.effort, stop: context.stop))
        before = try PixelBuffer(width: properties.size.width, height: properties.size.height)
        shown = before
        changedArea = PixelRectangle(covering: properties.size)
    }

    func append(_ frame: consuming PixelBuffer, delay: FrameDelay) throws(TexelError) {
        guard frame.size == properties.size else {
            throw .cannotEncode("a frame of \(frame.size) pixels in an animation of \(properties.size)")
        }
        try context.stop?.check()
        let frame = try pixels.withHardEdges(frame)
        // A delay of 0 means that there is none; one that is only short must not become 0.
        let ticks = max(delay.numerator > 0 ? 1 : 0, clock.ticks(for: delay))
        guard let source else {
            shown = try pixels.quantized(frame, count: pixels.colorCount)
            (self.source, self.delay) = (frame, ticks)
            return
        }
        self.source = frame
        guard let area = frame.changedRectangle(since: source) else { return self.delay += ticks }
        let disposal = disposal(before: frame, area)
        let next: PixelBuffer
        if case .keep = disposal {
            next = try displayed(frame, since: source, area)
            // Different colours may be the same in the palette.
            guard shown.area(in: area, comparedTo: next, where: !=) != nil else { return self.delay += ticks }
            try write(disposal)
            (before, shown, changedArea, self.delay) = (shown, next, area, ticks)
        } else {
            let base = try base(after: disposal)
            next = try displayed(frame, since: source, on: base)
            try write(disposal)
            (before, shown, changedArea, self.delay) = (base, next, PixelRectangle(covering: frame.size), ticks)
        }
    }

    func finish() throws(TexelError) -> [UInt8] {
        try write(.keep)
        return images.file(properties, metadata: context.metadata)
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
        _ frame: PixelBuffer, since last: PixelBuffer, _ area: PixelRectangle
    ) throws(TexelError) -> PixelBuffer {
        let part = try frame.part(area)
        let changes = try part.combined(try last.part(area), part) { new, old, _ in new == old ? 0 : new }
        var result = shown
        if GIFColorTable.hasRoom(for: changes, count: pixels.colorCount) {
            result.draw(changes, at: area)
            return result
        }
        let count = min(pixels.colorCount, GIFColorTable.capacity - 1)
        if pixels.colorCount == GIFColorTable.capacity, !GIFColorTable.hasRoom(for: changes, count: count) {
            // Without a transparent index, there is room for one more colour.
            let whole = try part.combined(try last.part(area), try shown.part(area)) { new, old, shown in
                new == old ? shown : new
            }
            if !whole.hasTransparentPixel, GIFColorTable.hasRoom(for: whole, count: GIFColorTable.capacity) {
                result.draw(whole, at: area)
                return result
            }
        }
        result.draw(try pixels.quantized(changes, count: max(2, count)), at: area)
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
        var redrawn = GIFColorTable(hasTransparency: true)
        let excess = result.count(in: canvas, comparedTo: base) { kept, base in
            kept != 0 && kept != base && !redrawn.insert(kept)
        }
        let most = pixels.colorCount
        let room = most - (redrawn.count - 1)
        // If these colours leave too few others, all colours that are drawn are chosen anew.
        let keepsColors = excess == 0 && (redrawn.count == 1 || room > most / 2)
        let changes =
            keepsColors
            ? try frame.combined(last, frame) { new, old, _ in new == old ? 0 : new }
            : try frame.combined(result, base) { new, kept, base in kept != 0 && kept == base ? 0 : new }
        result.draw(try pixels.quantized(changes, count: max(2, keepsColors ? room : most)), at: canvas)
        return result
    }
}
