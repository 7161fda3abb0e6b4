import TexelBatch

#if os(Linux)
    import PlatformLibc
    import SystemPackage
    import TexelCodecs
    import TexelCore
    import TexelPipeline

    /// Runs one watch on a thread of its own: receives file events, waits until files are complete, and processes as
    /// many at a time as there are workers, plus one.
    final class WatchLoop {
        /// A file that is being processed.
        private struct Job {
            let version: FileVersion
            let stop: StopToken
            let task: Task<Void, Never>

            func cancel() {
                stop.cancel()
                task.cancel()
            }
        }

        private let watch: FolderWatch
        private let stop: StopToken
        private let report: (WatchEvent) -> Void
        private let store: DirectoryStore
        private let journal: FileJob.Journal
        private let pipeline: ImagePipeline
        private let inbox: WatchInbox
        private let start = ContinuousClock.now
        /// The time since the start when the latest events were read; events of one read have the same time.
        private var now = Duration.zero
        private var settling: ChangeDebouncer<FileVersion>
        private var outputs: WatchedOutputs
        private var jobs: [FilePath: Job] = [:]
        /// The inputs that could not be read.
        private var unreadable: Set<FilePath> = []
        private var hasReportedManifest = false

        /// How long a file must be unchanged to count as complete if no event said so.
        private static let restTime = Duration.seconds(10)
        /// How many blocks of events are read before other work is done.
        private static let readCount = 64

        /// - Parameter manifest: that of the output folder.
        init(
            _ watch: FolderWatch, recordingIn manifest: BatchManifest, stop: StopToken,
            report: @escaping (WatchEvent) -> Void
        ) throws(TexelError) {
            self.watch = watch
            self.stop = stop
            self.report = report
            store = DirectoryStore(watch.output)
            pipeline = ImagePipeline(workers: watch.pool)
            settling = ChangeDebouncer(debounce: watch.options.debounce)
            journal = FileJob.Journal(
                manifest: manifest, settings: FileJob.Journal.settings(of: [watch.recipe], store))
            outputs = WatchedOutputs(
                store: store, format: watch.recipe.output.format, journal: journal,
                overwrites: watch.processing.overwrites)
            do { inbox = try WatchInbox() } catch { throw .cannotRead(watch.root, error) }
        }

        /// - Throws: the error that ended the watch; nothing if it was stopped.
        private func run() throws(TexelError) {
            let events = try FolderEvents(watch.root, excluding: watch.output.identity)
            stop.whenCancelled { [inbox] in inbox.wake() }
            do throws(TexelError) {
                try begin(events)
                try follow(events)
            } catch {
                finishJobs()
                throw error
            }
            finishJobs()
        }

        /// Runs a watch whose output folder no other watch uses.
        ///
        /// - Throws: the error that ended the watch; nothing if it was stopped.
        static func run(
            _ watch: FolderWatch, stop: StopToken, report: @escaping (WatchEvent) -> Void
        ) throws(TexelError) {
            let lock = try watch.takeOutput()
            defer {
                lock.releaseLock()
                try? lock.close()
            }
            let manifest = try BatchManifest(continuousIn: watch.output)
            defer { manifest.end(isComplete: false) }
            try WatchLoop(watch, recordingIn: manifest, stop: stop, report: report).run()
        }

        private func readClock() { now = ContinuousClock.now - start }

        private func path(_ input: FilePath) -> FilePath { watch.root.pushing(input) }

        // MARK: Events

        private func begin(_ events: FolderEvents) throws(TexelError) {
            var inputs: [FilePath] = []
            try events.addTree("", found: { inputs.append($0) }, failed: fail)
            report(.began(folderCount: events.folderCount))
            // As in a batch, the first input by path gets an output name that several inputs would have.
            for input in inputs.sorted(by: { $0.string < $1.string }) {
                guard let version = FileVersion(path(input)) else { continue }
                if !watch.options.includesExisting {
                    outputs.note(input, version)
                } else if findsImage(at: input) {
                    if outputs.isUpToDate(outputs.item(input, at: path(input)), version) {
                        outputs.note(input, version)
                    } else if isAtRest(version) {
                        settling.noteAtRest(input, at: now)
                    } else {
                        note(input, .isUnknown)
                    }
                }
            }
        }

        private func follow(_ events: FolderEvents) throws(TexelError) {
            while stop.reason == nil {
                readClock()
                look()
                while settling.runningCount <= watch.pool.width, let next = settling.start() {
                    work(on: next.path, next.version)
                }
                var timeout = Int32(-1)
                if let next = settling.nextLookTime {
                    timeout = Int32(clamping: Int(max(0, ((next - now) / .milliseconds(1)).rounded(.up))))
                }
                // Read all pending events before any file is checked.
                for _ in 0..<Self.readCount {
                    let news = events.next(timeout: timeout, waking: inbox.descriptor)
                    readClock()
                    for event in news { try receive(event, events) }
                    if news.isEmpty { break }
                    timeout = 0
                }
                for (path, result) in inbox.take() { finish(path, result) }
            }
        }

        private func receive(_ event: FolderEvents.Event, _ events: FolderEvents) throws(TexelError) {
            switch event {
            case .file(let input, let sign): note(input, sign)
            case .attributes(let input): if unreadable.contains(input) { note(input, .isComplete) }
            case .folderCame(let folder): try events.addTree(folder, found: noteFound, failed: fail)
            case .folderLeft(let folder):
                let inputs = outputs.inputs.filter { $0.starts(with: folder) } + jobs.keys
                for input in inputs where input.starts(with: folder) { note(input, .isUnknown) }
            case .lost:
                var found: Set<FilePath> = []
                try events.addTree("", found: { found.insert($0) }, failed: fail)
                let gone = outputs.inputs.filter { !found.contains($0) }
                for input in found { noteFound(input) }
                for input in gone { note(input, .isUnknown) }
            case .rootVanished: throw .folderVanished(watch.root)
            }
        }

        private func fail(_ error: TexelError) {
            report(.failed(FileResult(failed: error).input, error))
        }

        /// Whether a file is an image. A file that cannot be read is reported, and is not.
        private func findsImage(at input: FilePath) -> Bool {
            do throws(TexelError) {
                return try FolderTree.findsImage(at: path(input))
            } catch {
                fail(error)
                unreadable.insert(input)
                return false
            }
        }

        /// Records a file that was found by listing, not by an event.
        private func noteFound(_ input: FilePath) {
            guard let version = FileVersion(path(input)), !outputs.hasSeen(input, version) else { return }
            note(input, outputs.knows(version) || isAtRest(version) ? .isComplete : .isUnknown)
        }

        private func note(_ input: FilePath, _ sign: ChangeDebouncer<FileVersion>.Sign) {
            unreadable.remove(input)
            if settling.note(input, sign, at: now) { jobs[input]?.cancel() }
        }

        /// Whether the file has been unchanged for long enough. Uses the wall clock, as file times do.
        private func isAtRest(_ version: FileVersion) -> Bool {
            .seconds(time(nil)) - version.stamp.written > max(watch.options.debounce, Self.restTime)
        }

        // MARK: Actions

        /// Checks the files that are due.
        private func look() {
            var gone: [FilePath] = []
            while let input = settling.nextDue(at: now) {
                let isOpen = path(input).isOpenForWriting
                let version = FileVersion(path(input))
                switch settling.saw(input, version, isOpen: isOpen, at: now) {
                case .waits: break
                case .isGone: gone.append(input)
                case .isComplete: if let version { take(input, version) }
                }
            }
            // Done last: a renamed file was found under its new name above, and its output renamed with it.
            for input in gone {
                if let output = outputs.remove(input, keepsOutput: watch.options.keepsDeleted) {
                    report(.removed(input: path(input), output: output))
                }
            }
        }

        private func take(_ input: FilePath, _ version: FileVersion) {
            guard !outputs.hasSeen(input, version), findsImage(at: input) else {
                return settling.drop(input)
            }
            do throws(TexelError) {
                guard let (former, output) = try outputs.follow(input, in: watch.root, version) else {
                    return settling.accept(input, version)
                }
                report(.renamed(from: path(former), input: path(input), output: output))
                settling.drop(input)
            } catch {
                fail(error)
                settling.accept(input, version)
            }
        }

        private func work(on input: FilePath, _ version: FileVersion) {
            let item = outputs.item(input, at: path(input))
            let token = StopToken(parent: stop)
            let task = Task { [watch, store, journal, pipeline, inbox] in
                let result = await Batch.process(
                    item, to: store, with: watch.recipe, options: watch.processing, journal: journal,
                    pipeline: pipeline, stop: token)
                inbox.add(input, result)
            }
            jobs[input] = Job(version: version, stop: token, task: task)
        }

        private func finish(_ input: FilePath, _ result: FileResult) {
            var isOutdated = settling.finish(input)
            guard let job = jobs.removeValue(forKey: input), !result.isCancelled else { return }
            if result.error != nil, !isOutdated, FileVersion(path(input)) != job.version {
                // The file was changed while it was read; its next state may be valid.
                isOutdated = true
                note(input, .isUnknown)
            }
            if result.error == nil, let output = result.output {
                if let old = outputs.note(input, job.version, wrote: output) {
                    report(.removed(input: path(input), output: old))
                }
            } else if result.isUnreadable {
                unreadable.insert(input)
            } else if !isOutdated {
                outputs.note(input, job.version)
            }
            // Once: later watches will not replace outputs that are not recorded.
            if let error = journal.manifest.writeError, error.kind == .cannotCreate, !hasReportedManifest {
                hasReportedManifest = true
                fail(error)
            }
            if result.error == nil || !isOutdated { report(.finished(result)) }
        }

        /// Cancels the running jobs, and waits until they have ended.
        private func finishJobs() {
            for job in jobs.values { job.cancel() }
            while !jobs.isEmpty {
                var waits = [pollfd(fd: inbox.descriptor.rawValue, events: Int16(POLLIN), revents: 0)]
                poll(&waits, 1, -1)
                for (path, result) in inbox.take() { finish(path, result) }
            }
        }
    }

    extension FileResult {
        /// Whether the input could not be read, which a change of its permissions may mend.
        fileprivate var isUnreadable: Bool {
            error?.kind == .cannotRead
        }
    }
#endif
