import TexelCodecs

/// Wraps an error of a type that Texel does not know, thrown by the caller's own source, stream or sink.
public struct CustomError: Error, Sendable {
    /// The original error.
    public let underlying: any Error

    /// Wraps an error.
    public init(_ underlying: any Error) { self.underlying = underlying }
}

extension CustomError: Hashable {
    /// Two errors are equal if they have the same type and are equal by `==`; if the type has no `==`, they are equal
    /// if they print the same.
    public static func == (left: CustomError, right: CustomError) -> Bool {
        guard type(of: left.underlying) == type(of: right.underlying) else { return false }
        if let left = left.underlying as? any Hashable, let right = right.underlying as? any Hashable {
            return AnyHashable(left) == AnyHashable(right)
        }
        return "\(left.underlying)" == "\(right.underlying)"
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type(of: underlying))) }
}

extension PipelineError {
    /// Converts an error that a caller's source or stream threw: Texel's own errors and cancellation map to their
    /// cases, any other becomes ``source(_:)``.
    init(thrownBySource error: any Error) {
        self =
            switch error {
            case let error as PipelineError: error
            case let error as CodecError: .codec(error)
            case is CancellationError: .codec(.stopped(.cancelled))
            default: .source(CustomError(error))
            }
    }
}
