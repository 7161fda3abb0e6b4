import TexelCodecs
package import TexelCore
public import TexelMetrics
public import TexelPixels

/// Measures of how similar two images of the same size are.
public struct ImageComparison: Sendable {
    /// The size of both images.
    public let size: PixelSize
    /// Peak signal-to-noise ratio; see `PixelBuffer.psnr(against:)`.
    public let psnr: Double
    /// See `PixelBuffer.structuralSimilarity(to:)`.
    public let structuralSimilarity: Double
    /// See `PixelBuffer.haarPSI(against:)`.
    public let haarPSI: Double
    /// See `SSIMULACRA2Reference`.
    public let ssimulacra2: Double
    /// See `ButteraugliReference`.
    public let butteraugli: ButteraugliDistance

    /// Compares an image with its original.
    ///
    /// - Parameters:
    ///   - threads: how many threads may share the work.
    ///   - stop: checked every few milliseconds.
    /// - Throws: `sizesDiffer` and other pixel buffer errors; `stopped`.
    package init(
        of candidate: PixelBuffer, with original: PixelBuffer, threads: Int, stop: StopToken
    ) throws(TexelError) {
        let isStopped: @Sendable () -> Bool = { stop.reason != nil }
        let score = try SSIMULACRA2Reference(original).score(of: candidate, threads: threads, isStopped: isStopped)
        let distance = try ButteraugliReference(original).distance(
            of: candidate, threads: threads, isStopped: isStopped)
        guard let score, let distance else {
            throw .stopped(stop.reason ?? .cancelled)
        }
        size = original.size
        (ssimulacra2, butteraugli) = (score, distance)
        (psnr, structuralSimilarity, haarPSI) = (
            try candidate.psnr(against: original), try candidate.structuralSimilarity(to: original),
            try candidate.haarPSI(against: original)
        )
    }
}
