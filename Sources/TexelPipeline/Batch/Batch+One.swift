package import SystemPackage
import TexelCodecs
package import TexelPixels

// One picture at a time, for programs.

extension Batch {
    /// One file to one file.
    package static func process(
        _ input: FilePath, to output: FilePath, with recipe: Recipe, options: ProcessingOptions,
        pipeline: ImagePipeline = .shared, stop: StopToken
    ) async -> FileResult {
        let name = FilePath(input.lastComponent?.string ?? input.string)
        let job = FileJob(
            item: InputItem(path: input, relativePath: name), destination: .file(output), recipe: recipe,
            options: options, isInPlace: false, makesDirectories: false,
            reservations: OutputReservations(inputs: [input]))
        return await job.run(in: pipeline, stop: stop)
    }
}

extension PixelBuffer {
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
