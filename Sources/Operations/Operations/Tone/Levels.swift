package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Stretches colours, so that those from `black` to `white` (0 to 255) reach from black to white.
    public static func levels(black: Double, white: Double) -> PixelOperation {
        PixelOperation(LevelsOperation(black: black, white: white))
    }
}

/// Stretches colours linearly; those outside are clamped.
package struct LevelsOperation: ColorOperation {
    package static let name = "levels"

    package static let options = OperationOptions.text(
        "levels", form: "BLACK,WHITE[,GAMMA] from 0 to 255 such as \"10,245\" or \"10,245,1.2\"",
        help: "Stretch colours from BLACK,WHITE to 0 and 255, with a gamma if one is given: '10,245,1.2'.",
        operations: operations)

    /// Stretches colours, then applies the gamma.
    private static func operations(_ text: String) -> [PixelOperation]? {
        guard let numbers = NumberList.numbers(text), (2...3).contains(numbers.count) else { return nil }
        let (black, white, gamma) = (numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 1)
        guard (0...255).contains(black), (0...255).contains(white), black < white, (0.01...100).contains(gamma) else {
            return nil
        }
        return [.levels(black: black, white: white)] + (gamma == 1 ? [] : [.gamma(gamma)])
    }

    package let black: Double
    package let white: Double

    package var summary: String { "levels \(black.short) to \(white.short)" }

    package func changes() throws(TexelError) -> [ColorChange] {
        try black.checked("the black level", in: 0...255)
        try white.checked("the white level", in: 0...255)
        guard white > black else {
            throw .invalidParameter(
                "the white level", value: white.short, allowed: "more than the black level, \(black.short)")
        }
        if black == 0, white == 255 { return [] }
        let factor = 255 / (white - black)
        return [.matrix(.scaling(by: factor, adding: -black / 255 * factor))]
    }
}
