import TexelPixels

/// Tables of colours for tests.
enum SampleTables {
    /// A cube that exchanges channels and darkens them.
    static let cube = table(
        "TITLE \"exchange\"\nLUT_3D_SIZE 2\n"
            + (0..<8).map { "\(Double($0 >> 2) * 0.8) \($0 & 1) \($0 >> 1 & 1)\n" }.joined())
    /// A curve for each channel.
    static let curves = table("LUT_1D_SIZE 3\n0 0.1 1\n0.6 0.2 0.5\n1 0.9 0\n")

    private static func table(_ text: String) -> ColorLUT {
        do { return try ColorLUT(cubeText: text) } catch { fatalError("\(error)") }
    }
}
