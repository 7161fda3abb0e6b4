import Texel

/// The limits on what a file may require.
struct LimitOptions: OptionGroup {
    var untrusted = false
    var isolate: Bool?
    var limitPixels: Int?
    var limitSide: Int?
    var limitInput: ByteCountArgument?
    var limitPlanned: ByteCountArgument?
    var limitInflated: ByteCountArgument?
    var limitMetadata: ByteCountArgument?
    var limitChunks: Int?
    var limitScans: Int?
    var limitFrames: Int?
    var limitWarnings: Int?
    var limitMemory: ByteCountArgument?
    var timeout: DurationArgument?

    static let options: [Option<Self>] = [
        .flag(
            "untrusted", \.untrusted,
            help: "Strict limits and 30 seconds per file, for untrusted images; explicit limits override them."),
        .flag("isolate", \.isolate, help: "Sandbox decoders: all formats, or none.").defaulting(
            to: "those of large C libraries"),
        .flag("no-isolate", \.isolate, isInverted: true),
        .integer("limit-pixels", \.limitPixels, .from(1), help: "Pixels of an image.").defaulting(to: "268402689"),
        .integer("limit-side", \.limitSide, .from(1), help: "Pixels of one side.").defaulting(to: "65535"),
        .argument("limit-input", \.limitInput, ByteCountArgument.expectation, help: "Bytes of an input file.")
            .defaulting(to: "1GiB"),
        .argument(
            "limit-planned", \.limitPlanned, ByteCountArgument.expectation,
            help: "Memory that the work for an image may need."
        ).defaulting(to: "no limit; with --untrusted 1GiB"),
        .argument(
            "limit-inflated", \.limitInflated, ByteCountArgument.expectation, help: "Bytes of a PNG's inflated rows."
        ).defaulting(to: "1GiB"),
        .argument(
            "limit-metadata", \.limitMetadata, ByteCountArgument.expectation, help: "Bytes of one metadata block."
        ).defaulting(to: "8MiB"),
        .integer(
            "limit-chunks", \.limitChunks, .from(1), help: "Chunks of a PNG, or segments before the pixels of a JPEG."
        ).defaulting(to: "200000"),
        .integer("limit-scans", \.limitScans, .from(1), help: "Scans of a progressive JPEG; fewer above 8 megapixels.")
            .defaulting(to: "500"),
        .integer("limit-frames", \.limitFrames, .from(1), help: "Frames of an animation.").defaulting(to: "10000"),
        .integer("limit-warnings", \.limitWarnings, .from(1), help: "Decoder warnings per file.").defaulting(
            to: "10000"),
        .argument("limit-memory", \.limitMemory, ByteCountArgument.expectation, help: "Memory of a codec in bytes.")
            .defaulting(to: "2GiB"),
        .argument(
            "timeout", \.timeout, "a time such as 30, \"30s\" or \"500ms\"",
            help: "Time for one file: 30, 30s, 500ms or 5m."),
    ]

    /// Options for all jobs of a process, not for a single job.
    static let ofTheMachine: Set<OptionName> = ["isolate", "no-isolate"]

    var limits: Limits {
        var limits = untrusted ? Limits.untrusted : Limits()
        limits.pixels = limitPixels ?? limits.pixels
        limits.side = limitSide ?? limits.side
        limits.inputBytes = limitInput?.bytes ?? limits.inputBytes
        limits.plannedBytes = limitPlanned?.bytes ?? limits.plannedBytes
        limits.inflatedBytes = limitInflated?.bytes ?? limits.inflatedBytes
        limits.metadataBytes = limitMetadata?.bytes ?? limits.metadataBytes
        limits.chunks = limitChunks ?? limits.chunks
        limits.scans = limitScans ?? limits.scans
        limits.frames = limitFrames ?? limits.frames
        limits.warnings = limitWarnings ?? limits.warnings
        limits.codecBytes = limitMemory?.bytes ?? limits.codecBytes
        return limits
    }

    /// The child processes that decode; `nil` for none.
    var isolation: Isolation? {
        guard isolate ?? Isolation.isAvailable else { return nil }
        var configuration = Isolation.Configuration()
        configuration.scope = isolate == true ? .everyImage : .riskyFormats
        if untrusted { configuration.memoryBytes = 2 << 30 }
        return Isolation(configuration)
    }

    /// The child processes that decode the frames of videos; `nil` for none. Frames of trusted videos are decoded in
    /// this process, because each would be copied.
    var videoIsolation: Isolation? { untrusted || isolate == true ? isolation : nil }

    /// The pool of commands without `--jobs`: the shared one, unless child processes decode.
    var pool: WorkerPool {
        guard let isolation else { return .shared }
        return WorkerPool(
            width: WorkerPool.availableCores, byteBudget: WorkerPool.defaultByteBudget, isolation: isolation)
    }

    /// The time limit for one file; `nil` for none.
    var timeLimit: Duration? { timeout?.duration ?? (untrusted ? Limits.untrustedTimeout : nil) }
}
