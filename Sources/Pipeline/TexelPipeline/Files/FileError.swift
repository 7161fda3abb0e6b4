public import SystemPackage
import TexelCodecs
import TexelFormats

/// An error of the file system or of an output's path; errors in a file's contents are `CodecError`s.
public enum FileError: Error, Sendable, Hashable {
    case missing(FilePath)
    case isDirectory(FilePath)
    case cannotRead(FilePath, Errno)
    /// Another program shortened the file while it was read.
    case shortened(FilePath)
    /// Another program changed or removed the file while its replacement was made. Nothing was written.
    case changed(FilePath)
    /// A searched directory contains no image.
    case noImagesFound(FilePath)
    /// The output exists already and must not be replaced.
    case alreadyExists(FilePath)
    /// The output is also an input, and replacing inputs was not requested.
    case isInput(FilePath)
    /// Another input of the same call has the same output.
    case outputConflict(FilePath)
    /// The output's extension stands for a format that Texel cannot write, and no other format was given.
    case cannotWriteFormat(FilePath)
    /// The output (first path) would be outside the output folder (second path).
    case outsideFolder(FilePath, FilePath)
    /// An output's path leads through a symbolic link that the user did not name.
    case isLink(FilePath)
    case cannotCreate(FilePath, Errno)
    /// Writing failed; no partial file remains.
    case cannotWrite(FilePath, Errno)
}

extension FileError {
    /// Makes the error for an input that could not be opened.
    package init(_ path: FilePath, unreadable reason: Errno) {
        // `ENOTDIR`: if the path exists, it is not a directory itself; if not, a component above it is a file.
        let isMissing = reason == .noSuchFileOrDirectory || reason == .notDirectory && !path.exists
        self = isMissing ? .missing(path) : .cannotRead(path, reason)
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let path): "no such file: \(path)"
        case .isDirectory(let path): "\(path) is a directory"
        case .cannotRead(let path, let errno): "cannot read \(path): \(errno)"
        case .shortened(let path): "\(path) became shorter while it was read"
        case .changed(let path): "\(path) was changed or removed while it was processed; nothing was written"
        case .noImagesFound(let path): "no images found in \(path)"
        case .alreadyExists(let path): "the output \(path) already exists"
        case .isInput(let path): "the output \(path) is also an input"
        case .outputConflict(let path): "another input has the same output, \(path); use different names"
        case .cannotWriteFormat(let path):
            "cannot write \(path): "
                + (path.extension.flatMap { ImageFormat(fileExtension: $0)?.refusalToWrite }
                    ?? "Texel writes \(CodecRegistry.shared.writableFormats.list(joinedBy: "and"))")
        case .outsideFolder(let path, let folder):
            "the output \(path) is outside of \(folder.isEmpty ? "." : folder); name a folder that contains it"
        case .isLink(let path): "\(path) is a symbolic link, which is not followed; name its target"
        case .cannotCreate(let path, let errno): "cannot create \(path): \(errno)"
        case .cannotWrite("-", let errno): "cannot write to standard output: \(errno)"
        case .cannotWrite(let path, let errno): "cannot write \(path): \(errno)"
        }
    }
}

extension FileError {
    /// The system's error, if there was one.
    package var errno: Errno? {
        switch self {
        case .cannotRead(_, let errno), .cannotCreate(_, let errno), .cannotWrite(_, let errno): errno
        case .missing: .noSuchFileOrDirectory
        case .alreadyExists: .fileExists
        case .isDirectory: .isDirectory
        case .isLink: .tooManySymbolicLinkLevels
        case .shortened, .changed, .noImagesFound, .isInput, .outputConflict, .cannotWriteFormat, .outsideFolder: nil
        }
    }
}
