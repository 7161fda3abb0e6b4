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

    package let black: Double
    package let white: Double

    package var summary: String { "levels \(black.short) to \(white.short)" }

    package func changes() throws(PixelBufferError) -> [ColorChange] {
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
