import TexelPipeline
import TexelPixels

/// The first part of rendering uncoded samples: BGRA pixels, cropped or resized as the plan says. Prepared for one
/// layout; has its own memory.
protocol SampleFront: AnyObject {
    /// Of the pixels made.
    var size: PixelSize { get }

    /// Makes some rows of the result; several fronts may make those of one frame at the same time.
    func run(_ samples: SampleOrigin, frame: Int, rows: Range<Int>, into destination: Raster) throws(FrameError)
}

/// Where the samples of a frame begin.
enum SampleOrigin {
    /// All of them, for as long as the frame is rendered.
    case memory(UnsafeRawPointer)
    case file(SampleFile, offset: Int)
}

enum SampleFrontMaker {
    static func front(for layout: SampleLayout, _ load: Plan.Load) throws(PixelBufferError) -> any SampleFront {
        switch load {
        case .decode(let rectangle): return try PixelFront(layout, cropping: rectangle)
        case .resample(let resampling):
            if let planes = try PlaneFront(layout, resampling) { return planes }
            return try ResampledFront(layout, resampling)
        }
    }
}

/// Pixels as they are, or a rectangle of them.
final class PixelFront: SampleFront {
    var size: PixelSize { rectangle.size }

    private let rectangle: PixelRectangle
    private let rows: PixelRows
    /// Whole rows, where only a part of each is wanted.
    private let scratch: LargeMemory?

    init(_ layout: SampleLayout, cropping rectangle: PixelRectangle) throws(PixelBufferError) {
        self.rectangle = rectangle
        rows = try PixelRows(layout)
        let isWhole = rectangle.width == layout.size.width
        scratch = isWhole ? nil : try LargeMemory.orThrow(byteCount: rows.bytesPerRow * rows.bandHeight)
    }

    func run(
        _ samples: SampleOrigin, frame: Int, rows wanted: Range<Int>, into destination: Raster
    ) throws(FrameError) {
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

/// Pixels through the filter.
final class ResampledFront: SampleFront {
    var size: PixelSize { resampler.target }

    private let bounds: PixelRectangle
    private let rows: PixelRows
    private let resampler: RowResampler
    private let band: LargeMemory

    init(_ layout: SampleLayout, _ resampling: Plan.Resampling) throws(PixelBufferError) {
        bounds = resampling.bounds
        rows = try PixelRows(layout)
        resampler = try RowResampler(
            source: bounds.size, region: resampling.sampled, target: resampling.target, filter: resampling.filter,
            linearLight: resampling.usesLinearLight, alphaMode: layout.alphaMode, order: resampling.order)
        band = try LargeMemory.orThrow(byteCount: rows.bytesPerRow * rows.bandHeight)
    }

    func run(
        _ samples: SampleOrigin, frame: Int, rows wanted: Range<Int>, into destination: Raster
    ) throws(FrameError) {
        resampler.restart(at: wanted.lowerBound)
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
    static func orThrow(byteCount: Int) throws(PixelBufferError) -> LargeMemory {
        guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        return memory
    }
}
