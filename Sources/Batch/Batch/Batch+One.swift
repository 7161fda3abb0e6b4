package import SystemPackage
import TexelCodecs
package import TexelCore
import TexelFormats
package import TexelPipeline
package import TexelPixels

// Processes one image at a time.

extension Batch {
    /// Processes one file and writes the result to another.
    package static func process(
        _ input: FilePath, to output: FilePath, with recipe: Recipe, options: ProcessingOptions,
        pipeline: ImagePipeline = .shared, stop: StopToken
    ) async -> FileResult {
        await process(
            InputItem(input), to: .file(output), with: recipe, options: options, pipeline: pipeline, stop: stop)
    }

    /// Processes one input and writes its result to a store.
    ///
    /// - Parameter journal: where the result is recorded.
    package static func process(
        _ item: InputItem, to store: some OutputStore, with recipe: Recipe, options: ProcessingOptions,
        journal: FileJob.Journal? = nil, pipeline: ImagePipeline, stop: StopToken
    ) async -> FileResult {
        // On a thread for blocking calls, because an output's name may depend on the input's contents.
        let job = await WorkerPool.files.run(bytes: 0) {
            let names = store.names(of: [item], by: OutputNaming(format: recipe.output.format))
            let call = FileJob.Call(
                options: options, store: store,
                reservations: OutputReservations(inputs: item.filePath.map { [$0] } ?? []), journal: journal)
            return FileJob(item: item, name: names[0], recipes: [recipe], call: call)
        }
        let results = await job.run(in: pipeline, stop: stop, numbers: [0], rowCounters: [RowCounter()])
        return results[0]
    }
}

extension PixelBuffer {
    /// Encodes in the format of the path's extension, and writes the file. Blocks the calling thread.
    ///
    /// - Parameter stop: ends the wait for the reader of a pipe.
    /// - Throws: `cannotEncode` if Texel cannot write the format, errors of the file if the file cannot be written.
    package func encodeAndWrite(
        to path: FilePath, quality: Int, overwrites: Bool, stop: StopToken = StopToken()
    ) throws(TexelError) {
        let settings = EncodingSettings(quality: quality, effort: .balanced)
        guard let encoding = path.extension.flatMap({ ImageFormat(fileExtension: $0)?.encoding(settings) }) else {
            let extensions = CodecRegistry.shared.writableFormats.map { ".\($0.fileExtension)" }.joined(
                separator: " or ")
            throw .cannotEncode("the extension of \(path) must be \(extensions)")
        }
        let bytes = try encoded(as: encoding)
        try AtomicFile.write(bytes, to: path, replacing: Replacement(overwrites: overwrites), stop: stop)
    }
}
