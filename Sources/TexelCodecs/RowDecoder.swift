package import TexelPixels

/// A decoder that hands out BGRA32 rows from top to bottom, so that a picture need never be in memory as a whole.
///
/// A failure ends the decoder; what it said so far stays readable.
package protocol RowDecoder: AnyObject {
    /// The size of the picture handed out, after shrinking.
    var size: PixelSize { get }
    var alphaMode: AlphaMode { get }
    var colorSpace: ColorSpace { get }

    /// Reads the next `count` rows into memory of at least `count * bytesPerRow` bytes.
    ///
    /// - Throws: `truncated` under a strictness that does not accept missing rows, and anything a file can have.
    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(CodecError)

    /// After the last row: what stands behind the pixels, and the first of the warnings that passed.
    func finish() throws(CodecError) -> DecoderNotes
}

/// What a decoder let pass.
package struct DecoderNotes: Sendable {
    package var metadata: ImageMetadata
    package var warnings: [String]
}

extension RowDecoder {
    /// The whole picture.
    package func readPicture() throws(CodecError) -> PixelBuffer {
        var picture: PixelBuffer
        do {
            picture = try PixelBuffer(uninitialized: size, alphaMode: alphaMode, colorSpace: colorSpace)
        } catch {
            throw .pixels(error)
        }
        let (height, bytesPerRow) = (picture.height, picture.bytesPerRow)
        try picture.withUnsafeMutableBytes { bytes throws(CodecError) in
            guard let base = bytes.baseAddress else { return }
            for y in stride(from: 0, to: height, by: Self.bandHeight) {
                let count = min(Self.bandHeight, height - y)
                try readRows(count, into: base + y * bytesPerRow, bytesPerRow: bytesPerRow)
            }
        }
        return picture
    }

    /// Reads all rows in bands that are forgotten afterwards.
    ///
    /// - Parameter body: gets each row, `size.width` pixels, and its number.
    package func forEachRow(_ body: (_ y: Int, _ row: UnsafeRawPointer) -> Void) throws(CodecError) {
        let bytesPerRow = size.width * PixelBuffer.bytesPerPixel
        let band = UnsafeMutableRawPointer.allocate(byteCount: bytesPerRow * Self.bandHeight, alignment: 64)
        defer { band.deallocate() }
        for y in stride(from: 0, to: size.height, by: Self.bandHeight) {
            let count = min(Self.bandHeight, size.height - y)
            try readRows(count, into: band, bytesPerRow: bytesPerRow)
            for row in 0..<count { body(y + row, band + row * bytesPerRow) }
        }
    }

    /// Rows between two questions whether to stop: two rows of the largest JPEG blocks.
    package static var bandHeight: Int { 32 }
}
