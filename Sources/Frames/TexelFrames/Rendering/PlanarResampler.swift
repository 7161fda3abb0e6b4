import CPixelKernels
import TexelCore
import TexelOperations
import TexelPipeline
import TexelPixels

/// Resizes YUV planes before they are converted to pixels: fewer samples are filtered, and chroma is interpolated once,
/// to its final size, instead of twice.
///
/// Works in bands of result rows, so that filtered samples stay in the cache until they are converted.
final class PlanarResampler: SampleLoader {
    let size: PixelSize

    private let reader: PlaneReader
    private let scalers: [PlaneScaler]
    private let converter: YUVToBGRA

    private static let bandHeight = 16

    /// Prepares a resize; `nil` if pixels must be converted first: for linear light, `nearest`, interleaved chroma,
    /// chroma rows of two fields, alpha (colours are multiplied by alpha before they are filtered), and crops that cut
    /// through chroma samples.
    init?(_ layout: SampleLayout, _ scan: FrameScan, _ resampling: Resampling) throws(TexelError) {
        guard case .yuv(let format, let color) = layout.format, !format.isInterleaved, !format.hasAlpha,
            !resampling.usesLinearLight, resampling.filter != .nearest, scan != .interlaced
        else { return nil }
        size = resampling.target
        reader = try PlaneReader(layout)
        var scalers: [PlaneScaler] = []
        for plane in 0..<format.planeCount {
            let step = plane == 0 ? (x: 1, y: 1) : format.sampling.pixelsPerSample
            guard
                let part = PlanePart(
                    resampling, step: step, plane: format.planeSize(plane, of: layout.size), image: layout.size)
            else { return nil }
            scalers.append(
                try PlaneScaler(
                    plane, part, bytesPerSample: format.bytesPerSample, target: size, filter: resampling.filter,
                    bandHeight: Self.bandHeight))
        }
        self.scalers = scalers
        var resized = format
        if format.sampling != .none { resized.sampling = .yuv444 }
        converter = try YUVToBGRA(resized, color, size: resampling.target)
    }

    func run(
        _ samples: SampleOrigin, frame: Int, rows wanted: Range<Int>, into destination: Raster
    ) throws(TexelError) {
        for scaler in scalers { scaler.restart(rows: wanted) }
        for top in stride(from: wanted.lowerBound, to: wanted.upperBound, by: Self.bandHeight) {
            let rows = top..<min(top + Self.bandHeight, wanted.upperBound)
            let luma = try scalers[0].rows(rows, from: reader, samples, frame: frame)
            var source = YUVRows(y: luma.base, yBytesPerRow: luma.bytesPerRow, firstRow: top)
            if scalers.count > 1 {
                let u = try scalers[1].rows(rows, from: reader, samples, frame: frame)
                let v = try scalers[2].rows(rows, from: reader, samples, frame: frame)
                source.u = u.base
                source.v = v.base
                source.chromaBytesPerRow = u.bytesPerRow
                source.firstChromaRow = top
            }
            converter.convert(rows, from: source, to: destination.row(top), bytesPerRow: destination.bytesPerRow)
        }
    }
}

/// The part of a plane that contributes to the result.
struct PlanePart {
    /// The samples that the filter may read.
    var bounds: PixelRectangle
    /// The sampled region relative to `bounds`; it may extend half a sample beyond them.
    var sampled: FractionalRectangle

    /// Scales a region of the image to a plane; `nil` if its bounds cut through samples.
    ///
    /// - Parameter step: The number of pixels per sample, horizontally and vertically.
    fileprivate init?(_ resampling: Resampling, step: (x: Int, y: Int), plane: PixelSize, image: PixelSize) {
        let pixels = resampling.bounds
        func divided(_ start: Int, _ length: Int, by step: Int, of whole: Int, samples: Int) -> (Int, Int)? {
            let end = start + length
            guard start % step == 0, end % step == 0 || end == whole else { return nil }
            return (start / step, (end + step - 1) / step - start / step)
        }
        guard let across = divided(pixels.x, pixels.width, by: step.x, of: image.width, samples: plane.width),
            let down = divided(pixels.y, pixels.height, by: step.y, of: image.height, samples: plane.height)
        else { return nil }
        bounds = PixelRectangle(x: across.0, y: down.0, width: across.1, height: down.1)
        let (x, y) = (Double(step.x), Double(step.y))
        sampled = FractionalRectangle(
            x: resampling.sampled.x / x, y: resampling.sampled.y / y, width: resampling.sampled.width / x,
            height: resampling.sampled.height / y)
    }
}

