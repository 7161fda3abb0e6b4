import PlatformLibc
import Synchronization

/// The child processes that may outlive this process if it ends at once.
package enum RunningChildren {
    private static let processes = Mutex<Set<CInt>>([])

    /// - Parameter process: the child's ID; negative for its process group.
    package static func add(_ process: CInt) { _ = processes.withLock { $0.insert(process) } }

    /// Must be called before the child's ID can be that of another process, if possible.
    package static func remove(_ process: CInt) { _ = processes.withLock { $0.remove(process) } }

    /// Kills all of them, without waiting for their ends.
    package static func killAll() {
        for process in processes.withLock({ $0 }) { kill(process, SIGKILL) }
    }
}
