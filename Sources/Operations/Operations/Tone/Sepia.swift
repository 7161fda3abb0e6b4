package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Gives all colours the brown of old photographs.
    ///
    /// - Parameter amount: 0 for no change, 1 for all of it.
    public static func sepia(_ amount: Double) -> PixelOperation { PixelOperation(SepiaOperation(amount: amount)) }
}

/// Gives all colours the brown of old photographs (Filter Effects Module Level 1, `sepia()`).
package struct SepiaOperation: ColorOperation {
    package static let name = "sepia"
    package static let section = OperationSection.replacement

    package static let options = OperationOptions.number(
        "sepia", in: 0...1, help: "Give colours the brown of old photographs: from 0 to 1."
    ) { .sepia($0) }

    package let amount: Double

    package var summary: String { "sepia \(amount.short)" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try amount.checked("the amount of sepia", in: 0...1)
        if amount == 0 { return [] }
        func row(_ own: Int, _ sepia: [Double]) -> [Double] {
            (0..<3).map { amount * sepia[$0] + ($0 == own ? 1 - amount : 0) } + [0]
        }
        return [
            .matrix(
                ColorMatrix(
                    rows: row(0, [0.393, 0.769, 0.189]), row(1, [0.349, 0.686, 0.168]),
                    row(2, [0.272, 0.534, 0.131])))
        ]
    }
}
