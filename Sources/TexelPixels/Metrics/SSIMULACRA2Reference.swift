/// The picture that others are compared with by SSIMULACRA2 (version 2.1, Sneyers 2023), the measure of what people see
/// of a loss.
///
/// 100 is what cannot be told from the original, 90 visually lossless, 70 high quality, 50 medium, 30 low; very bad
/// pictures are negative. The pictures are compared at six scales in a colour space near to the eye's: by structure, by
/// edges that are new (ringing, blocks) and by edges that are lost (blur).
///
/// The scores are those of the reference implementation within 0.1, and the same on every processor and for every
/// number of threads. A reference may serve several threads at once.
///
/// - Colours are compared as sRGB; other profiles are converted.
/// - Where both pictures have transparent pixels, they are laid on a dark grey (10 %) and on a light one (90 %), and the
///   worse score counts. Where only one has, the other was made from its colours alone, or on white or black: the best
///   score counts.
/// - A side below eight pixels, which the reference implementation refuses, is lengthened to eight by its last pixels.
public struct SSIMULACRA2Reference: Sendable {
    private let picture: ComparedPicture

    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    public init(_ picture: PixelBuffer) throws(PixelBufferError) { self.picture = try ComparedPicture(picture) }

    public var size: PixelSize { picture.size }

    /// How near `candidate` looks.
    ///
    /// - Parameter threads: how many threads may share the work; the score does not depend on it.
    /// - Throws: `sizesDiffer`; `unusableColorProfile`, `outOfMemory`.
    public func score(of candidate: PixelBuffer, threads: Int = 1) throws(PixelBufferError) -> Double {
        try score(of: candidate, threads: threads) { false } ?? 0
    }

    /// The same; `nil` when `isStopped` said so, which is asked every few milliseconds.
    package func score(
        of candidate: PixelBuffer, threads: Int, isStopped: @Sendable () -> Bool
    ) throws(PixelBufferError) -> Double? {
        let candidate = try ComparedPicture(candidate)
        guard candidate.size == picture.size else { throw .sizesDiffer(picture.size, candidate.size) }
        let backgrounds = picture.backgrounds(with: candidate)
        var result: Double?
        for background in backgrounds.values {
            let comparison = SSIMULACRA2Comparison(picture, candidate, background: background)
            guard let score = try comparison.score(threads: threads, isStopped: isStopped) else { return nil }
            result = backgrounds.bestCounts ? max(result ?? score, score) : min(result ?? score, score)
        }
        return result
    }
}

extension PixelBuffer {
    /// How near this picture looks to the one it was made from: see ``SSIMULACRA2Reference``, which is cheaper where
    /// several pictures are compared with one.
    ///
    /// - Parameter threads: how many threads may share the work; the score does not depend on it.
    /// - Throws: `sizesDiffer`; `unusableColorProfile`, `outOfMemory`.
    public func ssimulacra2(against original: PixelBuffer, threads: Int = 1) throws(PixelBufferError) -> Double {
        try SSIMULACRA2Reference(original).score(of: self, threads: threads)
    }
}
