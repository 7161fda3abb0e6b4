#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The reason why work was stopped.
public enum StopReason: Sendable, Hashable, Codable {
    /// The caller cancelled the work.
    case cancelled
    /// The time limit was reached.
    case timedOut
    /// The input failed before the file was complete.
    case sourceFailed
    /// The output could not be written.
    case outputFailed
}

extension TexelError {
    /// The work was cancelled, timed out, or its input or output failed.
    public static func stopped(_ reason: StopReason) -> TexelError {
        switch reason {
        case .cancelled: TexelError(.cancelled, "cancelled")
        case .timedOut: TexelError(.timedOut, "the time limit was reached")
        case .sourceFailed: TexelError(.sourceFailed, "the input failed before the file was complete")
        case .outputFailed: TexelError(.outputFailed, "the output could not be written")
        }
    }

    /// Whether the work was stopped, so that the error says nothing about the input.
    package var isStop: Bool {
        switch kind {
        case .cancelled, .timedOut, .sourceFailed, .outputFailed: true
        default: false
        }
    }

    /// An allocation failed, in a library that does not say how many bytes it needed.
    public static var outOfMemory: TexelError { TexelError(.outOfMemory, "out of memory") }

    /// This many bytes could not be allocated.
    public static func outOfMemory(byteCount: Int) -> TexelError {
        TexelError(.outOfMemory, "cannot allocate \(byteCount) bytes")
    }

    /// The input is valid, but uses a feature that Texel does not support, such as 12-bit JPEG.
    public static func unsupported(_ feature: String) -> TexelError {
        TexelError(.unsupported, "\(feature) is not supported")
    }

    /// A library that is loaded when it is first used is not installed; `package` is the name of Debian's package.
    public static func missingLibrary(_ name: String, package: String, reason: String) -> TexelError {
        TexelError(
            .missingLibrary, "the library \(name) cannot be loaded (\(reason)); install the package \(package)")
    }

    /// A parameter has a value that is not allowed: its name, its value, and what is allowed.
    public static func invalidParameter(_ name: String, value: String, allowed: String) -> TexelError {
        TexelError(.invalidParameter, "\(name) cannot be \(value); it must be \(allowed)")
    }

    /// The caller's own source or stream threw this error.
    public static func source(_ error: any Error) -> TexelError {
        TexelError(.source, "the source failed: \(text(of: error))", underlying: error)
    }

    /// The caller's own sink threw this error.
    public static func sink(_ error: any Error) -> TexelError {
        TexelError(.sink, "the sink failed: \(text(of: error))", underlying: error)
    }

    /// Converts an error that a caller's source or stream threw: Texel's own errors and cancellation stay what they
    /// are, any other becomes ``source(_:)``.
    package init(thrownBySource error: any Error) {
        self =
            switch error {
            case let error as TexelError: error
            case is CancellationError: .stopped(.cancelled)
            default: .source(error)
            }
    }

    /// The localized description of an error, if its type has one; else the value as it prints.
    private static func text(of error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}
