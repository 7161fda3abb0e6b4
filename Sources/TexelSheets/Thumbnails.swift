import TexelCodecs
package import TexelPipeline
package import TexelPixels

/// Makes many pictures small, several at a time.
package struct Thumbnails: Sendable {
    private let pipeline: ImagePipeline
    private let recipe: Recipe
    private let options: ProcessingOptions
    private let width: Int

    package struct Thumbnail: Sendable {
        package var picture: PixelBuffer
        package var facts: PictureFacts
    }

    /// - Parameters:
    ///   - box: what the pictures become no larger than, or exactly.
    ///   - covers: whether they fill it, and lose what is too much.
    ///   - pool: whose width and budget decide how much is done at the same time.
    package init(
        box: PixelSize, covers: Bool, usesLinearLight: Bool = false, options: ProcessingOptions, pool: WorkerPool
    ) {
        pipeline = ImagePipeline(workers: pool)
        let rule = ResizeRule(.box(width: box.width, height: box.height, fit: covers ? .cover : .inside))
        recipe = Recipe().appending(.resize(ResizeOptions(rule, usesLinearLight: usesLinearLight)))
        self.options = options
        width = pool.width
    }

    /// Calls `body` with each picture when it is there, one call at a time, in no order.
    ///
    /// Cancelling the task ends it early: the pictures that are left are not told of.
    package func forEach(
        _ items: [InputItem], _ body: (Int, Result<Thumbnail, PipelineError>) async -> Void
    ) async {
        await withTaskGroup(of: (Int, Result<Thumbnail, PipelineError>).self) { group in
            var waiting = items.enumerated().makeIterator()
            func startNext() {
                guard !Task.isCancelled, let (index, item) = waiting.next() else { return }
                group.addTask { (index, await self.thumbnail(item)) }
            }
            // One more than there are workers: its file is read while the others compute.
            for _ in 0...width { startNext() }
            while let (index, result) = await group.next() {
                startNext()
                if !Task.isCancelled { await body(index, result) }
            }
        }
    }

    private func thumbnail(_ item: InputItem) async -> Result<Thumbnail, PipelineError> {
        do throws(PipelineError) {
            let (info, byteCount) = try await ImageInfo.load(from: item, limits: options.limits, pipeline: pipeline)
            var request = ImageRequest(item.source, recipe: recipe)
            request.limits = options.limits
            request.strictness = options.strictness
            request.timeout = options.timeout
            request.cacheUse = .none
            let picture = try await pipeline.image(for: request)
            let facts = PictureFacts(size: info.displaySize, byteCount: byteCount, format: info.format)
            return .success(Thumbnail(picture: picture, facts: facts))
        } catch {
            return .failure(error)
        }
    }
}
