package import SystemPackage
package import TexelBatch
import TexelCodecs
package import TexelCore
package import TexelPipeline
import TexelPixels

/// Watches a folder, and processes each new or changed image in it with a recipe, until it is stopped.
package struct FolderWatch: Sendable {
    /// The options of a watch.
    package struct Options: Sendable {
        /// How long a file must have had no event before it is processed.
        package var debounce = Duration.milliseconds(500)
        /// Whether to process images that exist at the start and have no output, or an older one.
        package var includesExisting = true
        /// Whether outputs are kept when their inputs are removed.
        package var keepsDeleted = false

        /// Makes the default options.
        package init() {}
    }

    let root: FilePath
    let output: FilePath
    let recipe: Recipe
    let processing: ProcessingOptions
    let options: Options
    let pool: WorkerPool

    /// - Parameters:
    ///   - root: the watched folder.
    ///   - output: the folder for results, with the same tree. If it is inside the watched folder, it is not watched.
    ///   - processing: how files are processed. The outputs of this watch and of earlier ones are replaced in any case;
    ///     `overwrites` says whether other existing files are, too.
    ///   - pool: its width and byte budget limit the concurrent work.
    package init(
        _ root: FilePath, output: FilePath, recipe: Recipe, processing: ProcessingOptions, options: Options,
        pool: WorkerPool
    ) {
        (self.root, self.output, self.recipe, self.options, self.pool) = (root, output, recipe, options, pool)
        var processing = processing
        processing.skipsExisting = false
        self.processing = processing
    }

    /// Watches until it is stopped. Work in progress is cancelled then, and leaves no files.
    ///
    /// - Parameter report: called in order on the watching thread; as long as it runs, no further work starts.
    /// - Throws: the error that ended the watch.
    package func run(stop: StopToken, report: @escaping @Sendable (WatchEvent) -> Void) async throws(TexelError) {
        #if os(Linux)
            try await BlockingWork.run { () throws(TexelError) in try WatchLoop.run(self, stop: stop, report: report) }
        #else
            throw .watchingUnsupported
        #endif
    }

    /// Locks the output folder, so that no other program watches for it; creates it if it is missing.
    ///
    /// - Returns: the descriptor that holds the lock.
    /// - Throws: errors of the file, `outputIsTaken`, `outputHoldsInput`.
    func takeOutput() throws(TexelError) -> FileDescriptor {
        try root.checkExists()
        guard root.isDirectory else { throw .cannotRead(root, .notDirectory) }
        try output.makeDirectories()
        if root.isFolder(in: output) { throw .outputHoldsInput(output) }
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(output, .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw .cannotCreate(output, error as? Errno ?? .ioError)
        }
        // On file systems without locks, continue without one.
        if !descriptor.takeLock(), Errno.current == .wouldBlock {
            try? descriptor.close()
            throw .outputIsTaken(output)
        }
        return descriptor
    }
}
