#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// `localizedDescription`, which Foundation adds to every error, returns the same sentence as `description`.

extension ManifestError: LocalizedError {
    public var errorDescription: String? { description }
}

extension OutputTemplate.UnknownPlaceholder: LocalizedError {
    public var errorDescription: String? { description }
}

extension OutputTemplate.UnknownPlaceholder: CustomStringConvertible {
    public var description: String {
        "unknown placeholder {\(name)}; use {dir}, {name}, {ext}, {width} or {height}, or {{ for a brace"
    }
}
