import TexelCore

/// The rendering of an image through a projective map, which gives the sampled point of the source for every pixel of
/// the canvas.
///
/// A warp needs only sizes, so it can be created before anything is decoded. Rows are independent: bands of rows may be
/// rendered concurrently, and give the same bytes as rendering all at once.
package struct Warp: Sendable {
    package let sourceSize: PixelSize
    package let canvasSize: PixelSize
    package let background: PixelColor
    /// From canvas to source coordinates; in both, pixel (0, 0) covers 0…1.
    let map: ProjectiveMap
    let taps: WarpTaps

    /// Creates a warp.
    ///
    /// - Parameter map: from canvas to source coordinates, both measured from the centres.
    init(
        of sourceSize: PixelSize, ontoCanvas canvasSize: PixelSize, centredMap map: ProjectiveMap,
        filter: ResamplingFilter, background: PixelColor
    ) {
        self.init(
            of: sourceSize, ontoCanvas: canvasSize,
            map: map.recentred(input: canvasSize.centre, output: sourceSize.centre), filter: filter,
            background: background)
    }

    /// Creates a warp.
    ///
    /// - Parameter map: from canvas to source coordinates, with W positive on the whole canvas, and 1 if it is
    ///   constant.
    init(
        of sourceSize: PixelSize, ontoCanvas canvasSize: PixelSize, map: ProjectiveMap, filter: ResamplingFilter,
        background: PixelColor
    ) {
        self.sourceSize = sourceSize
        self.canvasSize = canvasSize
        self.map = map
        self.taps = WarpTaps(filter)
        self.background = background
    }

    /// Returns the alpha mode of the result: opaque if image and background are, premultiplied if the image is,
    /// otherwise straight.
    package func alphaMode(of image: AlphaMode) -> AlphaMode {
        switch image {
        case .opaque: background.alpha == 255 ? .opaque : .straight
        case .straight, .premultiplied: image
        }
    }

    /// Renders the whole canvas into a new image.
    func rendered(_ image: PixelBuffer) throws(TexelError) -> PixelBuffer {
        var result = try PixelBuffer(
            uninitialized: canvasSize, alphaMode: alphaMode(of: image.alphaMode), colorSpace: image.colorSpace)
        let workspace = Workspace(self)
        result.updateRaster(to: result.alphaMode) { destination in
            image.withRaster {
                render(rows: 0..<canvasSize.height, of: $0, into: destination, workspace: workspace)
            }
        }
        return result
    }

    /// Renders rows of the canvas from and to memory of others.
    ///
    /// - Parameters:
    ///   - rows: the rows of the canvas; must be inside it.
    ///   - source: an image of ``sourceSize``.
    ///   - destination: the whole canvas.
    ///   - workspace: created for this warp, and used by no other thread meanwhile.
    package func render(rows: Range<Int>, of source: Raster, into destination: Raster, workspace: Workspace) {
        precondition(source.size == sourceSize, "the warp is for \(sourceSize) pixels; the image has \(source.size)")
        precondition(destination.size == canvasSize, "the canvas has \(canvasSize) pixels, not \(destination.size)")
        guard !rows.isEmpty else { return }
        render(
            rows: rows, of: UnsafePointer(source.pixels(0)), pixelsPerRow: source.pixelsPerRow,
            alphaMode: source.alphaMode, into: destination.pixels(rows.lowerBound),
            destinationPixelsPerRow: destination.pixelsPerRow, workspace: workspace)
    }

    /// Renders rows of the canvas.
    ///
    /// - Parameters:
    ///   - source: the first pixel of an image of ``sourceSize``.
    ///   - destination: receives the first of the rows.
    private func render(
        rows: Range<Int>, of source: UnsafePointer<UInt32>, pixelsPerRow: Int, alphaMode: AlphaMode,
        into destination: UnsafeMutablePointer<UInt32>, destinationPixelsPerRow: Int, workspace: Workspace
    ) {
        let stride = destinationPixelsPerRow
        switch alphaMode {
        case .opaque where background.alpha == 255:
            render(rows, source, pixelsPerRow, destination, stride, workspace, OpaqueToOpaque.self)
        case .opaque: render(rows, source, pixelsPerRow, destination, stride, workspace, OpaqueToStraight.self)
        case .straight: render(rows, source, pixelsPerRow, destination, stride, workspace, StraightToStraight.self)
        case .premultiplied:
            render(rows, source, pixelsPerRow, destination, stride, workspace, PremultipliedToPremultiplied.self)
        }
    }

    private func render<Format: WarpFormat>(
        _ rows: Range<Int>, _ source: UnsafePointer<UInt32>, _ stride: Int,
        _ destination: UnsafeMutablePointer<UInt32>, _ destinationStride: Int, _ workspace: Workspace,
        _ format: Format.Type
    ) {
        taps.sets.withUnsafeBufferPointer { sets in
            taps.curve.withUnsafeBufferPointer { curve in
                guard let sets = sets.baseAddress else { return }
                let renderer = WarpRenderer<Format>(
                    warp: self, source: source, stride: stride, sets: sets, curve: curve,
                    weightsX: workspace.weights, weightsY: workspace.weights + taps.largestCount,
                    patch: workspace.patch)
                for row in rows {
                    renderer.renderRow(row, into: destination + (row - rows.lowerBound) * destinationStride)
                }
            }
        }
    }

    /// The scratch memory for rendering on one thread; keep it to render repeatedly.
    package final class Workspace {
        /// The weights of two widened kernels, at most `largestCount` each.
        fileprivate let weights: UnsafeMutablePointer<Float>
        /// A copy of the pixels under a kernel, at most `largestPatch`.
        fileprivate let patch: UnsafeMutablePointer<UInt32>

        package init(_ warp: Warp) {
            weights = .allocate(capacity: 2 * warp.taps.largestCount)
            patch = .allocate(capacity: warp.taps.largestPatch)
        }

        deinit {
            weights.deallocate()
            patch.deallocate()
        }
    }
}

extension PixelSize {
    /// The centre, in pixels from the top left corner.
    var centre: (x: Double, y: Double) { (Double(width) / 2, Double(height) / 2) }

    /// Creates the smallest canvas that holds `width` by `height` pixels. Excess below 10⁻⁹, which is rounding, does
    /// not add a pixel.
    ///
    /// - Throws: `resultTooLarge` if it has more than `pixelLimit` pixels.
    init(holding width: Double, _ height: Double, pixelLimit: Int) throws(TexelError) {
        func side(_ exact: Double) -> Int? { Int(exactly: max(1, (exact - 1e-9).rounded(.up))) }
        guard let width = side(width), let height = side(height) else { throw .resultTooLarge }
        self.init(width: width, height: height)
        guard let count = pixelCount, count <= pixelLimit else { throw .resultTooLarge }
    }
}
