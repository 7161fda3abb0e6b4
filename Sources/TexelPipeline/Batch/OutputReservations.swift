import SystemPackage
import Synchronization

/// The output paths of one call: each is given to one input only, so that none is silently written twice.
final class OutputReservations: Sendable {
    private let paths = Mutex<Set<FilePath>>([])

    /// Whether the path was free.
    func reserve(_ path: FilePath) -> Bool {
        paths.withLock { $0.insert(path).inserted }
    }
}
