import ArgumentParser
import Texel

/// The limits on what a file may require.
struct LimitOptions: ParsableArguments {
    @Flag(help: "Strict limits and 30 seconds per file, for untrusted images; explicit limits override them.")
    var untrusted = false

    @Flag(
        inversion: .prefixedNo,
        help: "Decode all formats, or none, in processes without privileges (default: those of large C libraries).")
    var isolate: Bool?

    @Option(help: "Pixels of an image (default: 268402689).")
    var limitPixels: Int?

    @Option(help: "Pixels of one side (default: 65535).")
    var limitSide: Int?

    @Option(help: "Bytes of an input file (default: 1GiB).")
    var limitInput: ByteCountArgument?

    @Option(help: "Memory that the work for an image may need (default: no limit; with --untrusted 1GiB).")
    var limitPlanned: ByteCountArgument?

    @Option(help: "Bytes of a PNG's inflated rows (default: 1GiB).")
    var limitInflated: ByteCountArgument?

    @Option(help: "Bytes of one metadata block (default: 8MiB).")
    var limitMetadata: ByteCountArgument?

    @Option(help: "Chunks of a PNG, or segments before the pixels of a JPEG (default: 200000).")
    var limitChunks: Int?

    @Option(help: "Scans of a progressive JPEG; fewer above 8 megapixels (default: 500).")
    var limitScans: Int?

    @Option(help: "Frames of an animation (default: 10000).")
    var limitFrames: Int?

    @Option(help: "Decoder warnings per file (default: 10000).")
    var limitWarnings: Int?

    @Option(help: "Memory of a codec in bytes (default: 2GiB).")
    var limitMemory: ByteCountArgument?

    @Option(help: "Time for one file: 30, 30s, 500ms or 5m.")
    var timeout: DurationArgument?

    func validate() throws { try ValidationError.wrapping(check) }

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
