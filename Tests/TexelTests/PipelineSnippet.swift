import Texel

/// Makes the thumbnails of a gallery. Equal requests share one decode, and results are kept on disk.
func thumbnails(of photos: [FilePath], keptIn folder: FilePath) async throws -> [PixelBuffer] {
    var configuration = ImagePipeline.Configuration()
    configuration.diskCache = DiskCache(directory: folder, sizeLimit: 256 << 20)
    let pipeline = ImagePipeline(configuration)

    let requests = photos.map { ImageRequest($0, recipe: Recipe().resizing(width: 320)) }
    let first = pipeline.imageTask(for: requests[0])
    first.priority = .veryHigh
    Task {
        for await case .progress(let rows) in first.events { print("\(Int(rows.fraction * 100)) %") }
    }
    return try await withThrowingTaskGroup { group in
        for request in requests { group.addTask { try await pipeline.image(for: request) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// Shows a photo in a cell that is reused. The cell's earlier request is cancelled.
func reuse(_ cell: ImageSlot, for photo: FilePath) {
    cell.show(ImageRequest(photo, recipe: Recipe().resizing(width: 320), priority: .high))
}
