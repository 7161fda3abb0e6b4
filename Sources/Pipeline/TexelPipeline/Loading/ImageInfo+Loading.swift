package import TexelCodecs
package import TexelPixels

extension ImageInfo {
    /// Reads the header of an input, and no more of it than the header needs.
    ///
    /// - Parameter page: the page of a file with pages, from 0; `nil` for the first, with the number of pages.
    /// - Returns: the header's contents, and the number of bytes of the whole input.
    package static func load(
        from source: any ByteSource, limits: Limits, page: Int? = nil, pipeline: ImagePipeline
    ) async throws(PipelineError) -> (info: ImageInfo, byteCount: Int) {
        var request = ImageRequest(source)
        request.policy.limits = limits
        let loaded = pipeline.load(request, Urgency(request.priority))
        defer { loaded.leave() }
        let whole = try await loaded.output()
        if let page, page > 0, !whole.source.mayHavePages { throw .codec(.missingPage(page, count: 1)) }
        return try await whole.header(page: page, limits: limits, Urgency(request.priority))
    }
}

extension LoadedInput {
    /// Returns the header's contents, and the number of bytes of the whole input.
    ///
    /// - Parameter page: the page of a file with pages, from 0; `nil` for the first. Ignored for other files.
    fileprivate func header(
        page: Int?, limits: Limits, _ urgency: Urgency
    ) async throws(PipelineError) -> (info: ImageInfo, byteCount: Int) {
        let input = try await self.page(page, needsWholeHeader: true, limits: limits, urgency, StopToken())
        if input.source.info.isAnimation {
            // Its frames are spread over the whole file.
            try await input.arrival?.end()
            let info = input.source.infoWithTiming(limits: limits)
            return (info, input.source.byteCountSoFar)
        }
        if let count = input.source.byteCount ?? input.arrival?.announcedCount { return (input.source.info, count) }
        try await input.arrival?.end()
        return (input.source.info, input.source.byteCountSoFar)
    }
}

extension ImagePipeline {
    /// Makes an image, and reads the header of its input, which is loaded once for both.
    ///
    /// - Returns: the image, the header's contents, and the number of bytes of the whole input.
    /// - Throws: `PipelineError`.
    package func imageAndInfo(
        for request: ImageRequest
    ) async throws(PipelineError) -> (image: PixelBuffer, info: ImageInfo, byteCount: Int) {
        let urgency = Urgency(request.priority)
        let loaded = load(request, urgency)
        defer { loaded.leave() }
        let (info, byteCount) = try await loaded.output().header(
            page: request.recipe.frame, limits: request.policy.limits, urgency)
        return (try await image(for: request), info, byteCount)
    }
}
