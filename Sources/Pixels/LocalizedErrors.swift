#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Makes Foundation's `localizedDescription` the same as `description`.

extension PixelBufferError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ColorLUTError: LocalizedError {
    public var errorDescription: String? { description }
}
