#if os(Linux)
    import PlatformLibc
    import SystemPackage
    import TexelCodecs
    import TexelCore
    import TexelPipeline

    /// Reports files that were closed after writing or moved into the directory, by inotify(7).
    final class InotifyWatch: DirectoryWatch {
        private let directory: ImageDirectory
        private let reader: InotifyReader
        /// Complete images that were there at the start; returned first.
        private var existing: [String] = []
        /// The stamps from the initial scan: events for files that it already found unchanged are ignored.
        private var listed: [String: FileStamp] = [:]
        /// The image with the latest modification time so far.
        private var newest: (name: String, written: Duration) = ("", .zero)

        /// Starts to watch a directory.
        ///
        /// - Returns: `nil` if the user's limit of inotify instances or watches is reached.
        /// - Throws: `missingFile`, `cannotRead`.
        init?(_ directory: FilePath, includesExisting: Bool) throws(TexelError) {
            self.directory = ImageDirectory(path: directory)
            guard let reader = try? InotifyReader(bufferSize: 16 << 10) else { return nil }
            self.reader = reader
            do {
                _ = try reader.add(
                    directory, IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
            } catch {
                if error == .noSpace { return nil }
                throw error == .noSuchFileOrDirectory ? .missingFile(directory) : .cannotRead(directory, error)
            }
            // Scan after the watch is active: changes during the scan are reported by events.
            listed = try self.directory.stamps()
            if includesExisting {
                existing = listed.filter { isComplete($0.key, $0.value) }.keys.sorted(by: naturalOrder)
            }
            listed.forEach(note)
        }

        func next(_ stop: StopToken) throws(TexelError) -> [String]? {
            while !stop.isStopped {
                if !existing.isEmpty {
                    defer { existing = [] }
                    return existing
                }
                let names = try readEvents(stop)
                if !names.isEmpty { return names }
            }
            return nil
        }

        private func readEvents(_ stop: StopToken) throws(TexelError) -> [String] {
            let descriptor = stop.descriptor
            let timeout = stop.pollTimeout(watching: descriptor)
            guard reader.wait(timeout: timeout, waking: FileDescriptor(rawValue: descriptor)), !stop.isStopped
            else { return [] }
            return try names(in: reader.read())
        }

        /// The names of new images in events, without duplicates.
        private func names(in events: [InotifyReader.Event]) throws(TexelError) -> [String] {
            var names: [String] = []
            for event in events {
                if event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0 {
                    throw .missingFile(directory.path)
                }
                if event.isOverflow {
                    names += try lostNames().filter { !names.contains($0) }
                } else if let name = event.name?.string, isNews(name), !names.contains(name) {
                    names.append(name)
                }
            }
            return names
        }

        private func isNews(_ name: String) -> Bool {
            guard ImageDirectory.isImage(name), let stamp = directory.stamp(of: name) else { return false }
            note(name, stamp)
            return listed.removeValue(forKey: name) != stamp
        }

        /// Finds images after an overflow of the event queue: all that were modified since the newest known one.
        private func lostNames() throws(TexelError) -> [String] {
            // With equal times, rather report an image twice than miss one.
            let known = newest
            let stamps = try directory.stamps().filter { name, stamp in
                let isNew = stamp.written > known.written || (stamp.written == known.written && name != known.name)
                return isNew && isComplete(name, stamp)
            }
            stamps.forEach(note)
            return stamps.keys.sorted(by: naturalOrder)
        }

        private func note(_ name: String, _ stamp: FileStamp) {
            if stamp.written >= newest.written { newest = (name, stamp.written) }
        }

        /// Whether an image without an event is complete: it has a valid end, or was not modified for ten seconds. If
        /// it is still being written, an event follows.
        private func isComplete(_ name: String, _ stamp: FileStamp) -> Bool {
            let age = Duration.seconds(time(nil)) - stamp.written
            return age > .seconds(10) || hasImageTrailer(directory.path.appending(name))
        }

        /// Whether the file ends with the JPEG marker EOI or the PNG chunk IEND.
        private func hasImageTrailer(_ path: FilePath) -> Bool {
            guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return false }
            defer { try? file.close() }
            let end = try? file.closingBytes(12)
            return end?.suffix(2) == [0xFF, 0xD9]
                || end == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        }
    }

    extension FileDescriptor {
        /// Returns the last `count` bytes of a file, fewer if it is shorter.
        fileprivate func closingBytes(_ count: Int) throws -> [UInt8] {
            let size = Int(try seek(offset: 0, from: .end))
            return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                initialized = try read(
                    fromAbsoluteOffset: Int64(max(0, size - count)), into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
    }
#endif
