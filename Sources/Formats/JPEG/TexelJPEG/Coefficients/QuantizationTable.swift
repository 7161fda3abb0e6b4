import TexelCodecs

/// The quantisation table of a component.
struct QuantizationTable: Sendable, Hashable {
    /// 64 steps, row by row, 1…255 as a baseline file requires.
    let steps: [UInt16]

    init(steps: [UInt16]) {
        precondition(
            steps.count == 64 && steps.allSatisfy { (1...255).contains($0) },
            "a quantisation table requires 64 steps of 1 to 255")
        self.steps = steps
    }

    /// Creates a table from basic steps times a scale, rounded and clamped to 1…255.
    init(_ basis: [Double], scale: Double) {
        self.init(steps: basis.map { UInt16(min(max(($0 * scale).rounded(), 1), 255)) })
    }
}