/// Scales one plane to the result's size. Rows are requested in order, and only the rows they need are read.
private final class PlaneScaler {
    private let plane: Int
    private let bounds: PixelRectangle
    private let bytesPerSample: Int
    private let way: Way
    private let output: LargeMemory
    private let outputBytesPerRow: Int
    private let width: Int
    private let kernels = texel_kernels_in_use().pointee

    private enum Way {
        /// Samples are used unchanged: chroma of a 4:2:0 image that is halved.
        case identity
        /// Each sample is the mean of 2 × 2; (x, y) is the top left of the first.
        case halving(x: Int, y: Int)
        case resampling(RowResampler)
    }

    /// The rows of the current band, and where they are.
    private var bandRows = 0..<0
    private var band: PlaneRows?

    init(
        _ plane: Int, _ part: PlanePart, bytesPerSample: Int, target: PixelSize, filter: ResamplingFilter,
        bandHeight: Int
    ) throws(TexelError) {
        self.plane = plane
        self.bytesPerSample = bytesPerSample
        bounds = part.bounds
        width = target.width
        let (x, y) = (Int(exactly: part.sampled.x), Int(exactly: part.sampled.y))
        if part.bounds.size == target, part.sampled == FractionalRectangle(covering: target) {
            way = .identity
        } else if filter == .box, bytesPerSample == 1, let x, let y, part.sampled.width == Double(2 * target.width),
            part.sampled.height == Double(2 * target.height)
        {
            way = .halving(x: x, y: y)
        } else {
            way = .resampling(
                try RowResampler(
                    plane: part.bounds.size, region: part.sampled, target: target, filter: filter,
                    bytesPerSample: bytesPerSample))
        }
        // One cache line more, so that rows with a power-of-two width do not map to the same cache sets.
        outputBytesPerRow = (target.width * bytesPerSample + 63) / 64 * 64 + 64
        output = try LargeMemory.orThrow(byteCount: outputBytesPerRow * bandHeight)
    }

    /// Starts with these rows of a new frame's result.
    func restart(rows: Range<Int>) {
        if case .resampling(let resampler) = way { resampler.restart(rows: rows) }
        bandRows = 0..<0
        band = nil
    }

    /// Returns the next rows of the result; valid until the next call.
    func rows(
        _ rows: Range<Int>, from reader: PlaneReader, _ samples: SampleOrigin, frame: Int
    ) throws(TexelError) -> PlaneRows {
        switch way {
        case .identity:
            let source = (bounds.y + rows.lowerBound)..<(bounds.y + rows.upperBound)
            var result = try reader.rows(source, ofPlane: plane, of: samples, frame: frame)
            result.base += bounds.x * bytesPerSample
            return result
        case .halving(let x, let y):
            for row in rows {
                // The band height is even, so both rows are in the same band.
                let source = try sourceRow(y + 2 * row, from: reader, samples, frame: frame)
                let upper = source.base + x
                kernels.halve_rows(
                    (output.base + (row - rows.lowerBound) * outputBytesPerRow).assumingMemoryBound(to: UInt8.self),
                    upper.assumingMemoryBound(to: UInt8.self),
                    (upper + source.bytesPerRow).assumingMemoryBound(to: UInt8.self), 2 * width)
            }
        case .resampling(let resampler):
            for row in 0..<rows.count {
                while !resampler.takeRow(into: output.base + row * outputBytesPerRow) {
                    resampler.push(
                        row: try sourceRow(resampler.pushedRowCount, from: reader, samples, frame: frame).base)
                }
            }
        }
        return PlaneRows(base: UnsafeRawPointer(output.base), bytesPerRow: outputBytesPerRow)
    }

    /// Returns a row of the bounds; later rows of the same band follow it in memory. Valid until the next band is read.
    private func sourceRow(
        _ row: Int, from reader: PlaneReader, _ samples: SampleOrigin, frame: Int
    ) throws(TexelError) -> PlaneRows {
        let y = bounds.y + row
        if var band, bandRows.contains(y) {
            band.base += (y - bandRows.lowerBound) * band.bytesPerRow + bounds.x * bytesPerSample
            return band
        }
        bandRows = y..<min(y + reader.bandHeight, bounds.y + bounds.height)
        var read = try reader.rows(bandRows, ofPlane: plane, of: samples, frame: frame)
        band = read
        read.base += bounds.x * bytesPerSample
        return read
    }
}
