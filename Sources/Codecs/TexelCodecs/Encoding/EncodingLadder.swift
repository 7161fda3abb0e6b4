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

    /// The ladders of each way that a format offers, such as each chroma subsampling; at least one. Which of them needs
    /// the fewest bytes depends on the image, so that a search tries them all.
    package let variants: [[Step]]
    /// Number of lossless steps at the end of the first variant. They have the best score at any size, even if a
    /// palette takes more bytes.
    package let losslessCount: Int
    /// The approximate bytes of a file that do not depend on the image: tables and headers.
    package let fixedBytes: Int

    package init(variants: [[Step]], losslessCount: Int = 0, fixedBytes: Int) {
        precondition(variants.allSatisfy { !$0.isEmpty } && !variants.isEmpty, "a ladder has steps")
        self.variants = variants
        self.losslessCount = losslessCount
        self.fixedBytes = fixedBytes
    }

    package init(_ steps: [Step], losslessCount: Int = 0, fixedBytes: Int) {
        self.init(variants: [steps], losslessCount: losslessCount, fixedBytes: fixedBytes)
    }

    /// Creates the ladder of a codec that offers no choice: one step.
    package init(only encoding: ImageEncoding) {
        let isLossy = encoding.options.isLossy
        self.init(
            [Step(encoding: encoding, score: isLossy ? 80 : 100, size: 0, name: encoding.format.rawValue)],
            losslessCount: isLossy ? 0 : 1, fixedBytes: 0)
    }

    /// The steps of the first variant.
    package var steps: [Step] { variants[0] }

    /// The first step of acceptable quality: if the image may be scaled down instead, lower steps are not used.
    package static func decentIndex(of steps: [Step]) -> Int {
        steps.firstIndex { $0.score >= 50 } ?? steps.count - 1
    }
}
