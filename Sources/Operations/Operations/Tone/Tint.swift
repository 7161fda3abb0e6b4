package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Gives the image a colour and keeps its luma: black and white stay, and the grey of the colour's luma becomes the
    /// colour.
    ///
    /// - Parameters:
    ///   - color: its alpha is ignored.
    ///   - amount: 0 for no change; 1 removes the colours of the image.
    public static func tint(_ color: PixelColor, amount: Double = 1) -> PixelOperation {
        PixelOperation(TintOperation(color: color, amount: amount))
    }
}

/// Gives the image a colour.
///
/// Colours are mixed with the grey of the same luma (ITU-R BT.709), as far as `amount` says. Then the channels are
/// changed by curves of two straight lines, from black through the luma of the colour to white. For greys, and so with
/// an amount of 1, the weighted sum of the three curves is the luma again.
package struct TintOperation: ColorOperation {
    package static let name = "tint"
    package static let section = OperationSection.replacement

    package static let options = OperationOptions.text(
        "tint", form: "a CSS colour such as \"sienna\" or \"#ff8800\"", help: "Replace colours by shades of this one."
    ) { PixelColor(css: $0).map { [.tint($0)] } }

    package let color: PixelColor
    package let amount: Double

    package var summary: String { "tint \(color), amount \(amount.short)" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try amount.checked("the amount of the tint", in: 0...1)
        if amount == 0 { return [] }
        let weights = YUVMatrix.bt709.weights
        func row(_ own: Int) -> [Double] {
            weights.enumerated().map { $1 * amount + ($0 == own ? 1 - amount : 0) } + [0]
        }
        let channels = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let luma = zip(weights, channels).reduce(0) { $0 + $1.0 * $1.1 }
        let matrix = ColorChange.matrix(ColorMatrix(rows: row(0), row(1), row(2)))
        // A grey has no colour, and black and white have no curves.
        if channels.allSatisfy({ $0 == channels[0] }) { return [matrix] }
        func curve(_ channel: Double) -> @Sendable (Double) -> Double {
            let middle = luma + amount * (channel - luma)
            return { $0 <= luma ? $0 * middle / luma : middle + ($0 - luma) * (1 - middle) / (1 - luma) }
        }
        return [matrix, .curves(curve(channels[0]), curve(channels[1]), curve(channels[2]))]
    }
}
