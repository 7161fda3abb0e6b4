#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// `localizedDescription`, which Foundation adds to every error, returns the same sentence as `description`.

extension TextError: LocalizedError {
    public var errorDescription: String? { description }
}
