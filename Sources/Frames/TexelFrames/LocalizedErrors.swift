#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// `localizedDescription`, which Foundation adds to every error, returns `description`.

extension FrameError: LocalizedError {
    public var errorDescription: String? { description }
}
