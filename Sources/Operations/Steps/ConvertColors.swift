import Synchronization
package import TexelCore
package import TexelPixels

/// Converts the colours to a colour space, in place.
package struct ConvertColors: RowStep {
    private let conversion: SharedConversion

    /// - Parameters:
    ///   - source: the colour space of the pixels. If it is `target`, the image is only labelled: for profiles that are
    ///     equivalent to sRGB.
    ///   - target: the colour space of the result.
    package init(from source: ColorSpace, to target: ColorSpace) {
        conversion = SharedConversion(source: source, target: target)
    }

    package var summary: String {
        let target = conversion.target.name
        return conversion.isLabel ? "omit the profile, which is equivalent to \(target)" : "convert to \(target)"
    }

    package var runsInPlace: Bool { true }

    package func colorSpace(of source: ColorSpace) -> ColorSpace { conversion.target }

    package func changesNothing(_ source: AlphaMode) -> Bool { conversion.isLabel }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        Pass(try conversion.prepared(), try StraightRow(for: source))
    }

    /// Prepared at its first use, once for all threads and frames: the tables of some profiles take milliseconds.
    private final class SharedConversion: Sendable {
        let target: ColorSpace
        private let source: ColorSpace
        private let conversion = Mutex<ColorConversion?>(nil)

        init(source: ColorSpace, target: ColorSpace) { (self.source, self.target) = (source, target) }

        var isLabel: Bool { source == target }

        func prepared() throws(TexelError) -> ColorConversion {
            try conversion.withLock { conversion throws(TexelError) in
                if let conversion { return conversion }
                let made = try ColorConversion(from: source, to: target)
                conversion = made
                return made
            }
        }
    }

    private final class Pass: StepPass {
        private let conversion: ColorConversion
        private let row: StraightRow

        init(_ conversion: ColorConversion, _ row: StraightRow) { (self.conversion, self.row) = (conversion, row) }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            conversion.run(rows, from: source, to: destination, through: row)
        }
    }
}
