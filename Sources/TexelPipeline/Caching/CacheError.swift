public import SystemPackage

/// An entry could not be written to disk or removed. The result that was to be stored and existing entries are not
/// affected.
public enum CacheError: Error, Sendable, Hashable {
    /// The cache cannot be written, for example because the disk is full, a quota is used up, or the folder is
    /// read-only.
    case cannotWrite(directory: FilePath, Errno)
}

extension CacheError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotWrite(let directory, let errno): "cannot write to the cache \(directory): \(errno)"
        }
    }
}

extension CacheError {
    init(_ error: FileError, directory: FilePath) {
        self = .cannotWrite(directory: directory, error.errno ?? .ioError)
    }
}

extension FileError {
    /// The system's error, if there was one.
    var errno: Errno? {
        switch self {
        case .cannotRead(_, let errno), .cannotCreate(_, let errno), .cannotWrite(_, let errno): errno
        case .missing: .noSuchFileOrDirectory
        case .alreadyExists: .fileExists
        case .isDirectory: .isDirectory
        case .isLink: .tooManySymbolicLinkLevels
        case .noImagesFound, .isInput, .outputConflict, .cannotWriteFormat, .outsideFolder: nil
        }
    }
}
