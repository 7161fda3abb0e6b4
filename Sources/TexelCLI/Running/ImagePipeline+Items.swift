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
        var request = ImageRequest(item.source)
        request.recipe.frame = page.map { $0 - 1 }
        request.policy = policy
        request.timeout = timeout
        request.cacheUse = .none
        do throws(PipelineError) {
            return try await image(for: request)
        } catch {
            throw NamedError(name: item.name, error: error)
        }
    }
}
