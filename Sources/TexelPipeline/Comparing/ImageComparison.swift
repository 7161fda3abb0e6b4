package import TexelCodecs
public import TexelPixels

/// Measures of how similar two images of the same size are.
public struct ImageComparison: Sendable {
    /// The size of both images.
    public let size: PixelSize
    /// Peak signal-to-noise ratio; see `PixelBuffer.psnr(against:)`.
    public let psnr: Double
    /// See `PixelBuffer.structuralSimilarity(to:)`.
    public let structuralSimilarity: Double
    /// See `SSIMULACRA2Reference`.
    public let ssimulacra2: Double

    /// Compares an image with its original.
    ///
    /// - Parameters:
    ///   - threads: how many threads may share the work.
    ///   - stop: checked every few milliseconds.
    /// - Throws: `pixels(.sizesDiffer)` and other pixel buffer errors; `codec(.stopped)`.
    package init(
        of candidate: PixelBuffer, with original: PixelBuffer, threads: Int, stop: StopToken
    ) throws(PipelineError) {
        let results = try PipelineError.wrapping { () throws(PixelBufferError) in
            let reference = try SSIMULACRA2Reference(original)
            return (
                try reference.score(of: candidate, threads: threads) { stop.reason != nil },
                try candidate.psnr(against: original), try candidate.structuralSimilarity(to: original)
            )
        }
        guard let score = results.0 else { throw .codec(.stopped(stop.reason ?? .cancelled)) }
        size = original.size
        (ssimulacra2, psnr, structuralSimilarity) = (score, results.1, results.2)
    }
}
