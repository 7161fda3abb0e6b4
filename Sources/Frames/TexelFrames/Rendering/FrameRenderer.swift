import TexelCodecs
import TexelCore
import TexelPipeline
import TexelPixels

/// Renders a worker's frames by a recipe. Keeps the plans of the most recent kinds of input.
final class FrameRenderer {
    private let recipe: Recipe
    private let policy: DecodePolicy
    private let threadGroup: BandThreadGroup?
    /// The most recently used plans, the latest first. A stream with one kind of frame needs only one.
    private var plans: [RenderPlan] = []
    private static let planCapacity = 4
    private var overlay: OverlayRenderer?

    /// Creates a renderer.
    ///
    /// - Parameter threadGroup: Threads that share the work of each frame; `nil` renders on the calling thread.
    init(_ recipe: Recipe, policy: DecodePolicy, threadGroup: BandThreadGroup? = nil) {
        self.recipe = recipe
        self.policy = policy
        self.threadGroup = threadGroup
    }

    /// The result of rendering frames of a format.
    struct Forecast {
        var size: PixelSize
        /// Whether threads can share the work of one frame.
        var isShareable: Bool
        /// Whether the result keeps transparent pixels.
        var keepsAlpha: Bool
    }

    /// Predicts the result for frames of a format, without rendering any.
    ///
    /// - Throws: If the recipe cannot be applied to such frames, or a limit is exceeded.
    static func forecast(_ format: FrameFormat, _ recipe: Recipe, limits: Limits) throws(TexelError) -> Forecast {
        let input =
            format.isEncoded
            ? RenderPlan.Input.pixels(format.size, .straight)
            : .samples(SampleLayout(.yuv(.i420, YUVColor(.bt601, .limited)), format.size))
        let plan = try RenderPlan(recipe, for: input, limits: limits)
        return Forecast(
            size: plan.shape.size, isShareable: plan.isShareable, keepsAlpha: plan.shape.alphaMode != .opaque)
    }

    /// Renders a frame into the buffer, which grows if necessary. If the recipe changes nothing, returns another hold
    /// of the source's frame instead.
    func render(_ source: borrowing SourceFrame, arrival: Duration, into lease: consuming FrameLease) throws(TexelError)
        -> Frame
    {
        var frame: Frame
        switch source.overlay {
        case .none: frame = try render(source.content, source.fields, index: source.index, into: lease)
        case .some(let overlay):
            frame = try render(
                source.content, source.fields, index: source.index, ownsResult: true, into: lease)
            try overlayRenderer(frame.size).mix(overlay, into: &frame, index: source.index, arrival: arrival)
        }
        frame.time = source.time
        frame.duration = source.duration
        frame.index = source.index
        frame.arrival = arrival
        return frame
    }

