/// A picture seen through a projective map: for every pixel of the canvas, where in the source it is sampled.
///
/// A warp knows sizes and no pixels, so it can be planned before anything is decoded. Rows are independent: bands of
/// them may be rendered concurrently, and give the same bytes as all at once.
package struct Warp: Sendable {
    package let sourceSize: PixelSize
    package let canvasSize: PixelSize
    package let background: PixelColor
    /// From canvas coordinates to source coordinates; in both, pixel (0, 0) covers 0…1.
    let map: ProjectiveMap
    let taps: WarpTaps

    /// - Parameter map: from the canvas to the source, both measured from their centres.
    init(
        of sourceSize: PixelSize, ontoCanvas canvasSize: PixelSize, centredMap map: ProjectiveMap,
        filter: ResamplingFilter, background: PixelColor
    ) {
        self.sourceSize = sourceSize
        self.canvasSize = canvasSize
        self.map = map.recentred(input: canvasSize.centre, output: sourceSize.centre)
        self.taps = WarpTaps(filter)
        self.background = background
    }

    /// What the result's alpha means: opaque where nothing translucent goes in, premultiplied where the picture is,
    /// else straight.
    package func alphaMode(of picture: AlphaMode) -> AlphaMode {
        switch picture {
        case .opaque: background.alpha == 255 ? .opaque : .straight
        case .straight, .premultiplied: picture
        }
    }

    /// The whole canvas in a new picture.
    func rendered(_ picture: PixelBuffer) throws(PixelBufferError) -> PixelBuffer {
        var result = try PixelBuffer(
            uninitialized: canvasSize, alphaMode: alphaMode(of: picture.alphaMode), colorSpace: picture.colorSpace)
        result.withUnsafeMutablePixels { render(rows: 0..<canvasSize.height, of: picture, into: $0) }
        return result
    }

    /// Renders some rows of the canvas.
    ///
    /// - Parameters:
    ///   - rows: which rows of the canvas; rows outside it are left out.
    ///   - picture: the source; its size must be ``sourceSize``.
    ///   - pixels: room for the rows, without padding; the first pixel is the first of `rows`. Too little room
    ///     or a picture of another size is a programmer's error and traps.
    package func render(rows: Range<Int>, of picture: PixelBuffer, into pixels: UnsafeMutableBufferPointer<UInt32>) {
        precondition(picture.size == sourceSize, "the warp is of \(sourceSize) pixels, the picture has \(picture.size)")
        let rows = rows.clamped(to: 0..<canvasSize.height)
        precondition(pixels.count >= rows.count * canvasSize.width, "no room for \(rows.count) rows")
        guard let destination = pixels.baseAddress else { return }
        picture.withUnsafePixels { source in
            guard let source = source.baseAddress else { return }
            render(
                rows: rows, of: source, pixelsPerRow: picture.pixelsPerRow, alphaMode: picture.alphaMode,
                into: destination, destinationPixelsPerRow: canvasSize.width, workspace: Workspace(self))
        }
    }

    /// The same for pixels in memory that somebody else owns.
    ///
    /// - Parameters:
    ///   - rows: which rows of the canvas; all inside it.
    ///   - source: the first pixel of a picture of ``sourceSize``.
    ///   - destination: where the first of the rows goes.
    ///   - workspace: this warp's, and nobody else's at the same time.
    package func render(
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

    /// The memory that rendering needs, for one thread at a time; kept by those who render often.
    package final class Workspace {
        /// The weights of two widened kernels, each of at most `largestCount`.
        fileprivate let weights: UnsafeMutablePointer<Float>
        /// A copy of what a kernel sees, at most `largestPatch` pixels.
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
    /// The point in the middle, in pixels from the top left corner.
    var centre: (x: Double, y: Double) { (Double(width) / 2, Double(height) / 2) }

    /// The smallest canvas that holds `width` by `height` pixels; errors of rounding below 10⁻⁹ do not add a pixel.
    init(holding width: Double, _ height: Double, pixelLimit: Int) throws(PixelBufferError) {
        func side(_ exact: Double) -> Int? { Int(exactly: max(1, (exact - 1e-9).rounded(.up))) }
        guard let width = side(width), let height = side(height) else { throw .resultTooLarge }
        self.init(width: width, height: height)
        guard let count = pixelCount, count <= pixelLimit else { throw .resultTooLarge }
    }
}
