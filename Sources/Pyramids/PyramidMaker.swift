import Synchronization
public import SystemPackage
public import TexelBatch
import TexelCodecs
import TexelCore
public import TexelPipeline
import TexelPixels

/// Cuts images into tiles for deep-zoom viewers.
///
///     let maker = PyramidMaker(PyramidSettings(.dzi), in: "tiles")
///     await maker.write([InputItem(source, fileName: "map.png")]) { index, result in … }
///
/// An image is decoded once. Its rows pass through all levels, and the tiles of a level are cut from strips of this
/// level, so that neighbouring tiles fit without seams. The image is in memory once, and of each level one strip and
/// those that are being encoded. Tiles are encoded on all workers of the pool. Images are processed one after the
/// other, in the order of the inputs.
public struct PyramidMaker: Sendable {
    private let settings: PyramidSettings
    private let folder: FilePath
    private let options: ProcessingOptions
    private let pool: WorkerPool
    private let pipeline: ImagePipeline

    /// Creates a maker of pyramids.
    ///
    /// - Parameters:
    ///   - settings: how pyramids are cut and encoded.
    ///   - folder: the folder that gets the pyramids, which have the names of their inputs. It is created if it is
    ///     missing.
    ///   - options: how files are read, and whether existing pyramids are replaced.
    ///   - pool: the workers that decode and encode; its width and memory budget limit the concurrency.
    public init(
        _ settings: PyramidSettings, in folder: FilePath, options: ProcessingOptions = ProcessingOptions(),
        pool: WorkerPool = .shared
    ) {
        self.settings = settings
        self.folder = folder
        self.options = options
        self.pool = pool
        pipeline = ImagePipeline(workers: pool)
    }

    /// Makes the pyramid of each input. A pyramid appears when it is complete, or not at all.
    ///
    /// Cancelling the task ends the work early; the pyramids that are complete are kept.
    ///
    /// - Parameters:
    ///   - items: the inputs.
    ///   - onTile: called with the index of the input, the number of its tiles that were written, and that of all its
    ///     tiles.
    ///   - onResult: called for each input when it is done, with its index.
    public func write(
        _ items: [InputItem], onTile: @escaping @Sendable (Int, Int, Int) async -> Void = { _, _, _ in },
        onResult: (Int, PyramidResult) async -> Void
    ) async {
        let paths = await WorkerPool.files.run(bytes: 0) { [folder] in OutputNaming.stems(for: items, in: folder) }
        let folders = Set(items.compactMap { $0.filePath?.removingLastComponent() })
        for (index, (item, path)) in zip(items, paths).enumerated() {
            if Task.isCancelled { return }
            let start = ContinuousClock.now
            var result = PyramidResult(item, output: settings.layout.descriptor(of: path))
            do throws(TexelError) {
                try await write(item, to: path, inputFolders: folders, &result) { await onTile(index, $0, $1) }
            } catch {
                result.error = error
            }
            result.duration = ContinuousClock.now - start
            await onResult(index, result)
        }
    }

    private func write(
        _ item: InputItem, to path: FilePath, inputFolders: Set<FilePath>, _ result: inout PyramidResult,
        onTile: @escaping @Sendable (Int, Int) async -> Void
    ) async throws(TexelError) {
        try settings.check()
        try await onFileThread { () throws(TexelError) in try check(path, for: item, inputFolders) }
        let stop = StopToken(timeout: options.timeout)
        let image = try await decode(item, stop, &result)
        result.format = image.format
        result.size = image.geometry.levels[0]
        result.levelCount = image.geometry.levels.count
        result.tileCount = image.geometry.tileCount
        result.warnings = image.warnings
        let unfinished = try await onFileThread { () throws(TexelError) in
            try UnfinishedFolder(settings.layout.folder(of: path), below: folder, replacing: options.overwrites)
        }
        do throws(TexelError) {
            result.outputBytes += try await writeTiles(of: image, to: unfinished, stop, onTile).get()
            result.outputBytes += try await onFileThread { () throws(TexelError) in
                try finish(unfinished, image, path)
            }
        } catch {
            await WorkerPool.files.run(bytes: 0) { unfinished.remove() }
            throw error
        }
    }

