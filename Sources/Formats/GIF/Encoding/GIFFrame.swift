import TexelCore
import TexelPixels

/// A frame of an animation, and how it differs from the one before. Nothing depends on what is displayed, so that
/// several frames can be prepared at the same time.
struct GIFFrame {
    /// The frame with hard edges and all its colours.
    let pixels: PixelBuffer
    /// What differs from the frame before; `nil` if nothing does. The first frame covers the canvas.
    let area: PixelRectangle?
    /// Whether pixels become transparent.
    let erases: Bool
    /// The pixels of `area` that differ; 0 elsewhere.
    let changes: PixelBuffer
    /// Whether the changes have few enough colours.
    let hasFewColors: Bool
    /// The changes with few colours; `nil` if they must not be changed, or are not drawn alone because the frame erases
    /// pixels.
    let drawn: PixelBuffer?

    /// - Parameters:
    ///   - frame: with hard edges.
    ///   - last: the frame before; `nil` if this is the first one.
    init(_ frame: PixelBuffer, since last: PixelBuffer?, _ pixels: GIFPixels) throws(TexelError) {
        self.pixels = frame
        guard let last else {
            (area, erases, changes) = (PixelRectangle(covering: frame.size), false, frame)
            hasFewColors = GIFColorTable.hasRoom(for: frame, count: pixels.colorCount)
            drawn = hasFewColors ? nil : try pixels.quantized(frame, count: pixels.colorCount)
            return
        }
        area = frame.changedRectangle(since: last)
        guard let area else {
            (erases, changes, hasFewColors, drawn) = (false, frame, true, nil)
            return
        }
        erases = last.area(in: area, comparedTo: frame) { last, own in last != 0 && own == 0 } != nil
        let (own, others) = (try frame.cropped(to: area), try last.cropped(to: area))
        changes = try own.combined(others, own) { new, old, _ in new == old ? 0 : new }
        hasFewColors = GIFColorTable.hasRoom(for: changes, count: pixels.colorCount)
        drawn =
            hasFewColors || erases || pixels.isLossless
            ? nil : try pixels.quantized(changes, count: Self.colorCount(pixels))
    }

    /// The colours of changes that are drawn alone: one index is transparent.
    static func colorCount(_ pixels: GIFPixels) -> Int {
        max(2, min(pixels.colorCount, GIFColorTable.capacity - 1))
    }
}
