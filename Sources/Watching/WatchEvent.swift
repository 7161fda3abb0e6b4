package import SystemPackage
package import TexelBatch
package import TexelCore

/// An event of a watch.
package enum WatchEvent: Sendable {
    /// All later changes will be reported.
    case began(folderCount: Int)
    /// A file was written, kept, or failed.
    case finished(FileResult)
    /// An input was renamed, and its output accordingly.
    case renamed(from: FilePath, input: FilePath, output: FilePath)
    /// An input was removed, and its output as well.
    case removed(input: FilePath, output: FilePath)
    /// A folder or file could not be processed; the watch continues.
    case failed(FilePath, TexelError)
}
