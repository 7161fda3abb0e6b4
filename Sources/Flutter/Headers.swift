import Texel

extension ImageInfo {
    /// Reads a file's header.
    static func read(_ path: FilePath, limits: Limits) async throws(TexelError) -> ImageInfo {
        try await load(from: InputItem(path), limits: limits).info
    }

    /// Reads the header of a file in memory on a worker.
    static func read(_ bytes: [UInt8], limits: Limits) async throws(TexelError) -> ImageInfo {
        try await WorkerPool.shared.run(bytes: 0) { () throws(TexelError) in
            return try CodecRegistry.shared.open(InputBytes(bytes), limits: limits).info
        }
    }
}

extension ImagePipeline {
    /// Encodes an image by a recipe; of an animation the first frame, like the plugins.
    func encodedImage(
        from source: any ByteSource, recipe: Recipe, limits: Limits
    ) async throws(TexelError) -> EncodedImage {
        var recipe = recipe
        recipe.frame = 0
        var request = ImageRequest(source, recipe: recipe)
        request.policy.limits = limits
        return try await encodedImage(for: request)
    }
}
