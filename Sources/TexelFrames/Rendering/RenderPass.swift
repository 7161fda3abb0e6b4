import CPixelKernels
import TexelPipeline
import TexelPixels

/// One step of a recipe, prepared for frames of one size. Has its tables and memory; running it allocates nothing.
protocol RenderPass: AnyObject {
    /// The size of the result in pixels.
    var size: PixelSize { get }
    var alphaMode: AlphaMode { get }

    /// Renders `source`, which must have the size and alpha mode that the pass was prepared for, into `destination`.
    func run(from source: Raster, to destination: Raster)
}

/// Flips the image or turns it by multiples of 90°.
final class MovePass: RenderPass {
    let size: PixelSize
    let alphaMode: AlphaMode
    private let orientation: Orientation

    init(_ orientation: Orientation, of source: PixelSize, _ alphaMode: AlphaMode) {
        self.orientation = orientation
        self.size = orientation.applied(to: source)
        self.alphaMode = alphaMode
    }

    func run(from source: Raster, to destination: Raster) {
        let pixel = MemoryLayout<UInt32>.stride
        PixelMove(
            orientation, of: source.size, from: UnsafePointer(source.base.assumingMemoryBound(to: UInt32.self)),
            stride: source.bytesPerRow / pixel, to: destination.base.assumingMemoryBound(to: UInt32.self),
            destinationStride: destination.bytesPerRow / pixel
        ).run()
    }
}

/// Resizes the image.
final class ResizePass: RenderPass {
    let size: PixelSize
    let alphaMode: AlphaMode
    private let resampler: RowResampler

    init(_ resampling: Resampling, of source: PixelSize, _ alphaMode: AlphaMode) throws(PixelBufferError) {
        size = resampling.target
        self.alphaMode = alphaMode
        resampler = try RowResampler(
            source: source, region: resampling.sampled, target: resampling.target, filter: resampling.filter,
            linearLight: resampling.usesLinearLight, alphaMode: alphaMode, order: resampling.order, rowsStay: true)
    }

    func run(from source: Raster, to destination: Raster) {
        resampler.restart()
        for y in 0..<source.size.height where !resampler.isFinished {
            resampler.push(row: source.row(y))
            while resampler.takeRow(into: destination.row(resampler.takenRowCount)) {}
        }
    }
}

/// Places the image on a larger canvas.
final class PadPass: RenderPass {
    let size: PixelSize
    let alphaMode: AlphaMode
    private let place: PixelRectangle
    private let pixel: UInt32

    init(_ canvas: PixelSize, _ place: PixelRectangle, _ color: PixelColor, _ alphaMode: AlphaMode) {
        size = canvas
        self.place = place
        self.alphaMode = alphaMode == .opaque && color.alpha != 255 ? .straight : alphaMode
        pixel = alphaMode == .premultiplied ? color.premultipliedPixel : color.pixel
    }

    func run(from source: Raster, to destination: Raster) {
        for y in 0..<size.height {
            destination.row(y).assumingMemoryBound(to: UInt32.self).update(repeating: pixel, count: size.width)
        }
        destination.cropped(to: place).copyRows(from: source)
    }
}

/// Rotates by other angles, and turns with perspective.
final class WarpPass: RenderPass {
    var size: PixelSize { warp.canvasSize }
    let alphaMode: AlphaMode
    private let warp: Warp
    private let workspace: Warp.Workspace

    init(_ warp: Warp, _ alphaMode: AlphaMode) {
        self.warp = warp
        workspace = Warp.Workspace(warp)
        self.alphaMode = warp.alphaMode(of: alphaMode)
    }

    func run(from source: Raster, to destination: Raster) {
        let pixel = MemoryLayout<UInt32>.stride
        warp.render(
            rows: 0..<size.height, of: UnsafePointer(source.base.assumingMemoryBound(to: UInt32.self)),
            pixelsPerRow: source.bytesPerRow / pixel, alphaMode: source.alphaMode,
            into: destination.base.assumingMemoryBound(to: UInt32.self),
            destinationPixelsPerRow: destination.bytesPerRow / pixel, workspace: workspace)
    }
}

/// Composites the image onto a background colour.
final class FlattenPass: RenderPass {
    let size: PixelSize
    let alphaMode = AlphaMode.opaque
    private let color: PixelColor
    private let kernels = texel_kernels_in_use().pointee

    init(_ color: PixelColor, of size: PixelSize) {
        self.size = size
        self.color = color
    }

    func run(from source: Raster, to destination: Raster) {
        for y in 0..<size.height {
            kernels.flatten_row(
                destination.row(y).assumingMemoryBound(to: UInt8.self),
                source.row(y).assumingMemoryBound(to: UInt8.self), size.width, color.pixel,
                source.alphaMode == .premultiplied)
        }
    }
}

/// Copies the cropped image; needed only if a crop is the last step.
final class CopyPass: RenderPass {
    let size: PixelSize
    let alphaMode: AlphaMode

    init(_ size: PixelSize, _ alphaMode: AlphaMode) {
        self.size = size
        self.alphaMode = alphaMode
    }

    func run(from source: Raster, to destination: Raster) { destination.copyRows(from: source) }
}
