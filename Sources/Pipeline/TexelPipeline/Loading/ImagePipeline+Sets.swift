import TexelCodecs
public import TexelCore
public import TexelPixels

extension ImagePipeline {
    /// Makes several images of one input, such as the sizes of a page's `srcset`, with one decode at the finest scale
    /// that any of them needs.
    ///
    /// - Parameters:
    ///   - request: the input and its options; its own recipe is ignored.
    ///   - recipes: the recipe of each image.
    /// - Returns: an image for each recipe, in the same order.
    /// - Throws: `TexelError`.
    public func images(
        for request: ImageRequest, recipes: [Recipe]
    ) async throws(TexelError) -> [PixelBuffer] {
        try await makeSet(request, recipes)
    }

    /// Encodes several images of one input, with one decode at the finest scale that any of them needs.
    ///
    /// - Parameters:
    ///   - request: the input and its options; its own recipe is ignored.
    ///   - recipes: the recipe of each image.
    /// - Returns: the bytes of a file for each recipe, in the same order.
    /// - Throws: `TexelError`.
    public func encodedImages(
        for request: ImageRequest, recipes: [Recipe]
    ) async throws(TexelError) -> [EncodedImage] {
        try await makeSet(request, recipes)
    }

    private func makeSet<Output: PipelineOutput>(
        _ request: ImageRequest, _ recipes: [Recipe]
    ) async throws(TexelError) -> [Output] {
        let urgency = Urgency(request.priority)
        return try await withInput(of: request, urgency) { input async throws(TexelError) -> [Output] in
            let runs = try await self.plan(
                Output.self, request, recipes, input, urgency, StopToken(),
                rowCounters: recipes.map { _ in RowCounter() })
            return try await self.carryOut(runs, urgency) {
                (_, output: Result<Output, TexelError>) throws(TexelError) in
                try output.get()
            }
        }
    }
}
