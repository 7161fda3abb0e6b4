package import TexelCore
package import TexelOperations
package import TexelPixels

extension RowStep {
    /// Replaces an image by the result, in one pass over all rows.
    package func apply(to image: inout PixelBuffer) throws(TexelError) {
        let colorSpace = colorSpace(of: image.colorSpace)
        if !changesNothing(image.alphaMode) {
            let source = RasterShape(size: image.size, alphaMode: image.alphaMode)
            let result = shape(of: source)
            let pass = try pass(for: source)
            var output = try PixelBuffer(
                width: result.size.width, height: result.size.height, filledWith: 0, alphaMode: result.alphaMode)
            output.updateRaster(to: result.alphaMode) { destination in
                image.withRaster { source in
                    if surveysSource { pass.begin(source) }
                    pass.run(rows: 0..<result.size.height, from: source, to: destination)
                }
            }
            image = output
        }
        image.colorSpace = colorSpace
    }
}
