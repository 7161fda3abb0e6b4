import PlatformLibc
import Synchronization
package import SystemPackage

/// Hidden files and folders that processes left behind when they were killed.
package enum Leftovers {
    private static let searched = Mutex<Set<FileStatus.Identity>>([])

    /// Removes those beside a file, at this process's first call for the folder. What cannot be removed is left.
    package static func remove(beside file: FilePath) { remove(beside: FilePlace(file)) }

    static func remove(beside place: FilePlace) {
        guard let folder = try? place.openFolder() else { return }
        guard let status = FileStatus(folder), searched.withLock({ $0.insert(status.identity).inserted }) else {
            try? folder.close()
            return
        }
        remove(DirectoryEntry.list(closing: folder).map(\.name)) { place.sibling($0) }
    }

    /// Removes those in a folder.
    static func remove(in folder: FilePath) {
        let names = (try? DirectoryEntry.list(folder).map(\.name)) ?? []
        remove(names) { FilePlace(folder.appending($0)) }
    }

    private static func remove(_ names: [FilePath.Component], _ place: (FilePath.Component) -> FilePlace) {
        for name in names where HiddenName.isHidden(name) {
            let place = place(name)
            guard let descriptor = try? place.open(O_RDONLY | O_NOFOLLOW | O_NONBLOCK, []) else { continue }
            defer { try? descriptor.close() }
            guard let status = FileStatus(descriptor), status.isRegular || status.isDirectory else { continue }
            // The lock is held by a process that still writes.
            guard descriptor.takeLock() else { continue }
            place.removeTree()
            descriptor.releaseLock()
        }
    }
}
