package import TexelCore
package import TexelPixels

/// Changes of colours that need one pass over the pixels, in place. Consecutive ones are joined.
package struct ColorStep: RowStep {
    private let changes: [ColorChange]
    package let summary: String

    package init(_ changes: [ColorChange], summary: String) {
        self.changes = changes
        self.summary = summary
    }

    /// Returns the step that does the work of this one, then that of another one.
    package func followed(by next: ColorStep) -> ColorStep {
        ColorStep(changes + next.changes, summary: "\(summary), \(next.summary)")
    }

    package var runsInPlace: Bool { true }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        try Pass(ColorProgram(changes), source)
    }

    private final class Pass: StepPass {
        private let program: ColorProgram
        /// Memory for the program.
        private let values: LargeMemory
        private let row: StraightRow

        init(_ program: ColorProgram, _ source: RasterShape) throws(TexelError) {
            self.program = program
            let byteCount = ColorProgram.scratchCount * MemoryLayout<Int16>.stride
            guard let values = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
            self.values = values
            row = try StraightRow(for: source)
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            let scratch = values.base.assumingMemoryBound(to: Int16.self)
            row.forEach(rows, from: source, to: destination) { _, from, to in
                program.run(from: from, to: to, width: source.size.width, scratch: scratch)
            }
        }
    }
}
