package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Scales, shears, rotates and mirrors the image by an affine map. Uncovered pixels get the background.
    ///
    /// - Parameters:
    ///   - matrix: the map of the image's points.
    ///   - canvas: the size of the result. If it is `nil`, the canvas is the smallest one that holds the image, and the
    ///     offsets of the matrix are ignored.
    ///   - filter: the resampling filter, widened if the image is reduced.
    public static func affine(
        _ matrix: AffineMatrix, canvas: PixelSize? = nil, filter: ResamplingFilter = .lanczos3
    ) -> PixelOperation {
        PixelOperation(AffineOperation(matrix: matrix, canvas: canvas, filter: filter))
    }

    /// Scales, shears, rotates, mirrors and moves the image by an affine map. The result has the size of the image;
    /// parts outside of it are cut off, and uncovered pixels get the background.
    ///
    /// - Parameters:
    ///   - matrix: the map of the image's points, with its offsets.
    ///   - filter: the resampling filter, widened if the image is reduced.
    public static func affineKeepingSize(
        _ matrix: AffineMatrix, filter: ResamplingFilter = .lanczos3
    ) -> PixelOperation {
        PixelOperation(AffineOperation(matrix: matrix, canvas: nil, filter: filter, keepsSize: true))
    }
}

/// Maps the image by an affine map.
package struct AffineOperation: OperationDescription {
    package static let name = "affine"

    package let matrix: AffineMatrix
    package let canvas: PixelSize?
    package let filter: ResamplingFilter
    /// Whether the canvas has the size of the image.
    private let keepsSize: Bool

    package init(matrix: AffineMatrix, canvas: PixelSize?, filter: ResamplingFilter, keepsSize: Bool = false) {
        self.matrix = matrix
        self.canvas = canvas
        self.filter = filter
        self.keepsSize = keepsSize
    }

    package var usesBackground: Bool { true }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        for (index, number) in matrix.numbers.enumerated() {
            let isOffset = index % 3 == 2
            let largest = isOffset ? AffineMatrix.offsetLimit : AffineMatrix.factorLimit
            try number.checked("\(isOffset ? "an offset" : "a factor") of the matrix", in: -largest...largest)
        }
        guard abs(matrix.determinant) >= AffineMatrix.leastDeterminant else {
            throw .invalidParameter(
                "the determinant of the matrix", value: "\(matrix.determinant)",
                allowed: "at least \(AffineMatrix.leastDeterminant), or at most its negative")
        }
        let canvas = keepsSize ? size : canvas
        if let canvas, !canvas.isPositive { throw .invalidSize(canvas) }
        let linear = [0, 1, 3, 4].map { matrix.numbers[$0] }
        let changesNothing = canvas.map { $0 == size && matrix == .identity } ?? (linear == [1, 0, 0, 1])
        if changesNothing { return [] }
        let warp = try Warp(matrix, of: size, canvas: canvas, filter: filter, background: background)
        return [WarpStep(warp, summary: "affine map to \(warp.canvasSize)")]
    }
}
