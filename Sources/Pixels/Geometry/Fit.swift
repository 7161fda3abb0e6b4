/// How an image is fitted into a box with another aspect ratio, named as in CSS's `object-fit` and in sharp.
public enum Fit: String, Sendable, Hashable, Codable, CaseIterable {
    /// The largest size at which neither side exceeds the box. Keeps the aspect ratio.
    case inside
    /// The smallest size at which both sides are at least the box's. Keeps the aspect ratio.
    case outside
    /// Fills the box exactly. Excess on one axis is cropped: evenly at both ends, unless an anchor says which
    /// part is kept. An image that is smaller than the box, and must not be enlarged, is only cropped, to the largest
    /// size of the box's aspect ratio.
    case cover
    /// `inside`, then padded with the background to exactly the box, with the image in the centre.
    case contain
    /// Both sides exactly as requested. Does not keep the aspect ratio.
    case fill
}
