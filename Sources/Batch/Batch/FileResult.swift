public import SystemPackage
public import TexelCodecs
public import TexelCore
public import TexelPipeline
public import TexelPixels

/// The result of processing one file.
public struct FileResult: Sendable {
    /// The outcome for one file.
    public enum Status: String, Sendable, Hashable {
        /// New pixels were written.
        case written
        /// The input's own pixel data were smaller and were kept; metadata follow the recipe. In place, the file
        /// already was the result and was not written; with other metadata it is `written`.
        case kept
        /// The output existed already.
        case skipped
        /// Only a plan was requested.
        case planned
        /// Processing failed; ``FileResult/error`` has the reason.
        case failed
    }

    /// The path of the input.
    public var input: FilePath
    /// The name of the input for people: its path or its address.
    public var name: String
    /// The index of the recipe.
    public internal(set) var recipeIndex = 0
    /// Whether this is one of several results of an input, and another one counts the input's bytes.
    public internal(set) var sharesInput = false
    /// The path of the output; `nil` for standard output, or if it was never determined.
    public var output: FilePath?
    /// The size of the input in bytes.
    public var inputBytes = 0
    /// The size of the output in bytes.
    public var outputBytes = 0
    /// The size of the result in pixels.
    public var size: PixelSize?
    /// The requested size, if the result is smaller because the recipe does not enlarge.
    public var requestedSize: PixelSize?
    /// The format of the result.
    public var format: ImageFormat?
    /// The way the image was processed.
    public var route: Route?
    /// The outcome.
    public var status = Status.failed
    /// The reason if the outcome is `failed`.
    public var error: TexelError?
    /// The time from reading to writing.
    public var duration = Duration.zero
    /// The score against the image before encoding, by the metric of the recipe's target; `nil` unless one was
    /// requested.
    public var score: Double?
    /// The choice of the search for an `EncodingTarget`, in a few words.
    public var searchSummary: String?
    /// The tolerated faults, one sentence each.
    public var warnings: [String] = []
    /// The plan; `nil` if processing failed before it was made.
    public var plan: Plan?

    /// Makes a result that counts as failed until it is filled in.
    public init(input: FilePath) {
        self.input = input
        name = input.string
    }
}
