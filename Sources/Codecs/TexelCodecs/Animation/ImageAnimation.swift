package import TexelCore
package import TexelPixels

/// The frames of an animation, before they are composed.
package protocol ImageAnimation: Sendable {
    /// The size of the canvas.
    var canvas: PixelSize { get }
    /// The valid frames, at least one.
    var frames: [AnimationFrame] { get }
    /// The number of times to play the animation; 0 for endless.
    var playCount: Int { get }
    /// Why there are fewer frames than declared; `nil` if there are not.
    var fault: TexelError? { get }

    /// Whether the file also holds a default image that is not a frame.
    var hasSeparateDefaultImage: Bool { get }

    /// Returns a decoder of a frame's own pixels, of the size of its area.
    ///
    /// - Parameter index: the frame, from 0.
    func decoder(of index: Int, _ options: DecodeOptions) throws(TexelError) -> any RowDecoder
}

extension ImageAnimation {
    package var hasSeparateDefaultImage: Bool { false }
}

/// A frame of an animation with its position, duration and composition.
package struct AnimationFrame: Sendable {
    /// The treatment of the area after the frame.
    package enum Disposal: Int, Sendable, Hashable {
        /// The area stays as it is.
        case none
        /// The area becomes transparent black.
        case background
        /// The area becomes what it was before the frame.
        case previous
    }

    /// How the frame is combined with the canvas.
    package enum Blending: Int, Sendable, Hashable {
        /// The frame's pixels replace those of the canvas.
        case source
        /// The frame's pixels are composed over those of the canvas.
        case over
    }

    /// The frame's rectangle on the canvas.
    package var area: PixelRectangle
    /// The delay in the file, which is kept when the file is converted; ``shownDelay`` is that of players.
    package var delay: FrameDelay
    package var disposal: Disposal
    package var blending: Blending

    package init(
        area: PixelRectangle, delay: FrameDelay, disposal: Disposal, blending: Blending
    ) {
        self.area = area
        self.delay = delay
        self.disposal = disposal
        self.blending = blending
    }

    /// How long players show the frame: 100 ms if the delay is at most 10 ms, as in browsers, for all formats (Blink's
    /// `DeferredImageDecoder::FrameDurationAtIndex`, Gecko's `FrameTimeout`). Such delays are those of encoders that
    /// left them out.
    package var shownDelay: FrameDelay { delay.seconds <= Self.longestIgnoredDelay ? FrameDelay(1, 10) : delay }

    /// The longest delay that players replace, in seconds.
    package static let longestIgnoredDelay = 0.01
}
