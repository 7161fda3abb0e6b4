public import TexelCodecs

/// A source that notices damage of its input.
public protocol FaultReporting {
    /// The damage that was noticed so far. May be read on any thread.
    var faults: StreamFaults { get }
}
