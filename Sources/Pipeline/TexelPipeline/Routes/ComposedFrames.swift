import TexelCodecs
import TexelCore
import TexelPixels

/// The frames of an animation as displayed, which are composed one after another.
struct ComposedFrames {
    let animation: any ImageAnimation
    private let canvas: AnimationCanvas
    private let context: RouteContext
    private let dithers: Bool

    /// - Parameter dithers: whether samples of more than 8 bits are dithered.
    /// - Throws: errors of the codec: the animation's fault unless the strictness accepts all faults, any error of
    ///   opening it,
    ///   `outOfMemory`.
    init(_ context: RouteContext, dithers: Bool = false) throws(TexelError) {
        self.context = context
        self.dithers = dithers
        guard let animation = try context.source.animation(limits: context.policy.limits) else {
            throw .missingFrame(0, count: 0)
        }
        if let fault = animation.fault, context.policy.strictness != .none { throw fault }
        self.animation = animation
        canvas = try AnimationCanvas(animation)
    }

    /// The warnings and damage that the decoders of the composed frames reported.
    var notes: DecoderResult { canvas.notes }

    /// Composes a frame. Frames must be composed in order, from 0.
    func frame(_ index: Int) throws(TexelError) -> PixelBuffer {
        var options = context.decodeOptions(frame: nil)
        options.rowCounter = nil
        options.dithers = dithers
        try canvas.draw(index, options)
        var pixels = try PixelBuffer(
            uninitialized: animation.canvas, alphaMode: canvas.isOpaque ? .opaque : .straight,
            colorSpace: context.source.info.colorSpace)
        let bytesPerRow = pixels.bytesPerRow
        pixels.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            canvas.copy(0..<animation.canvas.height, into: base, bytesPerRow: bytesPerRow)
        }
        return pixels
    }
}
