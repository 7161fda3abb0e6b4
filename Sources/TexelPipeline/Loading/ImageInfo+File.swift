public import TexelCodecs

extension ImageInfo {
    /// Reads a file's header, and no more of the file than that needs.
    ///
    /// - Returns: what the header says, and how many bytes the whole file has.
    /// - Throws: `PipelineError`.
    public static func read(
        from item: InputItem, limits: Limits = Limits()
    ) throws(PipelineError) -> (info: ImageInfo, byteCount: Int) {
        guard item.isFile || item.isStandardInput else { throw .transfer(.unsupportedAddress(item.name)) }
        if let head = InputReader.beginning(of: item.path, count: 128 * 1024), head.fileSize <= limits.inputBytes,
            let source = try? ImageSource(head.bytes, limits: limits), source.holdsWholeHeader
        {
            return (source.info, head.fileSize)
        }
        // A small file, a stream, a header full of metadata, or something wrong that the whole file tells better.
        let source = try ImageSource(reading: item, limits: limits)
        return (source.info, source.byteCountSoFar)
    }

    /// Reads the header of what may be no file, and asks for no more of it than that needs.
    ///
    /// - Parameter pipeline: loads what is no file, and everything where its workers are isolated.
    /// - Returns: what the header says, and how many bytes there are.
    /// - Throws: `PipelineError`.
    public static func load(
        from item: InputItem, limits: Limits = Limits(), pipeline: ImagePipeline = .shared
    ) async throws(PipelineError) -> (info: ImageInfo, byteCount: Int) {
        if pipeline.workers.isolation == nil, item.isFile || item.isStandardInput {
            return try await WorkerPool.files.run(bytes: 0) { () throws(PipelineError) in
                try read(from: item, limits: limits)
            }
        }
        var request = ImageRequest(item.source)
        request.limits = limits
        let loaded = pipeline.load(request, Urgency(request.priority))
        defer { loaded.leave() }
        let input = try await loaded.output()
        if let count = input.source.byteCount ?? input.arrival?.announcedCount { return (input.source.info, count) }
        try await input.arrival?.end()
        return (input.source.info, input.source.byteCountSoFar)
    }
}
