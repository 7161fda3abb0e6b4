public import TexelPixels

// Parameters that several formats have.

extension ParameterKey<Int> {
    /// The quality of the transparency of an image with loss, 0…100; without a value, transparency is kept exactly.
    public static var alphaQuality: Self { Self("alpha-quality") }
}

extension Parameter {
    /// Declares ``TexelPixels/ParameterKey/alphaQuality``.
    package static let alphaQuality = Parameter(
        .alphaQuality, in: 0...100, help: "Quality of the transparency of a lossy WebP or AVIF, 0 to 100."
    ).defaulting(to: "100, which keeps it exactly").instead(of: "lossless")
}
