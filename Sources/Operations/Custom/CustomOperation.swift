import CPixelKernels
import TexelCore
import TexelPixels

/// An operation from outside this module, carried out like the built-in operations.
struct CustomOperation<Operation: RowOperation>: OperationDescription {
    static var name: String { Operation.name }

    static var options: OperationOptions { Operation.options }

    private let operation: Operation

    init(_ operation: Operation) { self.operation = operation }

    init(from decoder: any Decoder) throws { operation = try Operation(from: decoder) }

    func encode(to encoder: any Encoder) throws { try operation.encode(to: encoder) }

    func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        let result = operation.outputSize(of: size)
        guard result.isPositive, result.pixelCount != nil else { throw .invalidSize(result) }
        if let rows = operation.rowsAround, rows < 0 {
            throw .invalidParameter("rowsAround", value: "\(rows)", allowed: "at least 0")
        }
        return [StraightAlphaStep(), CustomStep(operation)]
    }
}

/// Divides colours by alpha, for operations that expect straight alpha. Only frames have other alpha.
private struct StraightAlphaStep: RowStep {
    var summary: String { "straight alpha" }

    var runsInPlace: Bool { true }

    func alphaMode(of source: AlphaMode) -> AlphaMode { source == .opaque ? .opaque : .straight }

    func changesNothing(_ source: AlphaMode) -> Bool { source != .premultiplied }

    func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

    func pass(for source: RasterShape) throws(TexelError) -> any StepPass { Pass() }

    private final class Pass: StepPass {
        private let kernels = texel_kernels_in_use().pointee

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            for y in rows {
                kernels.unpremultiply_row(
                    destination.row(y).assumingMemoryBound(to: UInt8.self),
                    source.row(y).assumingMemoryBound(to: UInt8.self), source.size.width)
            }
        }
    }
}

private struct CustomStep<Operation: RowOperation>: RowStep {
    let operation: Operation

    init(_ operation: Operation) { self.operation = operation }

    var summary: String { "\(operation)" }

    // Nothing is known about it.
    var mixesPixels: Bool { true }

    func outputSize(of source: PixelSize) -> PixelSize { operation.outputSize(of: source) }

    func alphaMode(of source: AlphaMode) -> AlphaMode {
        source == .opaque && operation.addsAlpha ? .straight : source
    }

    func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> {
        let height = source.height
        guard let around = operation.rowsAround, outputSize(of: source) == source, around < height else {
            return 0..<height
        }
        return max(0, rows.lowerBound - around)..<min(height, rows.upperBound + around)
    }

    func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        Pass(self, writesAlpha: alphaMode(of: source.alphaMode) != .opaque)
    }

    private final class Pass: StepPass {
        private let step: CustomStep
        private let writesAlpha: Bool

        init(_ step: CustomStep, writesAlpha: Bool) {
            self.step = step
            self.writesAlpha = writesAlpha
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            for y in rows {
                let readable = step.sourceRows(for: y..<(y + 1), of: source.size)
                // A row of the destination has as many pixels as it is wide.
                let row = UnsafeMutableBufferPointer(start: destination.pixels(y), count: destination.size.width)
                var pixels = MutableSpan(_unsafeElements: row)
                step.operation.render(row: y, of: ImageRows(source, readable), into: &pixels)
                if !writesAlpha {
                    for x in row.indices { row[x] |= 0xFF00_0000 }
                }
            }
        }
    }
}
