import TexelCodecs
import TexelCore
import TexelPixels

/// The frames of an animation as displayed. In the order of the file, each is drawn once.
///
/// On the way to an earlier frame, copies of the canvas are kept at a quarter, a half and three quarters of the
/// distance from the last copy before it. So all frames in the opposite order take `3 log₄ n` copies, and each frame is
/// drawn `log₄ n` times at most.
final class ComposedFrames {
    let animation: any ImageAnimation
    private let canvas: AnimationCanvas
    private let context: RouteContext
    private let dithers: Bool
    /// The frame on the canvas.
    private var drawn = -1
    /// Copies of the canvas after frames, in their order.
    private var copies: [(frame: Int, canvas: AnimationCanvas.Snapshot)] = []

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

    /// The most copies of the canvas that are kept while frames are composed in any order.
    static func largestNumberOfCopies(ofFrames count: Int) -> Int {
        var (copies, distance) = (0, count)
        while distance > 1 { (copies, distance) = (copies + distances - 1, (distance + distances - 1) / distances) }
        return copies
    }

    /// The number of parts into which copies divide the way to a frame.
    private static let distances = 4

    /// Composes a frame.
    func frame(_ index: Int) throws(TexelError) -> PixelBuffer {
        try draw(index)
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

    private func draw(_ index: Int) throws(TexelError) {
        var options = context.decodeOptions(frame: nil)
        options.rowCounter = nil
        options.dithers = dithers
        let goesBack = index < drawn
        if goesBack {
            while let last = copies.last, last.frame > index { copies.removeLast() }
            if let last = copies.last { canvas.restore(last.canvas) }
            drawn = copies.last?.frame ?? -1
        }
        let start = drawn
        let step = max(1, (index - start + Self.distances - 1) / Self.distances)
        while drawn < index {
            try context.checkStop()
            try canvas.draw(drawn + 1, options)
            drawn += 1
            if goesBack, drawn < index, (drawn - start).isMultiple(of: step) {
                copies.append((drawn, try canvas.snapshot()))
            }
        }
    }
}
