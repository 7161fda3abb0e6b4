package import TexelCodecs

extension ImageInfo {
    /// Reads the header of an input, and no more of it than the header needs.
    ///
    /// - Returns: the header's contents, and the number of bytes of the whole input.
    package static func load(
        from source: any ByteSource, limits: Limits, pipeline: ImagePipeline
    ) async throws(PipelineError) -> (info: ImageInfo, byteCount: Int) {
        var request = ImageRequest(source)
        request.policy.limits = limits
        let loaded = pipeline.load(request, Urgency(request.priority))
        defer { loaded.leave() }
        let input = try await loaded.output()
        if let count = input.source.byteCount ?? input.arrival?.announcedCount { return (input.source.info, count) }
        try await input.arrival?.end()
        return (input.source.info, input.source.byteCountSoFar)
    }
}