    /// Renders the content of a frame.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - fields: The order of the fields of an interlaced frame; `nil` for a progressive one.
    ///   - index: The frame's number, for errors.
    ///   - ownsResult: Whether the result will be written to, so that it must not share the source's pixels.
    ///   - lease: The buffer for the result.
    func render(
        _ content: borrowing FrameContent, _ fields: FieldOrder?, index: Int, ownsResult: Bool = false,
        into lease: consuming FrameLease
    ) throws(TexelError) -> Frame {
        // `content` and `result` outlive all pointers below.
        var result = lease
        switch content {
        case .samples(let samples): return try render(try samples.image, fields, index, into: result)
        case .fileSamples(let file, let offset, let layout):
            let image = SampleImage(layout: layout, origin: .file(file, offset: offset))
            return try render(image, fields, index, into: result)
        case .planes(let planes): return try render(planes.image, fields, index, into: result)
        case .field(let field): return try render(field.image, fields, index, into: result)
        case .pixels(let frame):
            let plan = try plan(for: .pixels(frame.size, frame.alphaMode))
            if plan.isIdentity, !ownsResult { return frame.shared() }
            plan.render(try frame.raster, into: try raster(in: &result, plan))
            return Frame(result, size: plan.shape.size, alphaMode: plan.shape.alphaMode, time: .zero)
        case .pattern(let pattern):
            let plan = try plan(for: .drawn(pattern.size))
            plan.render(into: try raster(in: &result, plan)) {
                pattern.draw(into: $0.base, bytesPerRow: $0.bytesPerRow)
            }
            return Frame(result, size: plan.shape.size, alphaMode: plan.shape.alphaMode, time: .zero)
        case .encoded(let bytes):
            let count = bytes.count
            let input = bytes.lease.withUnsafeBytes { InputBytes(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            return try decoded(input, index: index, into: result)
        case .file(let path):
            let input = try InputReader.read(path, limit: policy.limits.inputBytes)
            return try decoded(input, index: index, into: result)
        case .page(let bytes, let page):
            return try decoded(bytes, page: page, index: index, into: result)
        }
    }

    /// Renders samples, which are valid until this returns.
    private func render(
        _ image: SampleImage, _ fields: FieldOrder?, _ index: Int, into lease: consuming FrameLease
    ) throws(TexelError) -> Frame {
        var result = lease
        let plan = try plan(for: .samples(image.layout, image.orientation, FrameScan(image, fields)))
        try plan.render(image.origin, frame: index, into: try raster(in: &result, plan))
        return Frame(result, size: plan.shape.size, alphaMode: plan.shape.alphaMode, time: .zero)
    }

    /// Returns the plan for this kind of input; makes it if it is not cached.
    private func plan(for input: RenderPlan.Input) throws(TexelError) -> RenderPlan {
        if let first = plans.first, first.input == input { return first }
        if let index = plans.firstIndex(where: { $0.input == input }) {
            plans.swapAt(0, index)
            return plans[0]
        }
        if plans.count == Self.planCapacity { plans.removeLast() }
        let plan = try RenderPlan(recipe, for: input, limits: policy.limits, threadGroup: threadGroup)
        plans.insert(plan, at: 0)
        return plan
    }

    /// Returns the renderer for overlays on frames of this size.
    private func overlayRenderer(_ size: PixelSize) -> OverlayRenderer {
        if let overlay, overlay.size == size { return overlay }
        let made = OverlayRenderer(
            FrameRenderer(
                recipe.resizing(width: size.width, height: size.height, fit: .cover, enlarges: true),
                policy: policy),
            size: size)
        overlay = made
        return made
    }

    /// The destination in a buffer, which grows to the plan's size.
    private func raster(in lease: inout FrameLease, _ plan: RenderPlan) throws(TexelError) -> Raster {
        try lease.grow(to: plan.byteCount)
        return Raster(
            base: try lease.base, bytesPerRow: Frame.bytesPerRow(width: plan.shape.size.width), size: plan.shape.size,
            alphaMode: plan.shape.alphaMode)
    }

    // MARK: Encoded images

    /// Decodes an image file through the still image pipeline, which applies orientation, profile and DCT scaling.
    ///
    /// - Parameter page: The page of a file with pages, from 0; `nil` for the first.
    private func decoded(
        _ bytes: InputBytes, page: Int? = nil, index: Int, into lease: consuming FrameLease
    ) throws(TexelError) -> Frame {
        let image: PixelBuffer
        var recipe = recipe
        recipe.frame = page
        do throws(TexelError) {
            image = try PixelBuffer(from: bytes, recipe, policy: policy)
        } catch {
            throw .damagedFrame(index: index, error)
        }
        var lease = lease
        let byteCount = try Frame.byteCount(image.size)
        try lease.grow(to: byteCount)
        lease.withUnsafeMutableBytes { destination in
            image.withUnsafeBytes { source in
                guard let from = source.baseAddress, let to = destination.baseAddress else { return }
                let bytesPerRow = Frame.bytesPerRow(width: image.width)
                for y in 0..<image.height {
                    (to + y * bytesPerRow).copyMemory(
                        from: from + y * image.bytesPerRow, byteCount: image.width * PixelBuffer.bytesPerPixel)
                }
            }
        }
        return Frame(lease, size: image.size, alphaMode: image.alphaMode, time: .zero)
    }
}

extension Frame {
    /// The pixels, read-only; valid as long as the frame.
    fileprivate var raster: Raster {
        borrowing get throws(TexelError) {
            let base = withUnsafeBytes { $0.baseAddress }
            guard let base else { throw .outOfMemory(byteCount: bytesPerRow * height) }
            return Raster(
                base: UnsafeMutableRawPointer(mutating: base), bytesPerRow: bytesPerRow, size: size,
                alphaMode: alphaMode)
        }
    }
}

extension FrameLease {
    /// The first byte; valid as long as the lease.
    fileprivate var base: UnsafeMutableRawPointer {
        borrowing get throws(TexelError) {
            guard let base = buffer.memory.baseAddress else { throw .outOfMemory(byteCount: byteCount) }
            return base
        }
    }
}
