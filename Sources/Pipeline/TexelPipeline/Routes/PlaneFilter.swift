import TexelCodecs
import TexelCore
import TexelOperations
import TexelPixels

/// Filters one plane of an image.
///
/// Planes have the sampling of their file. The load's rectangles in pixels of the stored image are converted to
/// samples of the plane; the result has the sampling of the output.
final class PlaneFilter {
    /// The rows of the result.
    let result: PlaneWindow
    private let resampler: RowResampler
    /// The part of the plane that the filter may read.
    private let bounds: PixelRectangle
    private var rowsSeen = 0

    /// - Parameters:
    ///   - factors: how much coarser the result is than the image, along the displayed axes.
    ///   - capacity: the number of rows of the result that there is memory for at first; `nil` for all of them.
    init(
        _ layout: PlaneLayout, _ load: PixelLoad, _ moves: Orientation, factors: (horizontal: Int, vertical: Int),
        capacity: Int? = nil
    ) throws(TexelError) {
        // Along the stored axes.
        let (across, down) = moves.transposes ? (factors.vertical, factors.horizontal) : factors
        let (mirrorsX, mirrorsY) =
            moves.transposes ? (moves.mirrorsY, moves.mirrorsX) : (moves.mirrorsX, moves.mirrorsY)
        let image: PixelRectangle
        let sampled: FractionalRectangle
        let target: PixelSize
        switch load {
        case .decode(let rectangle):
            image = rectangle
            sampled = FractionalRectangle(covering: rectangle.size)
            target = rectangle.size
        case .resample(let resampling):
            image = resampling.bounds
            sampled = resampling.sampled
            target = resampling.target
        }
        let bounds = Self.bounds(of: image, in: layout)
        let x = SampledAxis(
            start: sampled.x, length: sampled.width, target: target.width, factor: across, isMirrored: mirrorsX,
            density: layout.horizontalDensity)
        let y = SampledAxis(
            start: sampled.y, length: sampled.height, target: target.height, factor: down, isMirrored: mirrorsY,
            density: layout.verticalDensity)
        result = try PlaneWindow(
            PixelSize(width: x.target, height: y.target), capacity: capacity ?? y.target)
        resampler = try RowResampler(
            plane: bounds.size,
            region: FractionalRectangle(x: x.start, y: y.start, width: x.length, height: y.length),
            target: result.size, filter: load.filter(averages: 2 * x.target <= layout.size.width + 1))
        self.bounds = bounds
    }

    /// The samples inside a rectangle of the image; the planner ensures that its edges are edges of samples.
    private static func bounds(of image: PixelRectangle, in layout: PlaneLayout) -> PixelRectangle {
        let left = Int(Double(image.x) * layout.horizontalDensity)
        let top = Int(Double(image.y) * layout.verticalDensity)
        let right = (Double(image.x + image.width) * layout.horizontalDensity).rounded(.up)
        let bottom = (Double(image.y + image.height) * layout.verticalDensity).rounded(.up)
        return PixelRectangle(
            x: left, y: top, width: min(Int(right), layout.size.width) - left,
            height: min(Int(bottom), layout.size.height) - top)
    }

    /// Filters the next rows of the plane.
    ///
    /// - Throws: `outOfMemory`.
    func push(_ plane: Plane, rows: Int) throws(TexelError) {
        try plane.withUnsafeSamples { samples throws(TexelError) in
            for row in 0..<min(rows, plane.height) {
                defer { rowsSeen += 1 }
                guard rowsSeen >= bounds.y, rowsSeen < bounds.y + bounds.height else { continue }
                resampler.push(row: samples + (row * plane.bytesPerRow + bounds.x))
                while try result.appendRow({ resampler.takeRow(into: $0) }) {}
            }
        }
    }
}

/// One axis of the sampled region, in samples of a plane.
private struct SampledAxis {
    var start: Double
    var length: Double
    var target: Int

    /// - Parameters:
    /// - factor: pixels of the result for each of its samples. If they do not divide `target`, the last sample is
    ///   partly outside the image: at the end of the axis, or at its beginning if the result is mirrored afterwards.
    /// - density: samples of the plane for each pixel of the stored image.
    init(start: Double, length: Double, target: Int, factor: Int, isMirrored: Bool, density: Double) {
        let count = (target + factor - 1) / factor
        let scale = length / Double(target)
        let outside = Double(count * factor - target) * scale
        self.start = (isMirrored ? start - outside : start) * density
        self.length = (length + outside) * density
        self.target = count
    }
}

extension PixelLoad {
    /// The filter for a plane: the recipe's or, if nothing is resized, the one that JPEG codecs use for chroma.
    ///
    /// - Parameter averages: whether several samples are averaged into one. If not, samples are interpolated or
    ///   shifted by a fraction of one.
    fileprivate func filter(averages: Bool) -> ResamplingFilter {
        switch self {
        case .decode: averages ? .box : .bilinear
        case .resample(let resampling): resampling.filter
        }
    }
}

/// The rows of a plane that are made and still needed; all of them, or few at a time.
final class PlaneWindow {
    /// The size of the whole plane.
    let size: PixelSize
    /// The rows that are in memory.
    private(set) var rows = 0..<0
    /// The memory, which begins with the first of ``rows``.
    private(set) var plane: Plane

    /// - Parameter capacity: the number of rows that there is memory for at first.
    init(_ size: PixelSize, capacity: Int) throws(TexelError) {
        self.size = size
        plane = try Plane(PixelSize(width: size.width, height: min(max(capacity, 1), size.height)))
    }

    /// Calls `body` with memory for the next row, which is as wide as the plane.
    ///
    /// - Returns: whether `body` has written the row.
    func appendRow(_ body: (UnsafeMutablePointer<UInt8>) -> Bool) throws(TexelError) -> Bool {
        if rows.count == plane.height {
            if rows.upperBound == size.height { return false }
            try grow()
        }
        let isWritten = plane.withUnsafeSamples { body($0 + rows.count * plane.bytesPerRow) }
        if isWritten { rows = rows.lowerBound..<(rows.upperBound + 1) }
        return isWritten
    }

    private func grow() throws(TexelError) {
        let height = min(2 * plane.height, size.height - rows.lowerBound)
        let larger = try Plane(PixelSize(width: size.width, height: height))
        plane.withUnsafeSamples { old in
            larger.withUnsafeSamples { $0.update(from: old, count: rows.count * plane.bytesPerRow) }
        }
        plane = larger
    }

    /// Forgets the rows before a row, which is in memory or follows the last.
    func release(before row: Int) {
        precondition(row >= rows.lowerBound && row <= rows.upperBound, "row \(row) is not in the window")
        let offset = (row - rows.lowerBound) * plane.bytesPerRow
        let count = (rows.upperBound - row) * plane.bytesPerRow
        // Both parts are inside the rows that are in memory.
        plane.withUnsafeSamples { $0.update(from: $0 + offset, count: count) }
        rows = row..<rows.upperBound
    }
}
