public import SystemPackage

/// Why something could not be kept on disk, or removed. The result that was to be kept is not affected, nor is what
/// the cache holds.
public enum CacheError: Error, Sendable, Hashable {
    /// The system does not let this cache be written: the disk is full, a quota is used up, the folder is read-only.
    case cannotWrite(directory: FilePath, Errno)
}

extension CacheError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotWrite(let directory, let errno): "the cache \(directory) cannot be written: \(errno)"
        }
    }
}

extension CacheError {
    init(_ error: FileError, directory: FilePath) {
        self = .cannotWrite(directory: directory, error.errno ?? .ioError)
    }
}

extension FileError {
    /// What the system said.
    var errno: Errno? {
        switch self {
        case .cannotRead(_, let errno), .cannotCreate(_, let errno), .cannotWrite(_, let errno): errno
        case .missing: .noSuchFileOrDirectory
        case .alreadyExists: .fileExists
        case .isDirectory: .isDirectory
        case .isLink: .tooManySymbolicLinkLevels
        case .holdsNoImages, .isInput, .takenByAnother, .cannotWriteFormat, .leavesFolder: nil
        }
    }
}
