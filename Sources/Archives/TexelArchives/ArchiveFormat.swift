import SystemPackage
import TexelPipeline

/// The formats in which archives are written.
enum ArchiveFormat: Sendable, Hashable, CaseIterable {
    /// Images are stored, other entries deflated.
    case zip
    /// POSIX tar, without compression.
    case tar
    case tarGzip
    case tarZstandard

    /// The format that the extension of a file's name stands for; `nil` if it is that of no archive that Texel writes.
    init?(fileName: FilePath) {
        let name = fileName.lastComponent?.string.lowercased() ?? ""
        guard let format = Self.allCases.first(where: { $0.extensions.contains { name.hasSuffix(".\($0)") } }) else {
            return nil
        }
        self = format
    }

    /// The extensions of file names, the usual one first.
    var extensions: [String] {
        switch self {
        case .zip: ["zip", "cbz"]
        case .tar: ["tar", "cbt"]
        case .tarGzip: ["tar.gz", "tgz"]
        case .tarZstandard: ["tar.zst", "tzst"]
        }
    }

    /// The extensions of archives that are read only.
    static let otherExtensions = ["tar.xz", "txz", "tar.bz2", "tbz2"]
}
