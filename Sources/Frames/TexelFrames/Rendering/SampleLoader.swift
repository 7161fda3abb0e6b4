import TexelCore
import TexelOperations
import TexelPipeline
import TexelPixels

/// The first stage of rendering uncompressed samples: converts them to BGRA pixels, cropped or resized as the plan
/// says. Prepared for one layout; has its own memory.
protocol SampleLoader: AnyObject {
    /// The size of the result in pixels.
    var size: PixelSize { get }

    /// Renders rows of the result. Several loaders may render parts of one frame at the same time.
    func run(_ samples: SampleOrigin, frame: Int, rows: Range<Int>, into destination: Raster) throws(TexelError)
}

enum SampleLoaderFactory {
    static func loader(
        for layout: SampleLayout, _ scan: FrameScan, _ load: PixelLoad
    ) throws(TexelError) -> any SampleLoader {
        switch load {
        case .decode(let rectangle): return try ConvertingLoader(layout, scan, cropping: rectangle)
        case .resample(let resampling):
            if let planes = try PlanarResampler(layout, scan, resampling) { return planes }
            return try ResamplingLoader(layout, scan, resampling)
        }
    }
}

/// Converts samples without scaling, possibly only a rectangle of them.
final class ConvertingLoader: SampleLoader {
    var size: PixelSize { rectangle.size }

    private let rectangle: PixelRectangle
    private let rows: PixelRows
    /// Whole rows of a band; `nil` unless only a part of each row is copied.
    private let scratch: LargeMemory?

    init(
        _ layout: SampleLayout, _ scan: FrameScan, cropping rectangle: PixelRectangle
    ) throws(TexelError) {
        self.rectangle = rectangle
        let isWhole = rectangle.width == layout.size.width
        // Interpolated rows are read again.
        let isLarge = isWhole && scan != .deinterlaced
        rows = try PixelRows(
            layout, scan, bandBytes: isLarge ? PlaneReader.largeBandBytes : PlaneReader.cachedBandBytes)
        scratch = isWhole ? nil : try LargeMemory.orThrow(byteCount: rows.bytesPerRow * rows.bandHeight)
    }

    func run(
        _ samples: SampleOrigin, frame: Int, rows wanted: Range<Int>, into destination: Raster
    ) throws(TexelError) {
        for top in stride(from: wanted.lowerBound, to: wanted.upperBound, by: rows.bandHeight) {
            let band = top..<min(top + rows.bandHeight, wanted.upperBound)
            let sourceBand = (rectangle.y + band.lowerBound)..<(rectangle.y + band.upperBound)
            guard let scratch else {
                try rows.read(
                    sourceBand, of: samples, frame: frame, into: destination.row(top),
                    bytesPerRow: destination.bytesPerRow, isFinal: true)
                continue
            }
            try rows.read(
                sourceBand, of: samples, frame: frame, into: scratch.base, bytesPerRow: rows.bytesPerRow)
            let left = scratch.base + rectangle.x * PixelBuffer.bytesPerPixel
            for y in band {
                destination.row(y).copyMemory(
                    from: left + (y - top) * rows.bytesPerRow,
                    byteCount: rectangle.width * PixelBuffer.bytesPerPixel)
            }
        }
    }
}

/// Converts samples to pixels and then resizes those.
final class ResamplingLoader: SampleLoader {
    var size: PixelSize { resampler.target }

    private let bounds: PixelRectangle
    private let rows: PixelRows
    private let resampler: RowResampler
    private let band: LargeMemory

    init(_ layout: SampleLayout, _ scan: FrameScan, _ resampling: Resampling) throws(TexelError) {
        bounds = resampling.bounds
        rows = try PixelRows(layout, scan)
        resampler = try RowResampler(
            source: bounds.size, region: resampling.sampled, target: resampling.target, filter: resampling.filter,
            linearLight: resampling.usesLinearLight, alphaMode: layout.alphaMode, order: resampling.order)
        band = try LargeMemory.orThrow(byteCount: rows.bytesPerRow * rows.bandHeight)
    }

    func run(
        _ samples: SampleOrigin, frame: Int, rows wanted: Range<Int>, into destination: Raster
    ) throws(TexelError) {
        resampler.restart(rows: wanted)
        let end = bounds.y + bounds.height
        let start = bounds.y + resampler.pushedRowCount
        for top in stride(from: start, to: end, by: rows.bandHeight) {
            let count = min(rows.bandHeight, end - top)
            try rows.read(
                top..<(top + count), of: samples, frame: frame, into: band.base, bytesPerRow: rows.bytesPerRow)
            for y in 0..<count {
                resampler.push(row: band.base + y * rows.bytesPerRow + bounds.x * PixelBuffer.bytesPerPixel)
                while resampler.takenRowCount < wanted.upperBound,
                    resampler.takeRow(into: destination.row(resampler.takenRowCount))
                {}
                if resampler.takenRowCount == wanted.upperBound { return }
            }
        }
    }
}

extension LargeMemory {
    static func orThrow(byteCount: Int) throws(TexelError) -> LargeMemory {
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        return memory
    }
}
