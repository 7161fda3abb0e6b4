public import SystemPackage
import TexelCodecs
public import TexelCore
import TexelFormats

/// Errors of the file system and of outputs' paths. `TexelError.place` has the path.
extension TexelError {
    /// There is no file of this name.
    public static func missingFile(_ path: FilePath) -> TexelError {
        TexelError(.missingFile, path, "no such file: \(path)", .noSuchFileOrDirectory)
    }

    /// The file is a directory.
    public static func isDirectory(_ path: FilePath) -> TexelError {
        TexelError(.isDirectory, path, "\(path) is a directory", .isDirectory)
    }

    /// The file or the folder cannot be read.
    public static func cannotRead(_ path: FilePath, _ reason: Errno) -> TexelError {
        TexelError(.cannotRead, path, "cannot read \(path): \(reason)", reason)
    }

    /// Another program shortened the file while it was read.
    public static func shortened(_ path: FilePath) -> TexelError {
        TexelError(.shortened, path, "\(path) became shorter while it was read")
    }

    /// Another program changed or removed the file while its replacement was made. Nothing was written.
    public static func changed(_ path: FilePath) -> TexelError {
        TexelError(.changed, path, "\(path) was changed or removed while it was processed; nothing was written")
    }

    /// A searched directory contains no image.
    public static func noImagesFound(_ path: FilePath) -> TexelError {
        TexelError(.noImagesFound, path, "no images found in \(path)")
    }

    /// The output exists already and must not be replaced.
    public static func alreadyExists(_ path: FilePath) -> TexelError {
        TexelError(.alreadyExists, path, "the output \(path) already exists", .fileExists)
    }

    /// The output is also an input, and replacing inputs was not requested.
    public static func isInput(_ path: FilePath) -> TexelError {
        TexelError(.isInput, path, "the output \(path) is also an input")
    }

    /// Another input of the same call has the same output.
    public static func outputConflict(_ path: FilePath) -> TexelError {
        TexelError(
            .outputConflict, path, "another input has the same output, \(path); use different names")
    }

    /// The output's extension stands for a format that Texel cannot write, and no other format was given.
    public static func cannotWriteFormat(_ path: FilePath) -> TexelError {
        let reason =
            path.extension.flatMap { ImageFormat(fileExtension: $0)?.refusalToWrite }
            ?? "Texel writes \(CodecRegistry.shared.writableFormats.list(joinedBy: "and"))"
        return TexelError(.cannotWriteFormat, path, "cannot write \(path): \(reason)")
    }

    /// The output would be outside the output folder.
    public static func outsideFolder(_ path: FilePath, _ folder: FilePath) -> TexelError {
        TexelError(
            .outsideFolder, path,
            "the output \(path) is outside of \(folder.isEmpty ? "." : folder); name a folder that contains it")
    }

    /// An output's path leads through a symbolic link that the user did not name.
    public static func isLink(_ path: FilePath) -> TexelError {
        TexelError(
            .isLink, path, "\(path) is a symbolic link, which is not followed; name its target",
            .tooManySymbolicLinkLevels)
    }

    /// The output cannot be created.
    public static func cannotCreate(_ path: FilePath, _ reason: Errno) -> TexelError {
        TexelError(.cannotCreate, path, "cannot create \(path): \(reason)", reason)
    }

    /// Writing failed; no partial file remains. The path `-` is standard output.
    public static func cannotWrite(_ path: FilePath, _ reason: Errno) -> TexelError {
        let name = path == "-" ? "to standard output" : "\(path)"
        return TexelError(.cannotWrite, path, "cannot write \(name): \(reason)", reason)
    }

    /// An entry could not be written to a cache on disk, or removed. The result that was to be stored and existing
    /// entries are not affected.
    public static func cannotWriteCache(_ directory: FilePath, _ reason: Errno) -> TexelError {
        TexelError(.cannotWrite, directory, "cannot write to the cache \(directory): \(reason)", reason)
    }

    private init(_ kind: Kind, _ path: FilePath, _ sentence: String, _ reason: Errno? = nil) {
        self.init(kind, sentence, at: Place(input: path.string), systemError: reason?.rawValue)
    }
}

extension TexelError {
    /// The system's error, if a call of the system failed.
    package var errno: Errno? { systemError.map { Errno(rawValue: $0) } }

    /// Makes the error for an input that could not be opened.
    package init(_ path: FilePath, unreadable reason: Errno) {
        // `ENOTDIR`: if the path exists, it is not a directory itself; if not, a component above it is a file.
        let isMissing = reason == .noSuchFileOrDirectory || reason == .notDirectory && !path.exists
        self = isMissing ? .missingFile(path) : .cannotRead(path, reason)
    }

    /// Makes the error for an input that could not be opened. If the path is a URL, the error says how to load it.
    static func unreadable(_ path: FilePath, _ reason: Errno) -> TexelError {
        let error = TexelError(path, unreadable: reason)
        return error.kind == .missingFile ? path.address.map { .unsupportedURL($0) } ?? error : error
    }
}

extension FilePath {
    /// The URL that was written as a path, such as `https://example.org/photo.jpg`; `nil` for other paths.
    ///
    /// `FilePath` has collapsed the two slashes after the scheme into one.
    fileprivate var address: String? {
        guard isRelative, components.count > 1, let first = components.first?.string, first.last == ":" else {
            return nil
        }
        let scheme = first.dropLast()
        guard scheme.count > 1, scheme.utf8.allSatisfy(Self.isInScheme) else { return nil }
        return "\(first)//\(removingFirstComponent)"
    }

    private var removingFirstComponent: FilePath {
        var rest = self
        rest.components.removeFirst()
        return rest
    }

    /// Whether a character may be part of a scheme (RFC 3986, 3.1).
    private static func isInScheme(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
