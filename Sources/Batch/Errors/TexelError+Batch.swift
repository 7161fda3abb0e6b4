public import SystemPackage
public import TexelCore
import TexelPipeline

extension TexelError {
    /// A name of outputs contains a placeholder in braces that does not exist.
    public static func unknownPlaceholder(_ name: String) -> TexelError {
        TexelError(
            .invalidArgument,
            "unknown placeholder {\(name)}; use {dir}, {name}, {ext}, {width} or {height}, or {{ for a brace")
    }
}

/// Reasons why a manifest cannot be used.
extension TexelError {
    /// Another process has locked the directory's manifest.
    public static func inUse(_ path: FilePath) -> TexelError {
        let directory = path.removingLastComponent()
        return TexelError(
            .inUse, "another texel process writes into \(directory); wait for it, or name another directory")
    }

    /// The file with the manifest's name is not a manifest.
    public static func foreignManifest(_ path: FilePath) -> TexelError {
        TexelError(
            .foreignManifest, "\(path) is not a texel manifest; move it, or name another directory",
            at: Place(input: path.string))
    }

    /// The manifest cannot be read.
    public static func cannotReadManifest(_ path: FilePath, _ reason: Errno) -> TexelError {
        TexelError(.cannotRead, "cannot read \(path): \(reason)", systemError: reason.rawValue)
    }

    /// The manifest cannot be written.
    public static func cannotWriteManifest(_ path: FilePath, _ reason: Errno) -> TexelError {
        TexelError(
            .cannotCreate, "cannot write \(path): \(reason)", at: Place(input: path.string),
            systemError: reason.rawValue)
    }
}
