package import TexelCore
package import TexelPixels

/// Decodes one frame of an animation as displayed, composed over the frames before it.
package final class AnimationFrameDecoder: RowDecoder {
    package let size: PixelSize
    package let alphaMode: AlphaMode
    package let colorSpace: ColorSpace
    private let canvas: AnimationCanvas
    private let metadata: ImageMetadata
    private var rowsRead = 0

    /// Draws all frames up to the requested one.
    ///
    /// - Parameters:
    ///   - index: the frame, counted from 0.
    ///   - colorSpace: the colour space of the file.
    ///   - metadata: the metadata of the file.
    /// - Throws: `missingFrame`; any error in these frames.
    package init(
        _ animation: any ImageAnimation, frame index: Int, colorSpace: ColorSpace, metadata: ImageMetadata,
        options: DecodeOptions
    ) throws(TexelError) {
        guard animation.frames.indices.contains(index) else {
            throw animation.fault ?? .missingFrame(index, count: animation.frames.count)
        }
        (size, self.colorSpace) = (animation.canvas, colorSpace)
        self.metadata = metadata
        canvas = try AnimationCanvas(animation)
        for frame in 0...index {
            try options.stop?.check()
            try canvas.draw(frame, options)
        }
        alphaMode = canvas.isOpaque ? .opaque : .straight
    }

    package func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        canvas.copy(rowsRead..<(rowsRead + count), into: rows, bytesPerRow: bytesPerRow)
        rowsRead += count
    }

    package func finish() throws(TexelError) -> DecoderResult {
        var notes = canvas.notes
        notes.metadata = metadata
        return notes
    }
}
