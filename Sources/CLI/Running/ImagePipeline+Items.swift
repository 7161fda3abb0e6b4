import Texel

extension ImagePipeline {
    /// Decodes the image of an item, without caches, and reads its header.
    ///
    /// - Parameters:
    ///   - page: the page, from 1; `nil` for the first.
    ///   - timeout: the time limit; `nil` for none.
    func image(
        _ item: InputItem, page: Int? = nil, policy: DecodePolicy, timeout: Duration?
    ) async throws(NamedError) -> (image: PixelBuffer, info: ImageInfo) {
        let request = ImageRequest(item, page: page.map { $0 - 1 }, policy: policy, timeout: timeout)
        do throws(TexelError) {
            let (image, info, _) = try await imageAndInfo(for: request)
            return (image, info)
        } catch {
            throw NamedError(name: item.name, error: error)
        }
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
