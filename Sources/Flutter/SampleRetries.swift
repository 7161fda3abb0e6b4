import Texel

/// A result and the sample size that it was made with.
struct Sampled<Output: Sendable>: Sendable {
    var output: Output
    var sampleSize: Int
    var retries: Int
}

extension Compression {
    /// Runs a recipe; tries again with a larger sample size after an out-of-memory or limit error while retries are
    /// left.
    ///
    /// - Parameters:
    ///   - header: Reads the image's header; called at most once, and only if its size is needed.
    ///   - attempt: Runs a recipe.
    /// - Throws: The error of the last attempt.
    func run<Output: Sendable>(
        header: @Sendable () async throws(TexelError) -> ImageInfo,
        attempt: @Sendable (Recipe) async throws(TexelError) -> Output
    ) async throws(TexelError) -> Sampled<Output> {
        var sampleSize = inSampleSize.roundedDownToPowerOfTwo
        var size: PixelSize?
        if sampleSize > 1 { size = scaledSize(of: try await header()) }
        var retries = 0
        while true {
            let failure: TexelError
            do throws(TexelError) {
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

extension TexelError {
    /// Whether a smaller result might succeed: memory was short, or a limit on pixels, sides or memory was exceeded.
    var isShortage: Bool {
        switch kind {
        case .outOfMemory, .resultTooLarge: true
        case .limitExceeded(let limit): [.pixels, .side, .plannedBytes, .codecBytes].contains(limit)
        default: false
        }
    }
}

extension Int {
    /// Rounds `inSampleSize` like Android's BitmapFactory; values below 1 count as 1.
    var roundedDownToPowerOfTwo: Int {
        self < 1 ? 1 : 1 << (Int.bitWidth - 1 - leadingZeroBitCount)
    }
}
