import SystemPackage
import Texel

/// The states of this process's threads.
enum ThreadStates {
    /// Whether all threads except the calling one wait, for something or for each other. `false` if the system does not
    /// tell.
    static var allWait: Bool {
        guard let threads = try? DirectoryEntry.list("/proc/self/task") else { return false }
        let working = threads.count { thread in
            guard !thread.isHidden else { return false }
            let path = FilePath("/proc/self/task").appending(thread.name).appending("stat")
            guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
                return false
            }
            let bytes = (try? descriptor.closeAfter { try descriptor.readAll(atMost: 512) }) ?? []
            // The state follows the name, which is in parentheses.
            guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return false }
            return bytes.dropFirst(end + 2).first == UInt8(ascii: "R")
        }
        return working <= 1
    }
}
