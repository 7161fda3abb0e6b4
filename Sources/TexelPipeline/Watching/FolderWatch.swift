package import SystemPackage

/// A folder whose pictures go through a recipe into another folder as they come and change, until it is stopped.
package struct FolderWatch: Sendable {
    package struct Options: Sendable {
        /// How long nothing must have happened to a file before it is worked on.
        package var debounce = Duration.milliseconds(500)
        /// Whether pictures are worked on that are there at the beginning without an output, or with an older one.
        package var includesExisting = true
        /// Whether outputs stay when their inputs are removed.
        package var keepsDeleted = false

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
    ///   - output: where results go; the tree is kept. Where it lies in the watched folder, it is not watched.
    ///   - pool: whose width and budget decide how much is done at the same time.
    package init(
        _ root: FilePath, output: FilePath, recipe: Recipe, processing: ProcessingOptions, options: Options,
        pool: WorkerPool
    ) {
        (self.root, self.output, self.recipe, self.options, self.pool) = (root, output, recipe, options, pool)
        var processing = processing
        // What is newer replaces what is older.
        processing.overwrites = true
        processing.skipsExisting = false
        self.processing = processing
    }

    /// Watches until it is stopped; what is under way then leaves no trace.
    ///
    /// - Parameter report: called in order, on the thread that watches: who keeps it waiting keeps the work waiting.
    /// - Throws: why it cannot go on.
    package func run(stop: StopToken, report: @escaping @Sendable (WatchEvent) -> Void) async throws(WatchError) {
        #if os(Linux)
            let result = await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<Void, WatchError>, Never>) in
                let thread = WorkerThread {
                    continuation.resume(
                        returning: Result { () throws(WatchError) in
                            try WatchLoop(self, stop: stop, report: report).run()
                        })
                }
                if let thread {
                    thread.detach()
                } else {
                    continuation.resume(
                        returning: .failure(.file(.cannotRead(root, .resourceTemporarilyUnavailable))))
                }
            }
            try result.get()
        #else
            throw .unsupported
        #endif
    }

    /// The lock that keeps other programs from watching for the same output folder, which is made if it is missing.
    ///
    /// - Throws: `file`, `outputIsTaken`, `outputHoldsInput`.
    func takeOutput() throws(WatchError) -> FileDescriptor {
        do throws(FileError) {
            try root.checkExists()
            guard root.isDirectory else { throw .cannotRead(root, .notDirectory) }
            try output.makeDirectories()
        } catch {
            throw .file(error)
        }
        // Up to the root, which is above itself.
        var above = root
        for _ in 0..<256 {
            if above.isSameFile(as: output) { throw .outputHoldsInput(output) }
            let next = above.appending("..")
            if next.isSameFile(as: above) { break }
            above = next
        }
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(output, .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw .file(.cannotCreate(output, error as? Errno ?? .ioError))
        }
        // Some file systems have no locks.
        if !descriptor.takeLock(), Errno.current == .wouldBlock {
            try? descriptor.close()
            throw .outputIsTaken(output)
        }
        return descriptor
    }
}
