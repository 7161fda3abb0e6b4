public import TexelCodecs
public import TexelCore
public import TexelMetrics
import TexelOperations
public import TexelPipeline
public import TexelPixels

/// Finds images that look alike among many: copies that were recompressed, resized, slightly cropped, brightened or
/// saved in another format.
///
/// Each image is decoded to 32×32 pixels, with decoders that reduce it where they can, on all workers of the pool.
/// Images whose `PerceptualHash` differs in few bits are candidates. They are compared again as small images: their
/// proportions, their colours, and their patterns after one is moved and scaled a little. The result does not depend on
/// the number of workers.
public struct DuplicateSearch: Sendable {
    /// One of the images of a search.
    public struct Image: Sendable {
        /// The file or other input.
        public let item: InputItem
        /// The size as displayed, in pixels.
        public let size: PixelSize
        /// The size of the file.
        public let byteCount: Int
        /// The format of the file.
        public let format: ImageFormat
        /// The hash by which similar images are found.
        public let hash: PerceptualHash
        /// The tolerated faults, such as a colour profile that cannot be used, one sentence each.
        public let warnings: [String]
    }

    /// The distances that ``init(distance:options:pool:)`` accepts.
    public static let distances = 0...24
    /// A distance that finds nearly all near-duplicates, including slight crops.
    public static let defaultDistance = 16

    private let distance: Int
    private let options: ProcessingOptions
    private let pipeline: ImagePipeline
    private let width: Int
    private let recipe: Recipe

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - distance: how many bits of the hashes of two candidates may differ, clamped to ``distances``. A larger one
    ///     finds more, and takes longer; the second check keeps the result precise.
    ///   - options: settings for reading the images.
    ///   - pool: the workers that decode; its width and memory budget limit the concurrency.
    public init(
        distance: Int = defaultDistance, options: ProcessingOptions = ProcessingOptions(), pool: WorkerPool = .shared
    ) {
        self.distance = min(max(distance, Self.distances.lowerBound), Self.distances.upperBound)
        self.options = options
        pipeline = ImagePipeline(workers: pool)
        width = pool.width
        let side = ImageFingerprint.side
        let rule = ResizeRule(.box(width: side, height: side, fit: .fill), enlarges: true)
        recipe = Recipe().appending(.resize(ResizeOptions(rule)))
    }

    /// Finds the groups of images that look alike.
    ///
    /// Cancelling the task ends the search early, without groups.
    ///
    /// - Parameters:
    ///   - items: the inputs.
    ///   - onResult: called for each input when it has been read, one call at a time and in no order, with its index
    ///     and its image or the error.
    /// - Returns: groups of at least two images, each with its largest image first, in the order of the inputs. Of
    ///   several names of one file, only the first can be in a group.
    public func groups(
        in items: [InputItem], onResult: (Int, Result<Image, TexelError>) async -> Void = { _, _ in }
    ) async -> [[Image]] {
        var found: [(image: Image, fingerprint: ImageFingerprint)?] = Array(repeating: nil, count: items.count)
        await withTaskGroup(of: (Int, Result<(Image, ImageFingerprint), TexelError>).self) { group in
            var waiting = items.enumerated().makeIterator()
            func startNext() {
                guard !Task.isCancelled, let (index, item) = waiting.next() else { return }
                group.addTask { (index, await self.read(item)) }
            }
            // More tasks than workers, so that some can read their files and hash their images while others decode.
            for _ in 0..<(2 * width + 1) { startNext() }
            while let (index, result) = await group.next() {
                startNext()
                guard !Task.isCancelled else { continue }
                if case .success(let value) = result { found[index] = value }
                await onResult(index, result.map(\.0))
            }
        }
        if Task.isCancelled { return [] }
        // Another name of a file is not a copy.
        let isOtherName = await WorkerPool.files.run(bytes: 0) {
            var files: Set<FileStatus.Identity> = []
            return items.map { item in item.identity.map { !files.insert($0).inserted } ?? false }
        }
        let images = zip(found, isOtherName).compactMap { $1 ? nil : $0 }
        let groups = DuplicateGroups.find(images.map(\.fingerprint), within: distance, threads: width)
        return groups.map { group in
            group.map { images[$0].image }.enumerated().sorted { first, second in
                // Equal ones stay in the order of the inputs.
                Self.sortKey(first.element, first.offset) < Self.sortKey(second.element, second.offset)
            }.map(\.element)
        }
    }

    /// Larger images come first, then larger files.
    private static func sortKey(_ image: Image, _ offset: Int) -> (Int, Int, Int) {
        (-(image.size.pixelCount ?? .max), -image.byteCount, offset)
    }

    private func read(_ item: InputItem) async -> Result<(Image, ImageFingerprint), TexelError> {
        do throws(TexelError) {
            var request = ImageRequest(item.source(within: options.timeout), recipe: recipe)
            request.policy = options.policy
            request.timeout = options.timeout
            request.cacheUse = .none
            let (small, info, byteCount) = try await pipeline.imageAndInfo(for: request)
            let fingerprint = try ImageFingerprint(small, size: info.displaySize)
            let image = Image(
                item: item, size: info.displaySize, byteCount: byteCount, format: info.format,
                hash: fingerprint.hash, warnings: info.warnings)
            return .success((image, fingerprint))
        } catch {
            return .failure(error)
        }
    }
}
