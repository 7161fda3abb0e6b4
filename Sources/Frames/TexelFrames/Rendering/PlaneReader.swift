import TexelCore
import TexelPixels

/// Provides rows of planes of uncompressed samples: pointers into memory, or rows of a file or of a deinterlaced field,
/// written into a band that stays in the cache.
///
/// Compared with reading whole frames this saves one pass through memory, a third of the time for 4K images.
final class PlaneReader {
    private let planes: [SampleLayout.Plane]
    /// The number of rows of the first plane per band.
    let bandHeight: Int
    private let layout: SampleLayout
    private let bandBytes: Int
    /// The rows of a band that may be requested beyond `bandHeight`.
    private let extraRows: Int
    private var bands: [LargeMemory] = []
    private var interpolator: FieldInterpolator?

    /// A band of this many bytes of the first plane, and the pixels made from it, fit a second-level cache.
    static let cachedBandBytes = 192 << 10
    /// For a band whose pixels are not read again: larger reads cost less, and fewer chroma rows belong to two bands.
    static let largeBandBytes = 576 << 10
    /// The rows of a plane that a filter reads beyond a band.
    static let extraRows = 8

    init(
        _ layout: SampleLayout, bandBytes: Int = cachedBandBytes, extraRows: Int = extraRows
    ) throws(TexelError) {
        // Throws for sizes that would overflow below.
        _ = try layout.byteCount
        planes = layout.planes
        self.layout = layout
        self.bandBytes = bandBytes
        self.extraRows = extraRows
        bandHeight = min(max(16, bandBytes / planes[0].bytesPerRow / 16 * 16), 256)
    }

    /// Returns some rows of a plane. Valid until the next call for the same plane.
    ///
    /// - Parameter rows: At most a band and `extraRows`.
    func rows(_ rows: Range<Int>, ofPlane index: Int, of samples: SampleOrigin, frame: Int) throws(TexelError)
        -> PlaneRows
    {
        let plane = planes[index]
        precondition(rows.lowerBound >= 0 && rows.upperBound <= plane.rowCount, "the rows are outside of the plane")
        let begin = plane.offset + rows.lowerBound * plane.bytesPerRow
        switch samples {
        case .memory(let base): return PlaneRows(base: base + begin, bytesPerRow: plane.bytesPerRow)
        case .planes(let decoded):
            var found = decoded.planes[index]
            found.base += rows.lowerBound * found.bytesPerRow
            return found
        case .file(let file, let offset):
            let byteCount = rows.count * plane.bytesPerRow
            let band = try band(index)
            precondition(byteCount <= band.byteCount, "more rows than a band holds")
            try file.read(
                into: UnsafeMutableRawBufferPointer(start: band.base, count: byteCount), at: offset + begin,
                frame: frame)
            return PlaneRows(base: UnsafeRawPointer(band.base), bytesPerRow: plane.bytesPerRow)
        case .field(let field):
            let band = try band(index)
            precondition(rows.count * plane.bytesPerRow <= band.byteCount, "more rows than a band holds")
            try fieldInterpolator().write(rows, ofPlane: index, plane, of: field, frame: frame, to: band.base)
            return PlaneRows(base: UnsafeRawPointer(band.base), bytesPerRow: plane.bytesPerRow)
        }
    }

    /// Made on first use.
    private func fieldInterpolator() throws(TexelError) -> FieldInterpolator {
        if let interpolator { return interpolator }
        let made = try FieldInterpolator(layout, bandBytes: bandBytes)
        interpolator = made
        return made
    }

    /// Allocated on first use; samples in memory need no bands.
    private func band(_ index: Int) throws(TexelError) -> LargeMemory {
        while bands.count < planes.count {
            let byteCount = (bandHeight + extraRows) * planes[bands.count].bytesPerRow
            bands.append(
                try LargeMemory.orThrow(byteCount: byteCount))
        }
        return bands[index]
    }
}
