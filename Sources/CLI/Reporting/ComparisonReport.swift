import Texel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The output of `texel compare`. In JSON all keys are present; `null` if they do not apply.
struct ComparisonReport: Encodable {
    private let original: String
    private let candidate: String
    private let comparison: ImageComparison
    private let warnings: [String]

    /// - Parameter warnings: what was tolerated in the two images, with their names.
    init(_ original: String, _ candidate: String, _ comparison: ImageComparison, warnings: [String]) {
        self.original = original
        self.candidate = candidate
        self.comparison = comparison
        self.warnings = warnings
    }

    private enum Key: String, CodingKey {
        case original, candidate, width, height, psnr, ssim, haarpsi, ssimulacra2, butteraugli, butteraugli3Norm
        case warnings
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(original, forKey: .original)
        try object.encode(candidate, forKey: .candidate)
        try object.encode(comparison.size.width, forKey: .width)
        try object.encode(comparison.size.height, forKey: .height)
        // JSON has no infinity.
        try object.encode(comparison.psnr.isFinite ? comparison.psnr : nil, forKey: .psnr)
        try object.encode(comparison.structuralSimilarity, forKey: .ssim)
        try object.encode(comparison.haarPSI, forKey: .haarpsi)
        try object.encode(comparison.ssimulacra2, forKey: .ssimulacra2)
        try object.encode(comparison.butteraugli.maximum, forKey: .butteraugli)
        try object.encode(comparison.butteraugli.norm3, forKey: .butteraugli3Norm)
        try object.encode(warnings, forKey: .warnings)
    }

    var text: String {
        let psnr = comparison.psnr.isFinite ? "\(Self.rounded(comparison.psnr, places: 2)) dB" : "∞ dB (equal)"
        return "PSNR \(psnr)  SSIM \(Self.rounded(comparison.structuralSimilarity, places: 4))"
            + "  HaarPSI \(Self.rounded(comparison.haarPSI, places: 4))"
            + "  SSIMULACRA2 \(Self.rounded(comparison.ssimulacra2, places: 2))"
            + "  Butteraugli \(Self.rounded(comparison.butteraugli.norm3, places: 3))"
            + " (maximum \(Self.rounded(comparison.butteraugli.maximum, places: 3)))"
    }

    private static func rounded(_ value: Double, places: Int) -> String {
        let factor = (0..<places).reduce(1.0) { power, _ in power * 10 }
        return "\((value * factor).rounded() / factor)"
    }
}
