package import TexelPixels

/// Follows, from the areas of frames alone, whether all pixels of an animation's canvas are opaque.
package struct CanvasCoverage: Sendable {
    private let canvas: PixelSize
    /// Whether every pixel is opaque after the last drawn frame.
    package private(set) var isComplete = false
    /// The last drawn frame, which is disposed of before the next one.
    private var shown: AnimationFrame?
    /// Whether every pixel was opaque before the last drawn frame.
    private var wasComplete = false

    /// Creates the state before the first frame, when the canvas is transparent.
    package init(_ canvas: PixelSize) { self.canvas = canvas }

    /// Draws the next frame.
    ///
    /// - Parameter isOpaque: whether all pixels of the frame are opaque.
    package mutating func draw(_ frame: AnimationFrame, isOpaque: Bool) {
        var hole: PixelRectangle?
        switch shown?.disposal {
        case .background: hole = shown?.area
        case .previous: isComplete = wasComplete
        case .some(.none), nil: break
        }
        shown = frame
        wasComplete = isComplete && hole == nil
        if isOpaque {
            if frame.area == PixelRectangle(covering: canvas) {
                isComplete = true
            } else if let hole, hole.union(frame.area) != frame.area {
                isComplete = false
            }
        } else if hole != nil || frame.blending == .source {
            isComplete = false
        }
    }

    /// Returns whether all pixels are opaque after every frame.
    ///
    /// - Parameter frames: the frames in order, each with whether all of its pixels are opaque.
    package static func isAlwaysComplete(
        _ canvas: PixelSize, _ frames: some Sequence<(frame: AnimationFrame, isOpaque: Bool)>
    ) -> Bool {
        var coverage = CanvasCoverage(canvas)
        return frames.allSatisfy {
            coverage.draw($0.frame, isOpaque: $0.isOpaque)
            return coverage.isComplete
        }
    }
}
