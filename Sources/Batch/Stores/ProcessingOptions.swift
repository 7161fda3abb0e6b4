public import TexelCodecs

/// How files are processed, independent of the recipe.
public struct ProcessingOptions: Sendable {
    /// The limits on inputs and results, and which faults of an input are errors.
    public var policy = DecodePolicy()
    /// The time limit for one file; `nil` for none.
    public var timeout: Duration?
    /// Whether existing outputs are replaced.
    public var overwrites = false
    /// Whether inputs whose output exists are skipped.
    public var skipsExisting = false
    /// Whether outputs get the access and modification times of their inputs.
    public var keepsTimes = false
    /// Whether only plans are made; pixels are neither decoded nor written.
    public var isDryRun = false
    /// The tolerated faults before the first file, one sentence each. Each result reports them.
    package var warnings: [String] = []
    /// Returns why results of a format are refused; `nil` to accept them.
    package var refusal: (@Sendable (ImageFormat) -> String?)?

    /// Makes the default options.
    public init() {}
}
