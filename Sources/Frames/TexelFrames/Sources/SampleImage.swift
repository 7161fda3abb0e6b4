import TexelCore
import TexelPixels

/// The samples of a frame: where they are, and what they mean. Does not own them.
struct SampleImage {
    let layout: SampleLayout
    /// How the stored image is displayed.
    var orientation = Orientation.identity
    let origin: SampleOrigin
}

/// Where the samples of a frame are.
enum SampleOrigin {
    /// In memory that stays valid while the frame is rendered.
    case memory(UnsafeRawPointer)
    /// In planes of a decoder.
    case planes(DecodedPlanes)
    /// In a file, from `offset` on.
    case file(SampleFile, offset: Int)
    /// In several frames: one field of an interlaced frame.
    case field(DeinterlacedField)
}

extension LeasedSamples {
    /// The samples; valid as long as the lease.
    var image: SampleImage {
        get throws(TexelError) {
            let layout = layout
            let needed = try layout.byteCount
            precondition(lease.byteCount >= needed, "the buffer does not hold \(needed) bytes")
            guard let base = lease.withUnsafeBytes({ $0.baseAddress }) else {
                throw .outOfMemory(byteCount: lease.byteCount)
            }
            return SampleImage(layout: layout, origin: .memory(base))
        }
    }
}

extension DecodedPlanes {
    var image: SampleImage { SampleImage(layout: layout, orientation: orientation, origin: .planes(self)) }
}
