#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// `localizedDescription`, which Foundation adds to every error, returns the same sentence as `description`.

extension PipelineError: LocalizedError {
    public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
    public var errorDescription: String? { description }
}

extension TransferError: LocalizedError {
    public var errorDescription: String? { description }
}

extension TargetError: LocalizedError {
    public var errorDescription: String? { description }
}

extension IsolationError: LocalizedError {
    public var errorDescription: String? { description }
}

extension CacheError: LocalizedError {
    public var errorDescription: String? { description }
}

extension CustomError: LocalizedError {
    public var errorDescription: String? { description }
}

extension CustomError: CustomStringConvertible {
    /// The localized description of ``underlying``, if its type has one; else the value as it prints.
    public var description: String { (underlying as? any LocalizedError)?.errorDescription ?? "\(underlying)" }
}
