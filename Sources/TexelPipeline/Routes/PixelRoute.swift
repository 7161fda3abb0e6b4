package import TexelCodecs
import TexelFormats
package import TexelPixels

/// The routes over pixels, `streaming` and `buffered`: decodes, then applies the plan's steps in order. Encoding the
/// resulting image is not part of it.
package struct PixelRoute {
    private let source: ImageSource
    private let plan: Plan
    /// Without the plan's shrink factor, which ``load()`` sets.
    private let options: DecodeOptions
    private let parallelism: @Sendable () -> Int

    /// An image, and notes about transparent pixels.
    package typealias Result = (decoded: DecodedImage, notes: [String])

    package init(
        _ source: ImageSource, plan: Plan, options: DecodeOptions, parallelism: @escaping @Sendable () -> Int = { 1 }
    ) {
        self.source = source
        self.plan = plan
        self.options = options
        self.parallelism = parallelism
    }

    /// Decodes the image and applies all steps.
    package func run() throws(PipelineError) -> Result { try finish(try load()) }

    /// Applies the steps that follow the load.
    func finish(_ image: consuming DecodedImage) throws(PipelineError) -> Result {
        var result = Result(decoded: image, notes: [])
        for step in plan.steps {
            try check()
            if case .flatten(let color) = step, result.decoded.image.alphaMode != .opaque,
                !result.decoded.image.isOpaque
            {
                result.notes.append("transparent pixels were composited over \(color)")
            }
            do throws(PixelBufferError) { try result.decoded.image.apply(step) } catch { throw .pixels(error) }
        }
        try check()
        return result
    }

    /// Decodes the image, including the crop and resize that the plan does while rows are read.
    func load() throws(PipelineError) -> DecodedImage {
        var options = options
        options.shrink = plan.shrink
        options.frame = plan.frame
        return try PipelineError.wrapping { () throws(CodecError) in
            if plan.load == .decode(PixelRectangle(covering: source.info.size)) {
                return try source.decodedAsStored(options)
            }
            let decoder = try source.decoder(options)
            let receiver = try RowReceiver(plan.load, shrink: plan.shrink, of: decoder)
            let notes = try RowReceiver.read(decoder, isParallel: parallelism() > 1) { band in
                receiver.take(band)
                options.rowCounter?.advance(by: band.rows.count)
            }
            return DecodedImage(receiver.finish(), notes)
        }
    }

    private func check() throws(PipelineError) {
        if let reason = options.stopCheck?.reason { throw .codec(.stopped(reason)) }
    }

    /// Decodes a file and applies a recipe to it, without encoding; alpha is kept.
    package static func image(
        from bytes: InputBytes, _ recipe: Recipe, limits: Limits, strictness: Strictness
    ) throws(PipelineError) -> PixelBuffer {
        let source = try PipelineError.wrapping { () throws(CodecError) in try ImageSource(bytes, limits: limits) }
        let plan = try PipelineError.wrapping { () throws(PixelBufferError) in
            try Planner.plan(recipe, for: .file(source.info), to: .pixels, routes: [.streaming, .buffered])
        }
        try PipelineError.wrapping { () throws(CodecError) in try limits.check(plan.largestSize) }
        var options = DecodeOptions()
        options.limits = limits
        options.strictness = strictness
        return try PixelRoute(source, plan: plan, options: options).run().decoded.image
    }
}
