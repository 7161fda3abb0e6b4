package import TexelCore
package import TexelPixels

extension ImageHistogram {
    /// Whether the image is practically black, as frames before a video fades in: at least 98 % of the pixels have a
    /// luma below 32 of 255, or are fully transparent.
    ///
    /// These are the limits of FFmpeg's filter `blackframe`. They tolerate noise and small logos; the black bars of
    /// other aspect ratios count as black, so that a frame is not black if its other part has more than a few bright
    /// pixels.
    package var isPracticallyBlack: Bool {
        let darkCount = luma[..<Self.darkLuma].reduce(alpha[0], +)
        return darkCount * 100 >= pixelCount * Self.blackPercentage
    }

    private static let darkLuma = 32
    private static let blackPercentage = 98
}

extension PixelBuffer {
    /// Returns ``ImageHistogram/isPracticallyBlack`` of the image.
    ///
    /// - Parameter threads: the maximum number of threads, including the calling one.
    /// - Throws: `outOfMemory` if a premultiplied image cannot be converted.
    package func isPracticallyBlack(threads: Int = 1) throws(TexelError) -> Bool {
        try histogram(threads: threads).isPracticallyBlack
    }
}
