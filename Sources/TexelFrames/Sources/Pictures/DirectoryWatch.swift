import SystemPackage
import TexelCodecs
import TexelPipeline

/// Tells which pictures have come to a directory, once they are complete.
///
/// Used by one thread at a time.
protocol DirectoryWatch: AnyObject {
    /// The names of pictures that were not told before, or that have been written anew; waits until there is one.
    /// `nil` when `stop` says so.
    ///
    /// - Throws: `file(.missing)` when the directory has gone.
    func next(_ stop: FrameStop) throws(FrameError) -> [String]?
}

/// The pictures in a directory.
struct PictureDirectory {
    let path: FilePath

    /// Whether a file of this name is one: its extension promises it, and it is not hidden, as files are that will get
    /// their name when they are complete.
    static func isPicture(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let fileExtension = FilePath(name).extension else { return false }
        return ImageFormat(fileExtension: fileExtension) != nil
    }

    /// All pictures with what is known of them; empty files are none yet.
    func stamps() throws(FrameError) -> [String: FileStamp] {
        let names: [String]
        do { names = try InputExpansion.names(in: path) } catch { throw .file(error) }
        var stamps: [String: FileStamp] = [:]
        for name in names where Self.isPicture(name) {
            if let stamp = stamp(of: name) { stamps[name] = stamp }
        }
        return stamps
    }

    func stamp(of name: String) -> FileStamp? {
        FileStamp(path.appending(name)).flatMap { $0.byteCount > 0 ? $0 : nil }
    }
}

/// Looks into the directory again and again: for systems, and for network shares, that do not tell of changes. A
/// picture counts as complete once two looks find it unchanged.
final class PollingWatch: DirectoryWatch {
    private let directory: PictureDirectory
    private let clock: any FrameClock
    private let interval: Duration
    private var lastLook: Duration?
    /// What the last look found.
    private var found: [String: FileStamp] = [:]
    private var told: [String: FileStamp]

    /// - Throws: `file(.missing)`, `file(.cannotRead)`.
    init(
        _ directory: FilePath, includesExisting: Bool, every interval: Duration, clock: any FrameClock
    ) throws(FrameError) {
        self.directory = PictureDirectory(path: directory)
        self.clock = clock
        self.interval = interval
        let existing = try self.directory.stamps()
        told = includesExisting ? [:] : existing
    }

    func next(_ stop: FrameStop) throws(FrameError) -> [String]? {
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
