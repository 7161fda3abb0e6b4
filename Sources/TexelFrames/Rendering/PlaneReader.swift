import TexelPixels

/// Provides rows of planes of uncompressed samples: pointers into memory, or rows of a file, read into a band that
/// stays in the cache.
///
/// Compared with reading whole frames this saves one pass through memory, a third of the time for 4K images.
final class PlaneReader {
    /// The position of a plane in a frame, in bytes.
    struct Plane {
        var offset: Int
        var bytesPerRow: Int
        var rowCount: Int
    }

    let planes: [Plane]
    /// The number of rows of the first plane per band.
    let bandHeight: Int
    private var bands: [LargeMemory] = []

    /// A band of this many bytes, and the pixels made from it, fit a second-level cache.
    private static let bandBytes = 192 << 10
    /// The rows of a plane that a filter reads beyond a band.
    private static let extraRows = 8

    init(_ layout: SampleLayout) throws(PixelBufferError) {
        // Throws for sizes that would overflow below.
        _ = try layout.byteCount
        planes =
            switch layout.format {
            case .yuv(let format, _):
                (0..<format.planeCount).map { plane in
                    Plane(
                        offset: format.planeOffset(plane, of: layout.size),
                        bytesPerRow: format.bytesPerRow(plane, of: layout.size),
                        rowCount: format.planeSize(plane, of: layout.size).height)
                }
            case .bgra, .rgba:
                [
                    Plane(
                        offset: 0, bytesPerRow: layout.size.width * PixelBuffer.bytesPerPixel,
                        rowCount: layout.size.height)
                ]
            }
        bandHeight = min(max(16, Self.bandBytes / planes[0].bytesPerRow / 16 * 16), 256)
    }

    /// Returns a pointer to the first of some rows of a plane; the others follow at the plane's stride. Valid until the
    /// next call for the same plane.
    ///
    /// - Parameter rows: At most a band and `extraRows`.
    func rows(_ rows: Range<Int>, ofPlane index: Int, of samples: SampleOrigin, frame: Int) throws(FrameError)
        -> UnsafeRawPointer
    {
        let plane = planes[index]
        precondition(rows.lowerBound >= 0 && rows.upperBound <= plane.rowCount, "the rows are outside of the plane")
        let begin = plane.offset + rows.lowerBound * plane.bytesPerRow
        switch samples {
        case .memory(let base): return base + begin
        case .file(let file, let offset):
            let byteCount = rows.count * plane.bytesPerRow
            let band = try band(index)
            precondition(byteCount <= band.byteCount, "more rows than a band holds")
            try file.read(
                into: UnsafeMutableRawBufferPointer(start: band.base, count: byteCount), at: offset + begin,
                frame: frame)
            return UnsafeRawPointer(band.base)
        }
    }

    /// Allocated on first use; samples in memory need no bands.
    private func band(_ index: Int) throws(FrameError) -> LargeMemory {
        while bands.count < planes.count {
            let byteCount = (bandHeight + Self.extraRows) * planes[bands.count].bytesPerRow
            bands.append(
                try FrameError.wrapping { () throws(PixelBufferError) in
                    try LargeMemory.orThrow(byteCount: byteCount)
                })
        }
        return bands[index]
    }
}
