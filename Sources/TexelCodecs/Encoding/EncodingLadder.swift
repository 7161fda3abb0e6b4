/// The ways to encode an image in one format, in order of rising size and quality.
///
/// Each step has the score and size that photographs typically have there; a search only has to find how an image
/// differs from these.
package struct EncodingLadder: Sendable {
    package struct Step: Sendable, Equatable {
        package var encoding: ImageEncoding
        /// The typical SSIMULACRA2 score.
        package var score: Double
        /// The natural logarithm of the typical number of bytes, up to a constant.
        package var size: Double
        /// The step's name for `--explain`.
        package var name: String

        package init(encoding: ImageEncoding, score: Double, size: Double, name: String) {
            self.encoding = encoding
            self.score = score
            self.size = size
            self.name = name
        }
    }

    package let steps: [Step]
    /// Steps with full chroma resolution from quality 50 to the first step of ``steps`` that has it, if ``steps``
    /// begins with subsampled chroma. They fill the gap in quality that ``steps`` has for images that subsampled
    /// chroma harms more than usual.
    package let stepsWithAllColors: [Step]
    /// How many steps at the end are lossless. They have the best score at any size, even if a palette takes more
    /// bytes.
    package let losslessCount: Int
    /// The first step of acceptable quality: if the image may be scaled down instead, lower steps are not used.
    package let decentIndex: Int
    /// The approximate bytes of a file that do not depend on the image: tables and headers.
    package let fixedBytes: Int

    package init(_ steps: [Step], stepsWithAllColors: [Step] = [], losslessCount: Int = 0, fixedBytes: Int) {
        self.steps = steps
        self.stepsWithAllColors = stepsWithAllColors
        self.losslessCount = losslessCount
        self.fixedBytes = fixedBytes
        decentIndex = steps.firstIndex { $0.score >= 50 } ?? steps.count - 1
    }

    /// Creates the ladder of a codec that offers no choice: one step.
    package init(only encoding: ImageEncoding) {
        let isLossy = encoding.options.isLossy
        self.init(
            [Step(encoding: encoding, score: isLossy ? 80 : 100, size: 0, name: encoding.format.rawValue)],
            losslessCount: isLossy ? 0 : 1, fixedBytes: 0)
    }

    /// The first step with full chroma resolution.
    package var firstWithAllColors: Step? { stepsWithAllColors.last }
}
