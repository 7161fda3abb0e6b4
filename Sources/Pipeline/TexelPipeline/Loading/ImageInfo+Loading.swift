package import TexelCodecs
package import TexelCore
package import TexelPixels

extension ImageInfo {
    /// Reads the header of an input, and no more of it than the header needs.
    ///
    /// - Parameter page: the page of a file with pages, from 0; `nil` for the first, with the number of pages.
    /// - Returns: the header's contents, and the number of bytes of the whole input.
    package static func load(
        from source: any ByteSource, limits: Limits, page: Int? = nil, pipeline: ImagePipeline
    ) async throws(TexelError) -> (info: ImageInfo, byteCount: Int) {
        var request = ImageRequest(source)
        request.policy.limits = limits
        let urgency = Urgency(request.priority)
        return try await pipeline.withInput(of: request, urgency) { whole async throws(TexelError) in
            if let page, page > 0, !whole.source.mayHavePages { throw .missingPage(page, count: 1) }
            return try await whole.header(page: page, limits: limits, urgency)
        }
    }
}

extension LoadedInput {
    /// Returns the header's contents, and the number of bytes of the whole input.
    ///
    /// - Parameter page: the page of a file with pages, from 0; `nil` for the first. Ignored for other files.
    fileprivate func header(
        page: Int?, limits: Limits, _ urgency: Urgency
    ) async throws(TexelError) -> (info: ImageInfo, byteCount: Int) {
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
    /// Makes an image, and reads the header of its input, which is loaded once for both. Caches are not
    /// searched.
    ///
    /// - Returns: the image, the header's contents, and the number of bytes of the whole input.
    /// - Throws: `TexelError`.
    package func imageAndInfo(
        for request: ImageRequest
    ) async throws(TexelError) -> (image: PixelBuffer, info: ImageInfo, byteCount: Int) {
        let urgency = Urgency(request.priority)
        return try await withInput(of: request, urgency) { input async throws(TexelError) in
            let (info, byteCount) = try await input.header(
                page: request.recipe.frame, limits: request.policy.limits, urgency)
            return (try await self.image(for: request, of: input, urgency), info, byteCount)
        }
    }

    /// Makes a request's image from its input, which has been loaded. Caches are not searched.
    ///
    /// - Throws: `TexelError`.
    package func image(
        for request: ImageRequest, of input: LoadedInput, _ urgency: Urgency
    ) async throws(TexelError) -> PixelBuffer {
        try await make(request, of: input, urgency, StopToken())
    }
}
