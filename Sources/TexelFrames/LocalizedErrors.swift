#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// `localizedDescription`, which Foundation adds to every error, is the same sentence as `description`.

extension FrameError: LocalizedError {
    public var errorDescription: String? { description }
}
