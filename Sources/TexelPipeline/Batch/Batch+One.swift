package import SystemPackage
package import TexelCodecs
package import TexelPixels

// One picture at a time, for programs.

extension Batch {
    /// One file to one file.
    package static func process(
        _ input: FilePath, to output: FilePath, with recipe: Recipe, options: ProcessingOptions,
        pool: WorkerPool = .shared, stop: StopToken
    ) async -> FileResult {
        let name = FilePath(input.lastComponent?.string ?? input.string)
        let job = FileJob(
            item: InputItem(path: input, relativePath: name), destination: .file(output), recipe: recipe,
            options: options, isInPlace: false, makesDirectories: false,
            reservations: OutputReservations(inputs: [input]))
        return await job.run(on: pool, stop: stop)
    }

    /// Bytes to bytes.
    package static func process(
        _ bytes: InputBytes, with recipe: Recipe, options: ProcessingOptions, pool: WorkerPool = .shared,
        stop: StopToken
    ) async -> Result<EncodedImage, PipelineError> {
        do throws(PipelineError) {
            let source = try PipelineError.wrapping { () throws(CodecError) in
                try ImageSource(bytes, limits: options.limits)
            }
            let plan = try PipelineError.wrapping { () throws(PixelBufferError) in
                try Planner.plan(recipe, for: source.info, format: recipe.output.format ?? source.info.format)
            }
            try PipelineError.wrapping { () throws(CodecError) in try options.limits.check(plan.outputSize) }
            let image = try await pool.run(bytes: plan.estimatedBytes + source.byteCountSoFar) {
                () throws(PipelineError) in
                try Processor(
                    source, recipe: recipe, plan: plan, limits: options.limits, strictness: options.strictness,
                    stopCheck: stop.check, parallelism: { pool.threadsForOne }
                ).run()
            }
            return .success(image)
        } catch {
            return .failure(error)
        }
    }
}

extension PixelBuffer {
    /// Decodes a file and makes the picture upright, on the thread that calls it.
    package static func decodingUpright(_ path: FilePath, limits: Limits) throws(PipelineError) -> PixelBuffer {
        let bytes = try InputReader.read(path, limit: limits.inputBytes)
        var options = DecodeOptions()
        options.limits = limits
        let (decodeOptions, source) = try PipelineError.wrapping { () throws(CodecError) in
            (options, try ImageSource(bytes, limits: limits))
        }
        let picture = try PipelineError.wrapping { () throws(CodecError) in
            try source.decoded(decodeOptions).picture
        }
        return try PipelineError.wrapping { () throws(PixelBufferError) in
            try picture.oriented(source.info.orientation)
        }
    }

    /// Encodes as the extension promises and writes the file, on the thread that calls it.
    package func encodeAndWrite(to path: FilePath, quality: Int, overwrites: Bool) throws(PipelineError) {
        guard let format = path.extension.flatMap({ ImageFormat(fileExtension: $0) }) else {
            throw .codec(.cannotEncode("the extension of \(path) names no format that Texel writes"))
        }
        var output = OutputOptions()
        output.quality = quality
        let bytes = try PipelineError.wrapping { () throws(CodecError) in
            try encoded(as: output.encoding(format))
        }
        do {
            try AtomicFile.write(bytes, to: path, replacing: overwrites)
        } catch {
            throw .file(error)
        }
    }
}
