package import TexelBatch
import TexelCodecs
package import TexelCore
import TexelOperations
package import TexelPipeline
package import TexelPixels

/// Makes thumbnails of many images in parallel.
package struct Thumbnails: Sendable {
    private let pipeline: ImagePipeline
    private let recipe: Recipe
    private let options: ProcessingOptions
    private let width: Int

    /// A thumbnail and the properties of its image.
    package struct Thumbnail: Sendable {
        /// The scaled pixels.
        package var image: PixelBuffer
        /// The properties of the original.
        package var facts: ImageFacts
        /// The tolerated faults, with the name of the input.
        package var warnings: [String]
    }

    /// Creates a thumbnail maker.
    ///
    /// - Parameters:
    ///   - box: The size of thumbnails in pixels: the maximum, or exact if `covers` is set.
    ///   - covers: Whether thumbnails fill the box and are cropped.
    ///   - usesLinearLight: Whether images are scaled in linear light.
    ///   - options: Settings for reading the images.
    ///   - pool: The workers that decode; its width and memory budget limit the concurrency.
    package init(
        box: PixelSize, covers: Bool, usesLinearLight: Bool = false, options: ProcessingOptions, pool: WorkerPool
    ) {
        pipeline = ImagePipeline(workers: pool)
        let rule = ResizeRule(.box(width: box.width, height: box.height, fit: covers ? .cover : .inside))
        recipe = Recipe().appending(.resize(ResizeOptions(rule, usesLinearLight: usesLinearLight)))
        self.options = options
        width = pool.width
    }

    /// Calls `body` with each thumbnail or error as it becomes available, one call at a time and in no order.
    ///
    /// Cancelling the task ends the work early, without calls for the remaining images.
    package func forEach(
        _ items: [InputItem], _ body: (Int, Result<Thumbnail, TexelError>) async -> Void
    ) async {
        await withTaskGroup(of: (Int, Result<Thumbnail, TexelError>).self) { group in
            var waiting = items.enumerated().makeIterator()
            func startNext() {
                guard !Task.isCancelled, let (index, item) = waiting.next() else { return }
                group.addTask { (index, await self.thumbnail(item)) }
            }
            // One more task than workers, so that one can read its file while the others compute.
            for _ in 0...width { startNext() }
            while let (index, result) = await group.next() {
                startNext()
                if !Task.isCancelled { await body(index, result) }
            }
        }
    }

    private func thumbnail(_ item: InputItem) async -> Result<Thumbnail, TexelError> {
        do throws(TexelError) {
            var request = ImageRequest(item.source(within: options.timeout), recipe: recipe)
            request.policy = options.policy
            request.timeout = options.timeout
            request.cacheUse = .none
            let (image, info, byteCount) = try await pipeline.imageAndInfo(for: request)
            let facts = ImageFacts(size: info.displaySize, byteCount: byteCount, format: info.format)
            return .success(
                Thumbnail(image: image, facts: facts, warnings: info.warnings.map { "\(item.name): \($0)" }))
        } catch {
            return .failure(error)
        }
    }
}
