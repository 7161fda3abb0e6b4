import SystemPackage
import TexelCore

/// Reasons why an archive, or an entry of one, cannot be read.
extension TexelError {
    /// The archive is damaged; nothing more can be read from here on.
    static func damagedArchive(_ path: FilePath, _ message: String) -> TexelError {
        TexelError(.damaged, "the archive is damaged\(detail(message))", at: Place(input: path.string))
    }

    /// The bytes of an entry are damaged.
    static func damagedEntry(_ name: String, _ message: String) -> TexelError {
        TexelError(.damaged, "the entry is damaged\(detail(message))", at: Place(input: name))
    }

    static func encryptedEntry(_ path: FilePath, _ name: FilePath) -> TexelError {
        TexelError(
            .unsupported, "an encrypted entry is not supported",
            at: Place(input: path.appending(name.components).string))
    }

    /// The name of an entry leads out of the folder that the archive stands for.
    static func unsafeEntry(_ path: FilePath, _ name: String) -> TexelError {
        TexelError(
            .outsideFolder, "the archive has an entry whose name leads out of it: \(name)",
            at: Place(input: path.string))
    }

    /// An entry cannot be stored in an archive of this format.
    static func cannotStoreEntry(_ path: FilePath, _ name: FilePath?, _ message: String) -> TexelError {
        let entry = name.map { "the entry \($0)" } ?? "the end of the archive"
        return TexelError(.cannotEncode, "\(entry) cannot be written\(detail(message))", at: Place(input: path.string))
    }

    /// Texel was built without archives.
    static func unsupportedArchive(_ path: FilePath) -> TexelError {
        TexelError(
            .unsupported, "reading archives is not part of this build (package trait Archives)",
            at: Place(input: path.string))
    }

    private static func detail(_ message: String) -> String { message.isEmpty ? "" : ": \(message)" }
}
