import Texel

/// What `--version` prints.
enum VersionReport {
    static let version = "texel 0.1.0"

    /// The version; with `-v` also what a bug report needs: the processor level in use and the libraries.
    static func text(for arguments: [String]) -> String {
        guard arguments.contains(where: { ["-v", "--verbose"].contains($0) }) else { return version }
        let libraries = LinkedLibrary.all.map { "\($0.name) \($0.version)" }
        return ([version, "processor level \(ProcessorLevel.inUse.rawValue)"] + libraries).joined(separator: "\n")
    }
}
