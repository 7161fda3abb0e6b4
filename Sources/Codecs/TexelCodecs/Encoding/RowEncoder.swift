package import TexelCore
package import TexelPixels

/// Options of a format whose encoder can take rows as they are made, so that the image is never in memory as a whole.
package protocol RowOptions: FormatOptions {
    /// Whether images of this kind can be encoded row by row. The file is the same as that of the image in memory.
    func acceptsRows(_ shape: RasterShape, _ colorSpace: ColorSpace) -> Bool

    /// Returns the memory that encoding rows takes, in bytes.
    func workingBytes(rowsOf size: PixelSize) -> Int

    /// Returns an encoder of rows. Not unless ``acceptsRows(_:_:)``.
    func rowEncoder(
        _ shape: RasterShape, _ colorSpace: ColorSpace, _ context: EncodingContext
    ) throws(TexelError) -> any RowEncoder
}

/// Encodes one image from its rows.
package protocol RowEncoder: AnyObject {
    /// The number of rows to give at a time.
    var bandHeight: Int { get }

    /// Takes the next rows: ``bandHeight``, or fewer at the end of the image.
    ///
    /// - Parameter parallelism: the maximum number of threads now, including the calling one.
    func take(_ rows: consuming PixelBuffer, parallelism: Int) throws(TexelError)

    /// Ends the file after the last row.
    ///
    /// - Parameter parallelism: the maximum number of threads, including the calling one.
    /// - Returns: `nil` if all rows must be given again, because only now the encoder knows how to store them.
    func finish(parallelism: Int) throws(TexelError) -> EncodedBytes?
}
