package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Replaces colours through a table, as of a `.cube` file.
    public static func lut(_ table: ColorLUT) -> PixelOperation { PixelOperation(LookUpOperation(table: table)) }
}

/// Replaces colours through a table. Curves join the changes of colours beside them; a cube is a pass of its own.
package struct LookUpOperation: OperationDescription {
    package static let name = "lut"

    package let table: ColorLUT

    private var summary: String {
        let size = table.shape == .curves ? "\(table.size) entries" : "\(table.size)×\(table.size)×\(table.size)"
        return "table of colours (\(table.title.map { "\($0), " } ?? "")\(size))"
    }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        if let curves = table.curves { return [ColorStep([curves], summary: summary)] }
        return [Step(table: table, summary: summary)]
    }

    private struct Step: RowStep {
        let table: ColorLUT
        let summary: String

        var runsInPlace: Bool { true }

        func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

        func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
            Pass(ColorCube(table), try StraightRow(for: source))
        }
    }

    private final class Pass: StepPass {
        private let cube: ColorCube
        private let row: StraightRow

        init(_ cube: ColorCube, _ row: StraightRow) {
            self.cube = cube
            self.row = row
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            row.forEach(rows, from: source, to: destination) { _, from, to in
                cube.run(from: from, to: to, width: source.size.width)
            }
        }
    }
}

/// The title does not matter, and the numbers are written as they are in memory.
extension ColorLUT: ContentIdentified {
    struct ContentIdentity: Encodable {
        let shape: Shape
        let size: Int
        let contents: [UInt8]
    }

    var contentIdentity: ContentIdentity { ContentIdentity(shape: shape, size: size, contents: contents) }
}
