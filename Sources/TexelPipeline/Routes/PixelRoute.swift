package import TexelCodecs
package import TexelPixels

/// The routes over pixels, `streaming` and `buffered`: decoding, then one step after the other. What comes out is a
/// picture; encoding it is somebody else's.
package struct PixelRoute {
    private let source: ImageSource
    private let plan: Plan
    /// Without the plan's shrinking.
    private let options: DecodeOptions
    private let parallelism: @Sendable () -> Int

    /// A picture, and what became of transparent pixels.
    package typealias Result = (image: DecodedImage, notes: [String])

    package init(
        _ source: ImageSource, plan: Plan, options: DecodeOptions, parallelism: @escaping @Sendable () -> Int = { 1 }
    ) {
        self.source = source
        self.plan = plan
        self.options = options
        self.parallelism = parallelism
    }

    package func run() throws(PipelineError) -> Result { try finish(try load()) }

    /// Carries out what follows the load.
    func finish(_ image: consuming DecodedImage) throws(PipelineError) -> Result {
        var result = Result(image: image, notes: [])
        for step in plan.steps {
            try check()
            if case .flatten(let color) = step, result.image.picture.alphaMode != .opaque,
                !result.image.picture.isOpaque
            {
                result.notes.append("transparent pixels were put on \(color)")
            }
            do throws(PixelBufferError) { try result.image.picture.apply(step) } catch { throw .pixels(error) }
        }
        try check()
        return result
    }

    /// Decodes the picture, as far as the plan does that while rows are read.
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

    /// What a recipe makes of the bytes of a file, with its alpha; encoding is left away.
    package static func picture(
        from bytes: InputBytes, _ recipe: Recipe, limits: Limits, strictness: Strictness
    ) throws(PipelineError) -> PixelBuffer {
        let source = try PipelineError.wrapping { () throws(CodecError) in try ImageSource(bytes, limits: limits) }
        let plan = try PipelineError.wrapping { () throws(PixelBufferError) in
            try Planner.plan(recipe, for: source.info, format: .png, routes: [.streaming, .buffered])
        }
        try PipelineError.wrapping { () throws(CodecError) in try limits.check(plan.largestSize) }
        var options = DecodeOptions()
        options.limits = limits
        options.strictness = strictness
        return try PixelRoute(source, plan: plan, options: options).run().image.picture
    }
}
