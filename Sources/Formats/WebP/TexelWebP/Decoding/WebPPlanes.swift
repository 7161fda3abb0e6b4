import CCodecShims
import TexelCodecs
import TexelCore
import TexelPixels

/// Memory for the planes of an image with loss: luma, and chroma at half the resolution, rounded up.
struct WebPPlanes {
    let memory: LargeMemory
    let size: PixelSize
    var lumaBytesPerRow: Int { size.width }
    var chromaBytesPerRow: Int { (size.width + 1) / 2 }
    private var chromaHeight: Int { (size.height + 1) / 2 }

    /// - Parameter size: of a WebP, so that sides have at most 14 bits.
    /// - Throws: `outOfMemory`.
    init(_ size: PixelSize) throws(TexelError) {
        self.size = size
        let chroma = (size.width + 1) / 2 * ((size.height + 1) / 2)
        guard let memory = LargeMemory(byteCount: size.width * size.height + 2 * chroma) else { throw .outOfMemory }
        self.memory = memory
    }

    /// The beginnings of the planes.
    var starts: [UnsafeMutableRawPointer] {
        let chroma = memory.base + lumaBytesPerRow * size.height
        return [memory.base, chroma, chroma + chromaBytesPerRow * chromaHeight]
    }

    /// The planes as an image. WebP has the matrix of BT.601 and the limited range (RFC 9649, section 2.5).
    var image: texel_planar_image? {
        guard let colors = PlaneColors(CodedColors(matrix: 6), depth: 8) else { return nil }
        let starts = starts
        func chroma(_ index: Int) -> texel_plane {
            texel_plane(
                samples: UnsafeRawPointer(starts[index]), bytes_per_row: chromaBytesPerRow,
                width: Int32(chromaBytesPerRow), height: Int32(chromaHeight))
        }
        let luma = texel_plane(
            samples: UnsafeRawPointer(starts[0]), bytes_per_row: lumaBytesPerRow, width: Int32(size.width),
            height: Int32(size.height))
        return texel_planar_image(
            planes: (luma, chroma(1), chroma(2)), alpha: texel_plane(), is_deep: false, alpha_is_deep: false,
            alpha_depth: 8, chroma_shift_x: 1, chroma_shift_y: 1, colors: colors.factors)
    }
}
