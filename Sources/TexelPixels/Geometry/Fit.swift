/// How a picture takes its place in a box of another aspect: the words of CSS's `object-fit` and of sharp.
public enum Fit: String, Sendable, Hashable, Codable, CaseIterable {
    /// As large as the box allows; neither side ever exceeds it. Keeps the aspect.
    case inside
    /// As small as possible while both sides reach the box; one may exceed it. Keeps the aspect.
    case outside
    /// Fills the box exactly; what is too much on one axis is cut off evenly on both ends.
    case cover
    /// `inside`, then padded with the background to exactly the box, the picture in its middle.
    case contain
    /// Both sides exactly as asked; the aspect gives way.
    case fill
}
