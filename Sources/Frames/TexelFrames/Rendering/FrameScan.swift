import TexelCodecs
import TexelPixels

/// How the rows of stored samples become those of the image.
enum FrameScan: Hashable {
    /// Rows are used as they are.
    case progressive
    /// The rows of two fields alternate; chroma rows belong to one field each.
    case interlaced
    /// The rows of one field are used, the others interpolated.
    case deinterlaced

    /// The scan of a frame. Fields matter only if rows share chroma samples and each field has chroma rows.
    ///
    /// - Parameters:
    ///   - image: The samples of the frame.
    ///   - fields: The order of the frame's fields; `nil` if it is progressive.
    init(_ image: SampleImage, _ fields: FieldOrder?) {
        if case .field = image.origin {
            self = .deinterlaced
            return
        }
        let layout = image.layout
        guard fields != nil, case .yuv(let format, _) = layout.format, format.sampling.pixelsPerSample.y > 1,
            format.planeSize(1, of: layout.size).height > 1
        else {
            self = .progressive
            return
        }
        self = .interlaced
    }
}
