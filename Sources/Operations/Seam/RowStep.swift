package import TexelCore
package import TexelPixels

/// A step of an operation, with all sizes known. It writes rows of pixels, so that it can run while rows arrive, on
/// several threads, and on memory of others, such as frames.
package protocol RowStep: Sendable {
    /// The step in a few words, for `--explain`.
    var summary: String { get }

    /// Whether a pixel of the result is a weighted mean of several pixels of the source.
    var mixesPixels: Bool { get }

    /// Whether the result may be written over the source: same size, and each pixel depends on itself only.
    var runsInPlace: Bool { get }

    /// Whether ``note(about:)`` looks at the pixels, so that the whole image must be in memory before the step.
    var inspectsImage: Bool { get }

    /// Returns the loss that the step causes in an image, as a sentence; `nil` if nothing is lost.
    func note(about image: PixelBuffer) -> String?

    /// The warning of the step for any image, as a sentence; `nil` if there is none.
    var note: String? { get }

    /// The size of the result.
    func outputSize(of source: PixelSize) -> PixelSize

    /// The alpha mode of the result.
    func alphaMode(of source: AlphaMode) -> AlphaMode

    /// The colour space of the result.
    func colorSpace(of source: ColorSpace) -> ColorSpace

    /// The rows of a source of this size on which rows of the result depend.
    func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int>

    /// Whether a pass looks at the whole source before it writes rows: ``StepPass/begin(_:)``.
    var surveysSource: Bool { get }

    /// The step for images whose colours are in this space, which only steps that bring colours of their own depend on.
    ///
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    func matching(_ colorSpace: ColorSpace) throws(TexelError) -> any RowStep

    /// Whether the pixels of a source with this alpha mode are those of the result already.
    func changesNothing(_ source: AlphaMode) -> Bool

    /// Prepares the step for images of one shape: computes its tables and allocates its memory, so that running the
    /// pass allocates nothing.
    ///
    /// - Throws: `outOfMemory`, and errors of the step.
    func pass(for source: RasterShape) throws(TexelError) -> any StepPass
}

/// A step that is prepared for images of one shape. Used by one thread at a time.
package protocol StepPass: AnyObject {
    /// Looks at the whole source, before rows are written. Called once for each image if the step requires it.
    ///
    /// - Parameter source: an image of the shape that the pass was prepared for.
    func begin(_ source: Raster)

    /// Writes rows of the result.
    ///
    /// - Parameters:
    ///   - rows: the rows to write.
    ///   - source: an image of the shape that the pass was prepared for. Only the rows of
    ///     ``RowStep/sourceRows(for:of:)`` need to be valid.
    ///   - destination: the memory of the whole result; it may be the source's if the step runs in place.
    func run(rows: Range<Int>, from source: Raster, to destination: Raster)
}

extension RowStep {
    package var mixesPixels: Bool { false }
    package var runsInPlace: Bool { false }
    package var inspectsImage: Bool { false }
    package func note(about image: PixelBuffer) -> String? { nil }
    package var note: String? { nil }
    package func outputSize(of source: PixelSize) -> PixelSize { source }
    package func alphaMode(of source: AlphaMode) -> AlphaMode { source }
    package func colorSpace(of source: ColorSpace) -> ColorSpace { source }
    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { 0..<source.height }
    package var surveysSource: Bool { false }
    package func matching(_ colorSpace: ColorSpace) throws(TexelError) -> any RowStep { self }
    package func changesNothing(_ source: AlphaMode) -> Bool { false }

    /// The shape of the result.
    package func shape(of source: RasterShape) -> RasterShape {
        RasterShape(size: outputSize(of: source.size), alphaMode: alphaMode(of: source.alphaMode))
    }
}

extension StepPass {
    package func begin(_ source: Raster) {}
}
