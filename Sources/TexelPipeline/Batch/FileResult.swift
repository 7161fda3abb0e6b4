public import SystemPackage
public import TexelCodecs
public import TexelPixels

/// How files are treated, whatever the recipe.
public struct ProcessingOptions: Sendable {
    public var limits = Limits()
    public var strictness = Strictness.truncated
    /// How long one file may take; `nil` is for ever.
    public var timeout: Duration?
    /// Whether an existing output is replaced.
    public var overwrites = false
    /// Whether a file whose output exists is left alone.
    public var skipsExisting = false
    /// Whether a result gets the times of its input.
    public var keepsTimes = false
    /// Whether it is only found out what would be done: nothing is decoded or written.
    public var isDryRun = false
    /// Says why a result of a format is refused; `nil` accepts it.
    package var refusal: (@Sendable (ImageFormat) -> String?)?

    public init() {}
}

/// What became of one file.
public struct FileResult: Sendable {
    public enum Status: String, Sendable, Hashable {
        /// New pixels were written.
        case written
        /// The input's own pixels were smaller and were kept; its metadata obey the policy. In place, the file already
        /// held the result and was not touched; with other metadata it is `written`.
        case kept
        /// The output was there already.
        case skipped
        /// Nothing was done, because only the plan was asked for.
        case planned
        case failed
    }

    public var input: FilePath
    /// What people call the input: its path, its address.
    public var name: String
    /// Which of the batch's recipes made it.
    public internal(set) var recipeIndex = 0
    /// Whether it is one of several results of its input, and another one counts the input's bytes.
    public internal(set) var sharesInput = false
    /// `nil` where it is standard output or was never known.
    public var output: FilePath?
    public var inputBytes = 0
    public var outputBytes = 0
    /// Of the result.
    public var size: PixelSize?
    /// The size that was asked for, if the result is smaller because the recipe does not enlarge.
    public var largerSize: PixelSize?
    public var format: ImageFormat?
    public var route: Route?
    public var status = Status.failed
    public var error: PipelineError?
    public var duration = Duration.zero
    /// The SSIMULACRA2 score against the picture that was encoded, where one was asked for.
    public var score: Double?
    /// What a search for an ``EncodingTarget`` chose, in a few words.
    public var searchSummary: String?
    /// What was let pass, each in one sentence.
    public var warnings: [String] = []
    /// What was planned, where it came to that.
    public var plan: Plan?

    public init(input: FilePath) {
        self.input = input
        name = input.string
    }
}
