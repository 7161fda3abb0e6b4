package import TexelCore
package import TexelPixels

/// Options of a format that stores animations and whose encoder takes them frame by frame.
package protocol AnimatedOptions: FormatOptions {
    /// The smallest step of time that the format stores, as a number of steps per second; `nil` if it stores fractions.
    var frameTicksPerSecond: Int? { get }
    /// The shortest delay that viewers of the format observe; `nil` if they observe any.
    var shortestDelay: FrameDelay? { get }

    /// Begins a file.
    ///
    /// - Throws: `cannotEncode` if the format does not support the size or the options; `outOfMemory`.
    func animationEncoder(
        _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) -> any AnimationEncoder
}

extension AnimatedOptions {
    package var shortestDelay: FrameDelay? { nil }
}

/// The properties that all frames of a written animation share.
package struct AnimationProperties: Sendable, Hashable {
    /// The size of every frame in pixels.
    package var size: PixelSize
    /// The number of times to play the animation; 0 for endless.
    package var playCount: Int
    /// Whether any frame may have transparent pixels.
    package var hasAlpha: Bool
    /// The colour space of every frame.
    package var colorSpace: ColorSpace

    package init(size: PixelSize, playCount: Int, hasAlpha: Bool, colorSpace: ColorSpace) {
        self.size = size
        self.playCount = playCount
        self.hasAlpha = hasAlpha
        self.colorSpace = colorSpace
    }
}

/// Writes one animation, frame by frame. The number of frames in memory does not depend on that of the animation.
package protocol AnimationEncoder: AnyObject {
    /// Encodes the next frame.
    ///
    /// - Parameters:
    ///   - frame: the whole image as displayed, of the size of the animation.
    ///   - delay: how long it is displayed.
    func append(_ frame: consuming PixelBuffer, delay: FrameDelay) throws(TexelError)

    /// Ends the file and returns its bytes. At least one frame must have been appended.
    func finish() throws(TexelError) -> [UInt8]

    /// Whether it is known, after `finish`, that no pixel was changed although the options allow loss.
    var isExact: Bool { get }
}

extension AnimationEncoder {
    package var isExact: Bool { false }
}

extension EncodingContext {
    /// The number of frames that an encoder may collect to work on all of them at the same time.
    ///
    /// - Parameter size: of a frame.
    package func framesAtOnce(of size: PixelSize) -> Int {
        guard parallelism > 1 else { return 1 }
        let bytes = (size.pixelCount ?? .max).multipliedReportingOverflow(by: PixelBuffer.bytesPerPixel)
        return bytes.overflow ? 1 : max(1, min(parallelism * 2, Self.bytesAtOnce / max(1, bytes.partialValue)))
    }

    private static let bytesAtOnce = 16 << 20
}
