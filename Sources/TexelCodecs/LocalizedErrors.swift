#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// `localizedDescription`, which Foundation adds to every error, is the same sentence as `description`.

extension CodecError: LocalizedError {
    public var errorDescription: String? { description }
}

extension PNGError: LocalizedError {
    public var errorDescription: String? { description }
}

extension JPEGError: LocalizedError {
    public var errorDescription: String? { description }
}
