import Texel

extension ImagePipeline {
    /// Decodes the image of an item, without caches.
    ///
    /// - Parameters:
    ///   - page: the page, from 1; `nil` for the first.
    ///   - timeout: the time limit; `nil` for none.
    func image(
        _ item: InputItem, page: Int? = nil, policy: DecodePolicy, timeout: Duration?
    ) async throws(NamedError) -> PixelBuffer {
        let request = ImageRequest(item, page: page.map { $0 - 1 }, policy: policy, timeout: timeout)
        do throws(PipelineError) {
            return try await image(for: request)
        } catch {
            throw NamedError(name: item.name, error: error)
        }
    }

    /// Decodes the image of a request and reads its header; the input is read once, as a stream must be.
    ///
    /// - Returns: the pixels, the header's contents, and the number of bytes of the whole input.
    func imageWithInfo(
        for request: ImageRequest
    ) async throws(PipelineError) -> (pixels: PixelBuffer, info: ImageInfo, byteCount: Int) {
        // Until this is left, the header and the image share what is read.
        let loaded = load(request, Urgency(request.priority))
        defer { loaded.leave() }
        let (info, byteCount) = try await ImageInfo.load(
            from: request.source, limits: request.policy.limits, page: request.recipe.frame, pipeline: self)
        return (try await image(for: request), info, byteCount)
    }
}

extension ImageRequest {
    /// Requests the image of an item, without caches.
    ///
    /// - Parameters:
    ///   - page: the page, from 0; `nil` for the first.
    ///   - timeout: the time limit; `nil` for none.
    init(_ item: InputItem, page: Int? = nil, policy: DecodePolicy, timeout: Duration?) {
        self.init(item.source(within: timeout))
        recipe.frame = page
        self.policy = policy
        self.timeout = timeout
        cacheUse = .none
    }
}
