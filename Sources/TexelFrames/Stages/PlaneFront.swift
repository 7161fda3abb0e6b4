import TexelPipeline
import TexelPixels

/// A resize of YUV samples, plane by plane, before they become pixels: fewer samples go through the filter, and colour
/// differences are interpolated once, to their final size, instead of twice.
///
/// Works in bands of result rows, so that what lies between the filters and the colours stays in the cache.
final class PlaneFront: SampleFront {
    let size: PixelSize

    private let reader: PlaneReader
    private let scalers: [PlaneScaler]
    private let converter: YUVToBGRA

    private static let bandHeight = 16

    /// `nil` where pixels must be made first: for linear light, `nearest`, samples of ten bits or two planes, and where a
    /// crop cuts through samples.
    init?(_ layout: SampleLayout, _ resampling: Plan.Resampling) throws(PixelBufferError) {
        guard case .yuv(let format, let color) = layout.format, format.bitDepth == 8, !format.isInterleaved,
            !resampling.usesLinearLight, resampling.filter != .nearest
        else { return nil }
        size = resampling.target
        reader = try PlaneReader(layout)
        var scalers: [PlaneScaler] = []
        for plane in 0..<format.planeCount {
            let step = plane == 0 ? (x: 1, y: 1) : format.sampling.pixelsPerSample
            guard
                let part = PlanePart(
                    resampling, step: step, plane: format.planeSize(plane, of: layout.size), picture: layout.size)
            else { return nil }
            scalers.append(
                try PlaneScaler(plane, part, target: size, filter: resampling.filter, bandHeight: Self.bandHeight))
        }
        self.scalers = scalers
        converter = try YUVToBGRA(
            YUVFormat(format.sampling == .none ? .none : .yuv444), color, size: resampling.target)
    }

    func run(_ samples: SampleOrigin, frame: Int, into destination: Raster) throws(FrameError) {
        for scaler in scalers { scaler.restart() }
        for top in stride(from: 0, to: size.height, by: Self.bandHeight) {
            let rows = top..<min(top + Self.bandHeight, size.height)
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

/// What of a plane becomes the result.
struct PlanePart {
    /// The samples that the filter may see.
    var bounds: PixelRectangle
    /// The part that is seen, relative to them; may reach half a sample beyond.
    var sampled: FractionalRectangle

    /// `nil` where the bounds cut through samples.
    ///
    /// - Parameter step: how many pixels share a sample, across and down.
    fileprivate init?(_ resampling: Plan.Resampling, step: (x: Int, y: Int), plane: PixelSize, picture: PixelSize) {
        let pixels = resampling.bounds
        func divided(_ start: Int, _ length: Int, by step: Int, of whole: Int, samples: Int) -> (Int, Int)? {
            let end = start + length
            guard start % step == 0, end % step == 0 || end == whole else { return nil }
            return (start / step, (end + step - 1) / step - start / step)
        }
        guard let across = divided(pixels.x, pixels.width, by: step.x, of: picture.width, samples: plane.width),
            let down = divided(pixels.y, pixels.height, by: step.y, of: picture.height, samples: plane.height)
        else { return nil }
        bounds = PixelRectangle(x: across.0, y: down.0, width: across.1, height: down.1)
        let (x, y) = (Double(step.x), Double(step.y))
        sampled = FractionalRectangle(
            x: resampling.sampled.x / x, y: resampling.sampled.y / y, width: resampling.sampled.width / x,
            height: resampling.sampled.height / y)
    }
}

/// One plane on its way to the result's size. Gives rows in their order, and reads only what it needs for them.
private final class PlaneScaler {
    private let plane: Int
    private let bounds: PixelRectangle
    private let resampler: RowResampler
    /// Samples that stay as they are.
    private let isIdentity: Bool
    private let output: LargeMemory
    private let outputBytesPerRow: Int

    /// The rows that were read last, and where they lie.
    private var bandRows = 0..<0
    private var band: UnsafeRawPointer?

    init(
        _ plane: Int, _ part: PlanePart, target: PixelSize, filter: ResamplingFilter, bandHeight: Int
    ) throws(PixelBufferError) {
        self.plane = plane
        bounds = part.bounds
        resampler = try RowResampler(plane: part.bounds.size, region: part.sampled, target: target, filter: filter)
        isIdentity = part.bounds.size == target && part.sampled == FractionalRectangle(covering: target)
        // A cache line more, so that rows of a power of two do not fall on the same sets of the cache.
        outputBytesPerRow = (target.width + 63) / 64 * 64 + 64
        output = try LargeMemory.orThrow(byteCount: outputBytesPerRow * bandHeight)
    }

    /// Another frame begins.
    func restart() {
        resampler.restart()
        bandRows = 0..<0
        band = nil
    }

    /// The next rows of the result; valid until the next call.
    func rows(
        _ rows: Range<Int>, from reader: PlaneReader, _ samples: SampleOrigin, frame: Int
    ) throws(FrameError) -> (base: UnsafeRawPointer, bytesPerRow: Int) {
        let bytesPerRow = reader.planes[plane].bytesPerRow
        if isIdentity {
            let source = (bounds.y + rows.lowerBound)..<(bounds.y + rows.upperBound)
            return (try reader.rows(source, ofPlane: plane, of: samples, frame: frame) + bounds.x, bytesPerRow)
        }
        for row in 0..<rows.count {
            let destination = output.base + row * outputBytesPerRow
            while !resampler.takeRow(into: destination) {
                let next = bounds.y + resampler.pushedRowCount
                if !bandRows.contains(next) {
                    bandRows = next..<min(next + reader.bandHeight, bounds.y + bounds.height)
                    band = try reader.rows(bandRows, ofPlane: plane, of: samples, frame: frame)
                }
                guard let band else { break }
                resampler.push(row: band + (next - bandRows.lowerBound) * bytesPerRow + bounds.x)
            }
        }
        return (UnsafeRawPointer(output.base), outputBytesPerRow)
    }
}
