public import TexelPixels

/// The matrix and range requested for YUV samples; `nil` leaves the choice to the size.
public struct YUVColorChoice: Sendable, Hashable {
    /// The matrix; `nil` if not requested.
    public var matrix: YUVMatrix?
    /// The range; `nil` if not requested.
    public var range: YUVRange?

    /// Creates a choice.
    public init(matrix: YUVMatrix? = nil, range: YUVRange? = nil) {
        self.matrix = matrix
        self.range = range
    }

    /// The matrix and range of samples that do not say which they have, as players assume them: by default BT.709 from
    /// a width of 1280 or a height above 576 on, else BT.601, and the limited range.
    ///
    /// - Parameter size: The size of the samples in pixels: that of the input for samples that are read, that of the
    ///   output for samples that are written.
    public func color(of size: PixelSize) -> YUVColor {
        YUVColor(matrix ?? .untagged(size), range ?? .limited)
    }
}
