import TexelCodecs
import TexelCore
import TexelPixels

/// Writes an image sequence: a track of AV1 frames that refer to each other.
final class AVIFAnimationEncoder: AnimationEncoder {
    private let options: AVIFOptions
    private let properties: AnimationProperties
    private let context: EncodingContext
    private let rows: BlockRows
    /// Created with the first frame.
    private var library: AVIFLibraryEncoder?
    /// The error of an earlier call. After it, the library's encoder must not be used: an abandoned call may still do.
    private var failure: TexelError?
    private var clock = FrameTicks(ticksPerSecond: AVIFAnimationEncoder.ticksPerSecond)

    /// The steps of time: thousandths of a second, and all common frame rates, are whole numbers of them.
    static let ticksPerSecond = 90_000

    init(
        _ options: AVIFOptions, _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) {
        try AVIFEncoder.check(options, properties.size)
        try LoadedLibrary.avif.require()
        (self.options, self.properties, self.context) = (options, properties, context)
        rows = BlockRows(parallelism: context.parallelism, stop: context.stop)
    }

    func append(_ frame: consuming PixelBuffer, delay: FrameDelay) throws(TexelError) {
        let pixels = try AVIFColorChoice.prepared(frame)
        guard pixels.size == properties.size else {
            throw .cannotEncode("a frame of \(pixels.size) pixels in an animation of \(properties.size)")
        }
        let library = try encoder(first: pixels)
        try library.fill(pixels, rows)
        // Durations have 32 bits.
        let ticks = min(max(1, clock.ticks(for: delay)), Int(UInt32.max) - 1)
        try run { () throws(TexelError) in try library.add(ticks: ticks) }
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TexelError) -> Value
    ) throws(TexelError) -> Value {
        do throws(TexelError) {
            return try UninterruptibleCall.run(stop: context.stop, body)
        } catch {
            (failure, library) = (error, nil)
            throw error
        }
    }

    private func encoder(first: PixelBuffer) throws(TexelError) -> AVIFLibraryEncoder {
        if let failure { throw failure }
        if let library { return library }
        let created = try AVIFLibraryEncoder(
            options, context, first: first, animation: (Self.ticksPerSecond, properties.hasAlpha), rows)
        library = created
        return created
    }

    func finish() throws(TexelError) -> [UInt8] {
        if let failure { throw failure }
        try context.stop?.check()
        guard let library else { throw .cannotEncode("an animation without frames") }
        let bytes = try run { () throws(TexelError) in try library.finish() }
        let file = try ISOMediaFile(
            InputBytes(bytes), format: .avif, brands: AVIFFile.brands, limits: Self.limits, stop: nil)
        return try ISOTiming(file).corrected(playCount: properties.playCount)
    }

    /// For a file that libavif has just made.
    private static var limits: Limits {
        var limits = Limits()
        (limits.frames, limits.chunks) = (.max, .max)
        return limits
    }
}
