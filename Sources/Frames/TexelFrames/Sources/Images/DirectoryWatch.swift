import SystemPackage
import TexelCodecs
import TexelCore
import TexelFormats
import TexelPipeline

/// Reports the images that appear in a directory, once they are complete.
///
/// Used by one thread at a time.
protocol DirectoryWatch: AnyObject {
    /// Blocks until there are new or rewritten images and returns their names; `nil` after `stop`.
    ///
    /// - Throws: `missingFile` if the directory was removed.
    func next(_ stop: StopToken) throws(TexelError) -> [String]?
}

/// A directory that is searched for images.
struct ImageDirectory {
    let path: FilePath

    /// Whether the name has an image's extension and is not hidden. Hidden files are often temporary files that are
    /// renamed once they are complete.
    static func isImage(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let fileExtension = FilePath(name).extension else { return false }
        return ImageFormat(fileExtension: fileExtension) != nil
    }

    /// The stamps of all images by name, without empty files.
    func stamps() throws(TexelError) -> [String: FileStamp] {
        let entries = try DirectoryEntry.list(path)
        var stamps: [String: FileStamp] = [:]
        for entry in entries where Self.isImage(entry.name.string) {
            guard case .file(let status, _) = FolderRule().kind(of: entry, at: path.appending(entry.name)),
                let stamp = FileStamp(status), stamp.byteCount > 0
            else { continue }
            stamps[entry.name.string] = stamp
        }
        return stamps
    }

    func stamp(of name: String) -> FileStamp? {
        FileStamp(path.appending(name)).flatMap { $0.byteCount > 0 ? $0 : nil }
    }
}

/// Scans the directory at an interval, for systems and network shares without change notifications. An image counts as
/// complete once two scans find it unchanged.
final class PollingWatch: DirectoryWatch {
    private let directory: ImageDirectory
    private let clock: any FrameClock
    private let interval: Duration
    private var lastLook: Duration?
    /// The result of the last scan.
    private var found: [String: FileStamp] = [:]
    private var told: [String: FileStamp]

    /// Starts to watch a directory.
    ///
    /// - Throws: `missingFile`, `cannotRead`.
    init(
        _ directory: FilePath, includesExisting: Bool, every interval: Duration, clock: any FrameClock
    ) throws(TexelError) {
        self.directory = ImageDirectory(path: directory)
        self.clock = clock
        self.interval = interval
        let existing = try self.directory.stamps()
        told = includesExisting ? [:] : existing
    }

    func next(_ stop: StopToken) throws(TexelError) -> [String]? {
        while !stop.isStopped {
            if let lastLook { clock.sleep(until: lastLook + interval, stop: stop) }
            if stop.isStopped { return nil }
            lastLook = clock.now
            let before = found
            found = try directory.stamps()
            told = told.filter { found[$0.key] != nil }
            let ready = found.filter { before[$0.key] == $0.value && told[$0.key] != $0.value }
            guard ready.isEmpty else {
                told.merge(ready) { $1 }
                return ready.keys.sorted(by: naturalOrder)
            }
        }
        return nil
    }
}
