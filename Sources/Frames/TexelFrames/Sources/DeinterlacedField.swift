import TexelCore
import TexelPixels

/// Samples of a frame that several frames are made from.
///
/// Unchecked because of the pointer: nothing writes to the samples.
final class HeldSamples: @unchecked Sendable {
    let image: SampleImage
    /// Keeps the samples valid.
    private let content: FrameContent

    /// Takes over the content of a frame; `nil` if it has no samples.
    init?(_ content: consuming FrameContent) throws(TexelError) {
        switch content {
        case .samples(let samples): image = try samples.image
        case .fileSamples(let file, let offset, let layout):
            image = SampleImage(layout: layout, origin: .file(file, offset: offset))
        case .planes(let planes): image = planes.image
        default: return nil
        }
        self.content = content
    }
}

/// One field of an interlaced frame, and the samples around it that its missing rows are interpolated from.
final class DeinterlacedField: Sendable {
    /// The first row of the field: 0 for the top one, 1 for the bottom one.
    let firstRow: Int
    /// Whether the field is the second of its frame, so that the fields before and after it are those of this frame and
    /// of the next one.
    let isSecond: Bool
    /// The frame before, the frame itself and the frame after, all in one layout. The frame itself stands in for others
    /// that are missing.
    let before: HeldSamples
    let frame: HeldSamples
    let after: HeldSamples

    init(
        firstRow: Int, isSecond: Bool, before: HeldSamples, frame: HeldSamples, after: HeldSamples
    ) {
        (self.firstRow, self.isSecond) = (firstRow, isSecond)
        (self.before, self.frame, self.after) = (before, frame, after)
    }

    /// The image of the field, in all rows.
    var image: SampleImage {
        SampleImage(layout: frame.image.layout, orientation: frame.image.orientation, origin: .field(self))
    }
}
