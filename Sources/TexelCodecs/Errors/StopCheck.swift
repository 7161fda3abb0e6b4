/// A callback that long work polls to find out whether it must stop, and why.
public final class StopCheck: Sendable {
    private let question: @Sendable () -> StopReason?

    /// Creates a check.
    ///
    /// - Parameter question: returns the reason to stop, or `nil` to continue; called often, on any thread.
    public init(_ question: @escaping @Sendable () -> StopReason?) { self.question = question }

    /// The reason to stop; `nil` to continue.
    public var reason: StopReason? { question() }

    /// - Throws: `stopped` if there is a reason to stop.
    package func check() throws(CodecError) {
        if let reason { throw .stopped(reason) }
    }

    /// The callback for the C shims; `context` is this object, which the codec's owner keeps alive.
    package static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Bool = { context in
        guard let context else { return false }
        return Unmanaged<StopCheck>.fromOpaque(context).takeUnretainedValue().reason != nil
    }
}

extension StopCheck? {
    package var context: UnsafeMutableRawPointer? { self.map { Unmanaged.passUnretained($0).toOpaque() } }
}
