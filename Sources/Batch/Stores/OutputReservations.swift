import Synchronization
import SystemPackage
import TexelCore
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
    ///   - isInPlace: whether each input is replaced by its result. Only the first of several names of a file can be
    ///     reserved then.
    init(inputs: [FilePath], taken: [FilePath] = [], isInPlace: Bool = false) {
        var firstNames: [FileStatus.Identity: FilePath] = [:]
        var otherNames: [FilePath] = []
        for case (let path, let file?) in zip(inputs, ParallelJobs.map(inputs, \.identity)) {
            if firstNames[file, default: path] != path { otherNames.append(path) }
            firstNames[file] = firstNames[file] ?? path
        }
        self.inputs = Set(firstNames.keys)
        paths = Mutex(Set(isInPlace ? taken + otherNames : taken))
    }

    /// Reserves a path. Returns `false` if it is taken.
    func reserve(_ path: FilePath) -> Bool {
        paths.withLock { $0.insert(path).inserted }
    }
}
