import SystemPackage
import Synchronization

/// The output paths of one call: each is given to one input only, so that none is silently written twice, and none is
/// an input that may still be unread.
final class OutputReservations: Sendable {
    private let inputs: Set<FileStatus.Identity>
    private let paths: Mutex<Set<FilePath>>

    /// - Parameters:
    ///   - inputs: all files that the call reads.
    ///   - taken: paths that a former call has given away.
    init(inputs: [FilePath], taken: [FilePath] = []) {
        self.inputs = Set(inputs.compactMap(\.identity))
        paths = Mutex(Set(taken))
    }

    /// Whether the path was free.
    func reserve(_ path: FilePath) -> Bool {
        paths.withLock { $0.insert(path).inserted }
    }

    func isInput(_ path: FilePath) -> Bool {
        path.identity.map { inputs.contains($0) } ?? false
    }
}
