public import TexelCodecs
import TexelFormats
public import TexelPipeline

extension ImageInfo {
    /// Reads a file's header, and no more of the file than the header needs. Of an animation, all frames are found, but
    /// not decoded.
    ///
    /// - Returns: the header's contents, and the number of bytes of the whole file.
    /// - Throws: `PipelineError`.
    public static func read(
        from item: InputItem, limits: Limits = Limits()
    ) throws(PipelineError) -> (info: ImageInfo, byteCount: Int) {
        guard item.isFile || item.isStandardInput else { throw .transfer(.unsupportedURL(item.name)) }
        if let head = InputReader.beginning(of: item.path, count: 128 * 1024), head.fileSize <= limits.inputBytes,
            let source = try? ImageSource(head.bytes, limits: limits), source.holdsWholeHeader,
            !source.info.isAnimation
        {
            return (source.info, head.fileSize)
        }
        // The file is small, is not seekable, has much metadata or several frames, or is damaged: read all of it, which
        // also gives the better error.
        let source = try ImageSource(reading: item, limits: limits)
        return (source.infoWithTiming(limits: limits), source.byteCountSoFar)
    }

    /// Reads the header of a file or any other input, and no more of it than the header needs. Of an animation, all
    /// frames are found, but not decoded.
    ///
    /// - Parameters:
    ///   - item: the input.
    ///   - limits: the limits on the input.
    ///   - page: the page of a file with pages, from 0; `nil` for the first, with the number of pages.
    ///   - pipeline: loads inputs that are not files, and all inputs if child processes parse their headers.
    /// - Returns: the header's contents, and the number of bytes of the whole input.
    /// - Throws: `PipelineError`.
    public static func load(
        from item: InputItem, limits: Limits = Limits(), page: Int? = nil, pipeline: ImagePipeline = .shared
    ) async throws(PipelineError) -> (info: ImageInfo, byteCount: Int) {
        if page == nil, pipeline.workers.isolation?.parsesHeaders != true, item.isFile || item.isStandardInput {
            return try await WorkerPool.files.run(bytes: 0) { () throws(PipelineError) in
                try read(from: item, limits: limits)
            }
        }
        return try await load(from: item.source, limits: limits, page: page, pipeline: pipeline)
    }
}