    private func onFileThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TexelError) -> Value
    ) async throws(TexelError) -> Value {
        return try await WorkerPool.files.run(bytes: 0, body)
    }

    // MARK: Before the work

    /// Checks whether a pyramid may be written, before its image is decoded.
    ///
    /// - Throws: `alreadyExists`, `isInput`, `isLink`, `cannotCreate`.
    private func check(_ path: FilePath, for item: InputItem, _ inputFolders: Set<FilePath>) throws(TexelError) {
        let layout = settings.layout
        let (tiles, descriptor) = (layout.folder(of: path), layout.descriptor(of: path))
        let replacement = Replacement(overwrites: options.overwrites, except: [item])
        for output in [tiles, descriptor] {
            guard let status = FileStatus(output, followsLinks: false) else { continue }
            if let refusal = replacement.refusal(of: output, status.isLink ? FileStatus(output) ?? status : status) {
                throw refusal
            }
            if status.isLink { throw .isLink(output) }
        }
        if inputFolders.contains(where: { $0.isFolder(in: tiles) }) { throw .isInput(tiles) }
        // A folder with other contents is never removed.
        if tiles.isDirectory, try !layout.isPyramid(tiles) { throw .cannotCreate(tiles, .directoryNotEmpty) }
    }

    private func decode(
        _ item: InputItem, _ stop: StopToken, _ result: inout PyramidResult
    ) async throws(TexelError) -> PyramidImage {
        var recipe = Recipe()
        recipe.frame = settings.frame
        var request = ImageRequest(item.source(within: options.timeout), recipe: recipe)
        request.policy = options.policy
        request.timeout = options.timeout
        request.cacheUse = .none
        let urgency = Urgency(request.priority)
        let (pixels, info, byteCount) = try await pipeline.withInput(of: request, urgency) {
            [pipeline, settings] input async throws(TexelError) in
            let info = input.source.info
            if info.isAnimation, settings.frame == nil { throw .animated(frames: info.frameCount) }
            let pixels = try await pipeline.image(for: request, of: input, urgency)
            return (pixels, info, input.source.byteCountSoFar)
        }
        result.inputBytes = byteCount
        return try await pool.run(bytes: { 0 }, urgency: urgency, stop: stop) { [settings] () throws(TexelError) in
            try PyramidImage(pixels, info, settings)
        }
    }

    // MARK: Tiles

    /// Writes all tiles.
    ///
    /// - Returns: the bytes of the tiles, or the first error, after all tiles that had been started.
    private func writeTiles(
        of image: PyramidImage, to folder: UnfinishedFolder, _ stop: StopToken,
        _ onTile: @escaping @Sendable (Int, Int) async -> Void
    ) async -> Result<Int, TexelError> {
        let cascade = Mutex(image.makeCascade())
        let urgency = Urgency(.normal)
        let (height, total) = (image.geometry.levels[0].height, image.geometry.tileCount)
        let bandBytes = image.geometry.levels[0].width * PixelBuffer.bytesPerPixel * PyramidImage.bandHeight
        return await withTaskGroup(of: Result<Int, TexelError>.self) { group in
            var (byteCount, doneCount, startedCount) = (0, 0, 0)
            do throws(TexelError) {
                for y in stride(from: 0, to: height, by: PyramidImage.bandHeight) {
                    let rows = y..<min(y + PyramidImage.bandHeight, height)
                    let strips = try await pool.run(bytes: { 2 * bandBytes }, urgency: urgency, stop: stop) {
                        () throws(TexelError) in
                        let band = try image.band(rows)
                        return try cascade.withLock { cascade throws(TexelError) in try cascade.push(band) }
                    }
                    for strip in strips {
                        for column in 0..<image.geometry.grid(ofLevel: strip.level).width {
                            // Enough for all workers, few enough to free the strips soon.
                            if startedCount - doneCount >= 4 * pool.width, let size = await group.next() {
                                byteCount += try size.get()
                                doneCount += 1
                                await onTile(doneCount, total)
                            }
                            startedCount += 1
                            group.addTask {
                                await self.writeTile(of: image, strip, column: column, to: folder, urgency, stop)
                            }
                        }
                    }
                }
                while let size = await group.next() {
                    byteCount += try size.get()
                    doneCount += 1
                    await onTile(doneCount, total)
                }
                return .success(byteCount)
            } catch {
                stop.cancel()
                group.cancelAll()
                return .failure(error)
            }
        }
    }

    /// - Returns: the bytes of the tile's files.
    private func writeTile(
        of image: PyramidImage, _ strip: LevelStrip, column: Int, to folder: UnfinishedFolder, _ urgency: Urgency,
        _ stop: StopToken
    ) async -> Result<Int, TexelError> {
        let names = settings.layout.names(
            column: column, row: strip.row, level: strip.level, in: image.geometry,
            fileExtension: image.format.fileExtension)
        let area = image.geometry.tileSize + 2 * image.geometry.overlap
        do throws(TexelError) {
            return .success(
                try await pool.run(
                    bytes: { area * area * PixelBuffer.bytesPerPixel * 2 }, urgency: urgency, stop: stop
                ) { () throws(TexelError) in
                    let bytes = try image.encodedTile(strip, column: column, stop: stop)
                    for name in names { try folder.write(bytes, to: name) }
                    return names.count * bytes.count
                })
        } catch {
            return .failure(error)
        }
    }

    /// Writes the descriptor and gives the folder its name.
    ///
    /// - Returns: the bytes of the descriptor.
    private func finish(
        _ unfinished: UnfinishedFolder, _ image: PyramidImage, _ path: FilePath
    ) throws(TexelError) -> Int {
        let layout = settings.layout
        let (tiles, descriptor) = (layout.folder(of: path), layout.descriptor(of: path))
        let name = path.relative(to: folder).map { FilePath(root: nil, $0).string } ?? path.string
        let bytes = layout.description(
            of: image.geometry, fileExtension: image.format.fileExtension,
            identifier: IIIFImage.identifier(of: name, at: settings.address))
        if let name = descriptor.relative(to: tiles) {
            try unfinished.write(bytes, to: FilePath(root: nil, name).string)
            try unfinished.install {}
        } else {
            try unfinished.install { () throws(TexelError) in
                try AtomicFile.write(
                    bytes, to: descriptor, below: folder, makesDirectories: true,
                    replacing: Replacement(overwrites: options.overwrites))
            }
        }
        return bytes.count
    }
}
