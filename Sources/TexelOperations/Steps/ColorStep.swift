import CPixelKernels
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

    package func pass(for source: RasterShape) throws(PixelBufferError) -> any StepPass {
        try Pass(ColorProgram(changes), source.size.width)
    }

    private final class Pass: StepPass {
        private let program: ColorProgram
        /// Values of a row, and a row of pixels with straight alpha.
        private let memory: LargeMemory
        private let pixelOffset: Int

        init(_ program: ColorProgram, _ width: Int) throws(PixelBufferError) {
            self.program = program
            pixelOffset = ColorProgram.scratchCount(width: width) * MemoryLayout<Int16>.stride
            let byteCount = pixelOffset + width * PixelBuffer.bytesPerPixel
            guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory(byteCount: byteCount) }
            self.memory = memory
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            let width = source.size.width
            let values = memory.base.assumingMemoryBound(to: Int16.self)
            let straight = (memory.base + pixelOffset).assumingMemoryBound(to: UInt8.self)
            let kernels = texel_kernels_in_use().pointee
            for y in rows {
                let from = source.row(y).assumingMemoryBound(to: UInt8.self)
                let to = destination.row(y).assumingMemoryBound(to: UInt8.self)
                guard source.alphaMode == .premultiplied else {
                    program.run(from: from, to: to, width: width, scratch: values)
                    continue
                }
                kernels.unpremultiply_row(straight, from, width)
                program.run(from: straight, to: straight, width: width, scratch: values)
                kernels.premultiply_row(to, straight, width)
            }
        }
    }
}
