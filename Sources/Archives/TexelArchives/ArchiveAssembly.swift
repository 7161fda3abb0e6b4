#if Archives
    import Synchronization
    import SystemPackage
    import TexelBatch
    import TexelCodecs
    import TexelCore
    import TexelPipeline

    /// An archive that is being written: a thread of its own writes the results in the order of their inputs.
    ///
    /// Results that come early wait in memory. So that they do not accumulate, an input is begun only when the archive
    /// is not far behind.
    final class ArchiveAssembly: Sendable {
        private let path: FilePath
        private let format: ArchiveFormat
        private let items: [InputItem]
        private let indices: [InputItem: Int]
        private let file: UnfinishedFile
        private let stop: StopToken
        private let state = Monitor(State())
        private let outcome = Waiter<[TexelError]>()

        private struct Entry {
            var name: FilePath
            var bytes: [UInt8]
        }

        private struct State {
            /// The results of inputs that are not written.
            var results: [Int: [Entry]] = [:]
            /// Inputs that have ended, and are not written.
            var ended: Set<Int> = []
            /// How many inputs are written.
            var writtenCount = 0
            /// Inputs that wait until the archive is less behind.
            var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
            var isAbandoned = false
            /// Why nothing more is written.
            var failure: TexelError?
        }

        /// How many inputs may be begun that follow the one that is written next.
        private static let window = 16

        /// - Throws: an error of the replacement, `cannotCreate`, `missingLibrary`.
        init(
            _ path: FilePath, _ format: ArchiveFormat, _ items: [InputItem], replacing replacement: Replacement,
            stop: StopToken
        ) throws(TexelError) {
            try LoadedLibrary.archive.require()
            (self.path, self.format, self.items, self.stop) = (path, format, items, stop)
            indices = Dictionary(zip(items, items.indices)) { first, _ in first }
            file = try UnfinishedFile(path, replacing: replacement)
        }

        /// Starts the thread that writes.
        func start() {
            stop.whenCancelled { [weak self] in self?.abandon() }
            guard let thread = WorkerThread({ self.outcome.resume(.success(self.write())) }) else {
                abandon()
                return outcome.resume(.success([.outOfMemory]))
            }
            thread.detach()
        }

        // MARK: The results

        /// - Throws: the error after which nothing more is written.
        func check() throws(TexelError) {
            if let failure = state.withLock(\.failure) { throw failure }
        }

        func add(_ bytes: [UInt8], named name: FilePath, of item: InputItem) {
            guard let index = indices[item] else { return }
            state.withLock { $0.results[index, default: []].append(Entry(name: name, bytes: bytes)) }
        }

        /// Says that there are no more results of an input.
        func end(itemAt index: Int) { state.update { _ = $0.ended.insert(index) } }

        func waitForRoom(forItemAt index: Int) async {
            await withCheckedContinuation { continuation in
                let hasRoom = state.withLock { state in
                    if state.isAbandoned || index < state.writtenCount + Self.window { return true }
                    state.waiting[index] = continuation
                    return false
                }
                if hasRoom { continuation.resume() }
            }
        }

        /// Waits until the archive is complete.
        ///
        /// - Returns: faults that did not prevent it, or the one that did.
        func finish() async -> [TexelError] { (try? await outcome.result().get()) ?? [] }

        private func abandon() {
            let waiting = state.update { state in
                defer { state.waiting = [:] }
                state.isAbandoned = true
                return state.waiting
            }
            for continuation in waiting.values { continuation.resume() }
        }

        // MARK: The thread that writes

        private func write() -> [TexelError] {
            defer { abandon() }
            var faults: [TexelError] = []
            do throws(TexelError) {
                let writer = try ArchiveWriter(format, file.descriptor, path: path)
                var rest = items.indices
                while let index = rest.first {
                    if let source = items[index].archiveEntry {
                        rest = try copy(source.contents.path, rest, to: writer, &faults)
                    } else {
                        let status = items[index].filePath.flatMap { FileStatus($0) }
                        for entry in try results(ofItemAt: index) {
                            try writer.add(entry.bytes, named: entry.name, from: status)
                        }
                        rest.removeFirst()
                    }
                }
                // An archive without entries would replace nothing by nothing.
                guard !writer.isEmpty else { return faults }
                try writer.finish()
                try stop.check()
                try file.install()
            } catch {
                state.update { $0.failure = error }
                faults.append(error)
            }
            return faults
        }

        /// Writes the results of the inputs from one archive between its other entries.
        ///
        /// - Returns: the inputs that follow those of the archive.
        private func copy(
            _ archive: FilePath, _ rest: Range<Int>, to writer: ArchiveWriter, _ faults: inout [TexelError]
        ) throws(TexelError) -> Range<Int> {
            var rest = rest
            let reader = try ArchiveReader(archive)
            var position = -1
            do throws(TexelError) {
                while let header = try reader.next() {
                    position += 1
                    let name: FilePath
                    switch EntryName(header.name) {
                    // It was reported when it was listed.
                    case .unsafe: continue
                    case .hidden(let own), .relative(let own): name = own
                    }
                    let source = rest.first.flatMap { items[$0].archiveEntry }
                    let isImage = source?.contents.path == archive && source?.index == position
                    if isImage, let index = rest.first {
                        guard source?.storedName == header.name else { throw TexelError.changed(archive) }
                        rest.removeFirst()
                        let results = try results(ofItemAt: index)
                        for result in results { try writer.add(result.bytes, named: result.name, like: reader) }
                        if !results.isEmpty { continue }
                    }
                    // An encrypted entry was reported when it was listed. Archives may have the same folders.
                    if header.isEncrypted || header.kind == .folder && writer.has(name) { continue }
                    do throws(TexelError) {
                        let isIntact = try writer.copy(reader, named: name, stop: stop)
                        // The fault of an image was reported when it was read.
                        if !isIntact, !isImage { faults.append(.damagedEntry("\(archive)/\(name)", "")) }
                    } catch {
                        guard error.kind == .cannotEncode else { throw error }
                        faults.append(error)
                    }
                }
            } catch {
                guard error.kind == .damaged else { throw error }
                // It was reported when the archive was listed.
            }
            if let index = rest.first, items[index].archiveEntry?.contents.path == archive { throw .changed(archive) }
            return rest
        }

        /// Waits for the results of an input.
        ///
        /// - Throws: `stopped`.
        private func results(ofItemAt index: Int) throws(TexelError) -> [Entry] {
            let results = state.wait { state -> [Entry]?? in
                if state.isAbandoned { return .some(nil) }
                guard state.ended.remove(index) != nil else { return nil }
                return state.results.removeValue(forKey: index) ?? []
            }
            guard let results else { throw .stopped(stop.reason ?? .cancelled) }
            let ready = state.withLock { state in
                state.writtenCount = index + 1
                let ready = state.waiting.filter { $0.key < state.writtenCount + Self.window }
                for key in ready.keys { state.waiting[key] = nil }
                return ready
            }
            for continuation in ready.values { continuation.resume() }
            return results.sorted { $0.name.string < $1.name.string }
        }
    }

    extension InputItem {
        var archiveEntry: ArchiveEntrySource? { source(within: nil) as? ArchiveEntrySource }
    }
#endif
