import CLibAVShim
import TexelCodecs
package import TexelCore
package import TexelPixels

/// A decoded frame.
///
/// Unchecked because of the pointers: nothing writes to the planes.
package final class VideoFrame: @unchecked Sendable {
    /// The size, format and colours of the samples.
    package let picture: VideoPicture
    private let found: [PlaneRows]
    private let owner: any AnyObject & Sendable

    /// - Parameters:
    ///   - planes: one for each plane of the frame's layout, of at least its size.
    ///   - owner: the object as long as which the planes are valid.
    package init(_ picture: VideoPicture, _ planes: [PlaneRows], owner: any AnyObject & Sendable) {
        (self.picture, found, self.owner) = (picture, planes, owner)
    }

    /// Takes over a frame of the decoder.
    convenience init(_ frame: OpaquePointer) {
        let found = texel_video_frame_picture(frame)
        let planes = [found.planes.0, found.planes.1, found.planes.2, found.planes.3]
        self.init(
            VideoPicture(found),
            planes.compactMap { plane in
                plane.samples.map { PlaneRows(base: $0, bytesPerRow: plane.bytes_per_row) }
            }, owner: DecoderFrame(frame))
    }

    /// The planes; valid as long as this object.
    ///
    /// - Throws: `invalid` for a frame without all its samples.
    package func rows() throws(TexelError) -> [PlaneRows] {
        let planes = try picture.layout(matrix: .bt709).planes
        guard found.count == planes.count, zip(found, planes).allSatisfy({ $0.bytesPerRow >= $1.bytesPerRow }) else {
            throw .invalidStream("a frame of the video is incomplete")
        }
        return found
    }

    /// Interprets the samples.
    ///
    /// - Parameters:
    ///   - matrix: The matrix to apply instead of the frame's own.
    ///   - range: The range to assume instead of the frame's own.
    /// - Throws: `unsupported` for a matrix that is no linear function, and for a turn by an angle that is not a
    ///   multiple of 90°; `invalid` for a frame without all its samples.
    package func planes(matrix: YUVMatrix? = nil, range: YUVRange? = nil) throws(TexelError) -> DecodedPlanes {
        guard let orientation = picture.orientation else {
            throw .unsupported("a video that is turned by an angle other than a multiple of 90°")
        }
        return DecodedPlanes(
            try picture.layout(matrix: matrix, range: range), orientation, try rows(), owner: self)
    }
}

/// A frame of the decoder, freed with its last reference.
///
/// Unchecked because of the pointer: nothing writes to its frame.
private final class DecoderFrame: @unchecked Sendable {
    private let frame: OpaquePointer

    init(_ frame: OpaquePointer) { self.frame = frame }

    deinit { texel_video_frame_free(frame) }
}
