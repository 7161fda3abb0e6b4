import SystemPackage
import Synchronization
import TexelPipeline
import TexelPixels

/// Reserves the output paths of one call: each path for one input only, so that no output is overwritten by another.
final class OutputReservations: Sendable {
    /// All files that the call reads.
    let inputs: Set<FileStatus.Identity>
    private let paths: Mutex<Set<FilePath>>

    /// - Parameters:
    ///   - inputs: all files that the call reads.
    ///   - taken: outputs of an earlier call.
    init(inputs: [FilePath], taken: [FilePath] = []) {
        self.inputs = Set(ParallelJobs.map(inputs, \.identity).compactMap(\.self))
        paths = Mutex(Set(taken))
    }

    /// Reserves a path. Returns `false` if it is taken.
    func reserve(_ path: FilePath) -> Bool {
        paths.withLock { $0.insert(path).inserted }
    }
}
