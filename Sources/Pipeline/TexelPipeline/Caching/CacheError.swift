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
