import Texel
import TexelArchives
import TexelFrames
import TexelText

/// The output of `--version`.
enum VersionReport {
    static let version = "texel 0.1.0"

    /// The version; with `-v` also the processor level in use and the linked libraries, for bug reports.
    static func text(for arguments: [String]) -> String {
        guard arguments.contains(where: { ["-v", "--verbose"].contains($0) }) else { return version }
        let linked = LinkedLibrary.all + TextShaping.libraries + ArchiveLibrary.libraries
        let libraries = linked.map { library in
            let file = library.path.map { " (\($0))" } ?? ""
            return "\(library.name) \(library.version ?? "is not installed")\(file)"
        }
        return ([version, "processor level \(ProcessorLevel.inUse.rawValue)"] + libraries).joined(separator: "\n")
    }
}
