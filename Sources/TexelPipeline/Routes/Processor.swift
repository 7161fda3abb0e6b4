package import TexelCodecs
import TexelPixels

/// Carries out a plan on one picture in memory, from encoded bytes to encoded bytes.
///
/// Works on the thread that calls it; asks between bands of rows whether to stop.
package struct Processor {
    private let source: ImageSource
    private let recipe: Recipe
    private let plan: Plan
    private let limits: Limits
    private let strictness: Strictness
    private let stopCheck: StopCheck?

    package init(
        _ source: ImageSource, recipe: Recipe, plan: Plan, limits: Limits = Limits(),
        strictness: Strictness = .truncated, stopCheck: StopCheck? = nil
    ) {
        self.source = source
        self.recipe = recipe
        self.plan = plan
        self.limits = limits
        self.strictness = strictness
        self.stopCheck = stopCheck
    }

    package func run() throws(PipelineError) -> EncodedImage {
        if plan.route == .passthrough, try isSound() { return encoded(original(), size: source.info.size) }
        var image = try load()
        var warnings = image.warnings
        for step in plan.steps {
            try check()
            if case .flatten(let color) = step, image.picture.alphaMode != .opaque, !image.picture.isOpaque {
                warnings.append("transparent pixels were put on \(color)")
            }
            image.picture = try PipelineError.wrapping { () throws(PixelBufferError) in
                try image.picture.applying(step)
            }
        }
        try check()
        let bytes = try encode(image, effort: recipe.output.effort)
        var result = encoded(bytes, size: image.picture.size, warnings: warnings + losses)
        if plan.route == .passthrough { result.route = .buffered }
        guard recipe.output.keepsSmallerOriginal, !plan.changesPixels, !isDamaged(image.warnings) else {
            return result
        }
        return try smaller(result, image)
    }

    private func encode(_ image: DecodedImage, effort: Effort) throws(PipelineError) -> [UInt8] {
        var output = recipe.output
        output.effort = effort
        let encoding = output.encoding(plan.format)
        return try PipelineError.wrapping { () throws(CodecError) in
            try image.picture.encoded(
                as: encoding, metadata: writtenMetadata(image.metadata, size: image.picture.size),
                background: output.background ?? .white, stopCheck: stopCheck)
        }
    }

    /// The result, unless the input's own pixel data are smaller.
    private func smaller(_ result: EncodedImage, _ image: DecodedImage) throws(PipelineError) -> EncodedImage {
        let original = original()
        if result.bytes.count < original.count { return result }
        // Half the bits of 16-bit samples are gone: they rarely cost more, if only the encoder takes its time.
        if source.info.bitDepth > 8, recipe.output.effort != .best {
            let best = encoded(
                try encode(image, effort: .best), size: image.picture.size, warnings: result.warnings)
            if best.bytes.count < original.count { return best }
        }
        return encoded(original, size: source.info.size, isKept: true, warnings: image.warnings)
    }

    private func encoded(
        _ bytes: [UInt8], size: PixelSize, isKept: Bool = false, warnings: [String] = []
    ) -> EncodedImage {
        EncodedImage(
            bytes: bytes, size: size, format: plan.format, route: plan.route, isKept: isKept, warnings: warnings)
    }

    /// Whether rows may be missing, so that the input's own bytes are no whole picture. Only the least strictness lets
    /// such a picture come this far.
    private func isDamaged(_ warnings: [String]) -> Bool { strictness == .none && !warnings.isEmpty }

    /// Whether a file whose pixels are to pass untouched can be decoded at all: a damaged input never becomes a damaged
    /// output. A JPEG is looked at with its smallest DCT, which still reads every coefficient.
    private func isSound() throws(PipelineError) -> Bool {
        var options = decodeOptions
        options.shrink = 8
        let notes = try PipelineError.wrapping { () throws(CodecError) in
            let decoder = try source.decoder(options)
            try decoder.forEachRow { _, _ in }
            return try decoder.finish()
        }
        return !isDamaged(notes.warnings)
    }

    /// What new pixels cannot hold of the input.
    private var losses: [String] {
        let frames = source.info.frameCount
        return frames > 1 ? ["of an animation of \(frames) frames only the default picture was kept"] : []
    }

    // MARK: Reading

    private var decodeOptions: DecodeOptions {
        var options = DecodeOptions()
        options.limits = limits
        options.strictness = strictness
        options.stopCheck = stopCheck
        return options
    }

    private func load() throws(PipelineError) -> DecodedImage {
        var options = decodeOptions
        options.shrink = plan.shrink
        switch plan.load {
        case .decode(let rectangle):
            var image = try PipelineError.wrapping { () throws(CodecError) in try source.decoded(options) }
            image.picture = try PipelineError.wrapping { () throws(PixelBufferError) in
                try image.picture.cropped(to: rectangle)
            }
            return image
        case .resample(let resampling):
            return try PipelineError.wrapping { () throws(CodecError) in
                try StreamingResize(resampling, shrink: plan.shrink).run(try source.decoder(options))
            }
        }
    }

    // MARK: Metadata

    /// The input's pixel data with the metadata that the policy keeps.
    private func original() -> [UInt8] {
        source.rewritten(
            metadata: writtenMetadata(source.info.metadata, size: source.info.size),
            keepsColor: recipe.output.metadata != .none)
    }

    private func writtenMetadata(_ metadata: ImageMetadata, size: PixelSize) -> WrittenMetadata {
        var written = metadata.kept(
            under: recipe.output.metadata, orientation: plan.writtenOrientation, size: size,
            keepsThumbnail: !plan.changesPixels)
        if plan.turnsSides { written.density = written.density?.transposed }
        return written
    }

    private func check() throws(PipelineError) {
        if let reason = stopCheck?.reason { throw .codec(.stopped(reason)) }
    }
}

extension PipelineError {
    static func wrapping<Value>(_ body: () throws(CodecError) -> Value) throws(PipelineError) -> Value {
        do { return try body() } catch { throw .codec(error) }
    }

    static func wrapping<Value>(_ body: () throws(PixelBufferError) -> Value) throws(PipelineError) -> Value {
        do { return try body() } catch { throw .pixels(error) }
    }
}
