/// How the samples of a YUV picture lie in memory: its planes, one after another, without padding.
public struct YUVFormat: Sendable, Hashable {
    public var sampling: ChromaSampling
    /// Whether both colour differences share a plane, U before V, as in NV12.
    public var isInterleaved: Bool
    /// 8; or 10, in little-endian words of 16 bits.
    public var bitDepth: Int

    public init(_ sampling: ChromaSampling, isInterleaved: Bool = false, bitDepth: Int = 8) {
        self.sampling = sampling
        self.isInterleaved = isInterleaved
        self.bitDepth = bitDepth
    }

    public static let i420 = YUVFormat(.yuv420)
    public static let nv12 = YUVFormat(.yuv420, isInterleaved: true)

    public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

    public var planeCount: Int { sampling == .none ? 1 : isInterleaved ? 2 : 3 }

    /// The samples of a plane across, and its rows. Planes of colour differences cover the last pixel of odd sides.
    public func planeSize(_ plane: Int, of size: PixelSize) -> PixelSize {
        guard plane > 0 else { return size }
        let chroma = sampling.chromaSize(of: size)
        return PixelSize(width: isInterleaved ? 2 * chroma.width : chroma.width, height: chroma.height)
    }

    /// The bytes of a plane's row.
    public func bytesPerRow(_ plane: Int, of size: PixelSize) -> Int {
        planeSize(plane, of: size).width * bytesPerSample
    }

    /// The bytes before the first sample of a plane. The size must be one that ``byteCount(of:)`` accepts.
    public func planeOffset(_ plane: Int, of size: PixelSize) -> Int {
        (0..<plane).reduce(0) { $0 + bytesPerRow($1, of: size) * planeSize($1, of: size).height }
    }

    /// The bytes of all planes.
    ///
    /// - Throws: `invalidSize` when a side is not positive or the bytes overflow.
    public func byteCount(of size: PixelSize) throws(PixelBufferError) -> Int {
        // No format has more than six bytes a pixel.
        guard size.isPositive, let pixels = size.pixelCount, pixels < Int.max / 16, size.width < Int.max / 16,
            size.height < Int.max / 16
        else { throw .invalidSize(size) }
        return planeOffset(planeCount, of: size)
    }
}

/// How many pixels share a sample of the colour differences.
public enum ChromaSampling: String, Sendable, Hashable, CaseIterable {
    /// Two by two.
    case yuv420 = "420"
    /// Two side by side.
    case yuv422 = "422"
    /// Each has its own.
    case yuv444 = "444"
    /// There is only luma.
    case none = "mono"

    /// The samples of a colour difference across and down; at least one each, also where there is none.
    public func chromaSize(of size: PixelSize) -> PixelSize {
        PixelSize(
            width: self == .yuv420 || self == .yuv422 ? (size.width + 1) / 2 : size.width,
            height: self == .yuv420 ? (size.height + 1) / 2 : size.height)
    }
}
