#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation's `localizedDescription` returns the same text as `description`.

extension CodecError: LocalizedError {
    public var errorDescription: String? { description }
}

extension FormatDefect: LocalizedError {
    public var errorDescription: String? { description }
}
