import Texel

/// What came out, and at which sample size.
struct Sampled<Output: Sendable>: Sendable {
    var output: Output
    var sampleSize: Int
    var retries: Int
}

extension Compression {
    /// Carries out the recipe; again with a larger sample size while memory does not suffice and retries are left.
    ///
    /// - Parameters:
    ///   - header: reads the picture's header; asked at most once, and only where a sample size matters.
    ///   - attempt: carries out a recipe.
    /// - Throws: what the last attempt threw.
    func run<Output: Sendable>(
        header: @Sendable () async throws(PipelineError) -> ImageInfo,
        attempt: @Sendable (Recipe) async throws(PipelineError) -> Output
    ) async throws(PipelineError) -> Sampled<Output> {
        var sampleSize = inSampleSize.roundedDownToPowerOfTwo
        var size: PixelSize?
        if sampleSize > 1 { size = scaledSize(of: try await header()) }
        var retries = 0
        while true {
            let failure: PipelineError
            do throws(PipelineError) {
                let output = try await attempt(recipe(sampleSize: sampleSize, of: size))
                return Sampled(output: output, sampleSize: sampleSize, retries: retries)
            } catch {
                failure = error
            }
            guard failure.isShortage, retries < numberOfRetries else { throw failure }
            let known = if let size { size } else { scaledSize(of: try await header()) }
            guard let next = self.sampleSize(after: sampleSize, of: known) else { throw failure }
            (sampleSize, size) = (next, known)
            retries += 1
        }
    }
}

extension PipelineError {
    /// Whether a smaller result might do: memory was refused, or a limit on sizes or memory was exceeded.
    var isShortage: Bool {
        switch self {
        case .codec(.outOfMemory), .codec(.pixels(.outOfMemory)), .pixels(.outOfMemory), .pixels(.resultTooLarge): true
        case .codec(.limitExceeded(let kind, _, _)): [.pixels, .side, .codecBytes].contains(kind)
        default: false
        }
    }
}

extension Int {
    /// As Android's BitmapFactory reads `inSampleSize`: all below 1 is 1.
    var roundedDownToPowerOfTwo: Int {
        self < 1 ? 1 : 1 << (Int.bitWidth - 1 - leadingZeroBitCount)
    }
}
