import TexelPixels

/// Blurs an image row by row. Used by one thread at a time; blurring allocates nothing.
protocol RowBlur: AnyObject {
    /// Forgets what was kept of an image, before another one is blurred.
    func restart()

    /// Writes a row of the blurred image, as many pixels as the source is wide: with straight alpha after a blur of
    /// light, premultiplied after a blur of stored values.
    ///
    /// Consecutive rows share work. Only ``GaussianBlur/sourceRows(for:of:)`` of the source are read.
    func blur(row y: Int, of source: Raster, into destination: UnsafeMutablePointer<UInt8>)
}
