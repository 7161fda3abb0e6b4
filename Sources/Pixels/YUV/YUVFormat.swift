public import TexelCore

/// The memory layout of a YUV image: consecutive planes without padding.
public struct YUVFormat: Sendable, Hashable {
    /// The resolution of chroma relative to luma.
    public var sampling: ChromaSampling
    /// Whether U and V samples alternate in one plane, U first, as in NV12.
    public var isInterleaved: Bool
    /// The bits per sample: 8, or 10 in little-endian 16-bit words.
    public var bitDepth: Int
    /// Whether the last plane is straight alpha: of the image's size and the same bit depth, in the full range.
    public var hasAlpha: Bool

    /// Creates a format with separate planes, 8 bits and no alpha by default.
    public init(_ sampling: ChromaSampling, isInterleaved: Bool = false, bitDepth: Int = 8, hasAlpha: Bool = false) {
        self.sampling = sampling
        self.isInterleaved = isInterleaved
        self.bitDepth = bitDepth
        self.hasAlpha = hasAlpha
    }

    /// 4:2:0 with separate planes of U and V.
    public static let i420 = YUVFormat(.yuv420)
    /// 4:2:0 with one plane of alternating U and V.
    public static let nv12 = YUVFormat(.yuv420, isInterleaved: true)

    /// The bytes of a sample: 1, or 2 for more than 8 bits.
    public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

    /// The number of planes, 1…4.
    public var planeCount: Int { colorPlaneCount + (hasAlpha ? 1 : 0) }

    /// The number of planes of luma and chroma: 1, 2 or 3.
    var colorPlaneCount: Int { sampling == .none ? 1 : isInterleaved ? 2 : 3 }

    /// The index of the plane of alpha; `nil` without alpha.
    package var alphaPlane: Int? { hasAlpha ? colorPlaneCount : nil }

    /// Returns the samples per row and the rows of a plane. If a side is odd, the size of chroma planes is rounded up.
    public func planeSize(_ plane: Int, of size: PixelSize) -> PixelSize {
        guard plane > 0, plane < colorPlaneCount else { return size }
        let chroma = sampling.chromaSize(of: size)
        return PixelSize(width: isInterleaved ? 2 * chroma.width : chroma.width, height: chroma.height)
    }

    /// Returns the bytes of a plane's row.
    public func bytesPerRow(_ plane: Int, of size: PixelSize) -> Int {
        planeSize(plane, of: size).width * bytesPerSample
    }

    /// Returns the offset of a plane in bytes. The size must be one that ``byteCount(of:)`` accepts.
    public func planeOffset(_ plane: Int, of size: PixelSize) -> Int {
        (0..<plane).reduce(0) { $0 + bytesPerRow($1, of: size) * planeSize($1, of: size).height }
    }

    /// Returns the number of bytes of all planes.
    ///
    /// - Throws: `invalidSize` if a side is not positive or the number overflows.
    public func byteCount(of size: PixelSize) throws(TexelError) -> Int {
        // No format has more than eight bytes per pixel.
        guard size.isPositive, let pixels = size.pixelCount, pixels < Int.max / 16, size.width < Int.max / 16,
            size.height < Int.max / 16
        else { throw .invalidSize(size) }
        return planeOffset(planeCount, of: size)
    }
}

/// The number of pixels that share a chroma sample.
public enum ChromaSampling: String, Sendable, Hashable, CaseIterable {
    /// 2 × 2 pixels.
    case yuv420 = "420"
    /// Two pixels of a row.
    case yuv422 = "422"
    /// One pixel.
    case yuv444 = "444"
    /// No chroma.
    case none = "mono"

    /// Returns the samples per row and the rows of U and of V, rounded up. For `none` this is the size itself.
    public func chromaSize(of size: PixelSize) -> PixelSize {
        PixelSize(
            width: self == .yuv420 || self == .yuv422 ? (size.width + 1) / 2 : size.width,
            height: self == .yuv420 ? (size.height + 1) / 2 : size.height)
    }
}
