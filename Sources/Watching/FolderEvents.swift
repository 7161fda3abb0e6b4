#if os(Linux)
    import PlatformLibc
    import SystemPackage
    import TexelCore
    import TexelPipeline

    /// Reports events of the files in a folder and its subfolders through inotify(7). Paths are relative to the
    /// folder. Hidden files and folders are ignored, and so are links to folders.
    ///
    /// Must be used by one thread at a time.
    final class FolderEvents {
        enum Event: Equatable {
            case file(FilePath, ChangeDebouncer<FileVersion>.Sign)
            /// A file's permissions changed, or other attributes.
            case attributes(FilePath)
            /// A folder was created or moved here, possibly with contents.
            case folderCame(FilePath)
            /// A folder was moved away, with its contents.
            case folderLeft(FilePath)
            /// The kernel's event queue overflowed, so events were lost.
            case lost
            case rootVanished
        }

        private let root: FilePath
        private let rule: FolderRule
        private let reader: InotifyReader
        private var folders: [Int32: FilePath] = [:]
        private var rootWatch: Int32 = -1

        private static let mask =
            IN_CREATE | IN_ATTRIB | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE
            | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK

        /// Starts to watch the folder itself; ``addTree(_:found:failed:)`` adds its contents.
        ///
        /// - Throws: `missingFile`, `cannotRead`, `tooManyWatches`, `tooManyFolders`.
        init(_ root: FilePath, excluding excluded: FileStatus.Identity?) throws(TexelError) {
            self.root = root
            rule = FolderRule(excluding: excluded)
            do { reader = try InotifyReader(bufferSize: 64 << 10) } catch {
                throw error == .tooManyOpenFiles ? .tooManyWatchers : .cannotRead(root, error)
            }
            rootWatch = try add("", followsLink: true) ?? -1
        }

        var folderCount: Int { folders.count }

        /// Watches a folder of the tree and everything below it, and reports the files that exist.
        ///
        /// - Parameters:
        ///   - top: the folder, relative to the root.
        ///   - found: called with each file.
        ///   - failed: called with each folder and file that cannot be read; these are skipped.
        /// - Throws: `tooManyFolders`.
        func addTree(
            _ top: FilePath, found: (FilePath) -> Void, failed: (TexelError) -> Void
        ) throws(TexelError) {
            var pending = [top]
            while let folder = pending.popLast() {
                let entries: [DirectoryEntry]
                do throws(TexelError) {
                    guard try add(folder, followsLink: folder.isEmpty) != nil else { continue }
                    // Files created from now on are reported by events.
                    entries = try DirectoryEntry.list(root.pushing(folder))
                } catch {
                    switch error.kind {
                    // A folder that was removed meanwhile is not an error.
                    case .missingFile: break
                    case .cannotRead: failed(error)
                    default: throw error
                    }
                    continue
                }
                for entry in entries {
                    let path = folder.appending(entry.name)
                    switch rule.kind(of: entry, at: root.pushing(path)) {
                    case .file: found(path)
                    case .folder(isLink: false): pending.append(path)
                    case .unreadable(let error): failed(error)
                    case .folder(isLink: true), .other, .ignored: break
                    }
                }
            }
        }

        /// - Returns: the watch descriptor; `nil` if the folder is excluded or is not a folder any more.
        /// - Throws: errors of the file, `tooManyFolders`.
        private func add(_ folder: FilePath, followsLink: Bool) throws(TexelError) -> Int32? {
            let path = root.pushing(folder)
            if let identity = path.identity, rule.excludes(identity) { return nil }
            let watch: Int32
            do { watch = try reader.add(path, Self.mask | (followsLink ? 0 : IN_DONT_FOLLOW)) } catch {
                switch error {
                case .noSpace: throw .tooManyFolders(folders.count)
                case .noSuchFileOrDirectory: throw .missingFile(path)
                case .notDirectory: return nil
                default: throw .cannotRead(path, error)
                }
            }
            folders[watch] = folder
            return watch
        }

        /// Returns the events since the last call. If there are none, waits for some, until `waking` is readable or
        /// the timeout has passed.
        ///
        /// - Parameter timeout: in milliseconds; negative waits without limit.
        func next(timeout: Int32, waking: FileDescriptor) -> [Event] {
            guard reader.wait(timeout: timeout, waking: waking) else { return [] }
            var events: [Event] = []
            for record in reader.read() {
                guard let event = event(record) else { continue }
                // A file that is being written causes one event for each write.
                if events.last != event { events.append(event) }
            }
            return events
        }

        private func event(_ record: InotifyReader.Event) -> Event? {
            if record.isOverflow { return .lost }
            let (watch, mask) = (record.watch, record.mask)
            guard let folder = folders[watch] else { return nil }
            if mask & IN_IGNORED != 0 { folders[watch] = nil }
            if watch == rootWatch, mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0 {
                return .rootVanished
            }
            guard let entry = record.name, !entry.isHidden else { return nil }
            let path = folder.appending(entry)
            if mask & IN_ISDIR != 0 {
                if mask & (IN_CREATE | IN_MOVED_TO) != 0 { return .folderCame(path) }
                // A folder that could not be read may be readable now.
                if mask & IN_ATTRIB != 0 { return folders.values.contains(path) ? nil : .folderCame(path) }
                guard mask & IN_MOVED_FROM != 0 else { return nil }
                forget(path)
                return .folderLeft(path)
            }
            if mask & IN_ATTRIB != 0 { return .attributes(path) }
            if mask & (IN_CLOSE_WRITE | IN_MOVED_TO) != 0 { return .file(path, .isComplete) }
            return .file(path, mask & IN_MODIFY != 0 ? .isBeingWritten : .isUnknown)
        }

        /// Stops watching a folder that was moved, and its subfolders.
        private func forget(_ path: FilePath) {
            for (watch, folder) in folders where folder.starts(with: path) {
                reader.remove(watch)
                folders[watch] = nil
            }
        }
    }

    extension FilePath.Component {
        fileprivate var isHidden: Bool {
            kind != .regular || withPlatformString { $0[0] == CChar(bitPattern: UInt8(ascii: ".")) }
        }
    }
#endif
