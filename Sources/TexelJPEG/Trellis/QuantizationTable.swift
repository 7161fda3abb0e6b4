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

/// The zigzag order of coefficients (ITU-T T.81, figure 5).
enum Zigzag {
    /// The index in a block, stored row by row, of each coefficient in zigzag order.
    static let places: [Int] = (0..<15).flatMap { diagonal in
        let rows = max(0, diagonal - 7)...min(diagonal, 7)
        let upwards = rows.reversed().map { $0 * 8 + diagonal - $0 }
        return diagonal % 2 == 0 ? upwards : upwards.reversed()
    }
}

/// ``Zigzag/places`` as bytes, for inner loops.
enum ZigzagPlaces {
    /// Allocated once per process and never freed.
    nonisolated(unsafe) static let bytes: UnsafePointer<UInt8> = {
        let places = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
        for (index, place) in Zigzag.places.enumerated() { places[index] = UInt8(place) }
        return UnsafePointer(places)
    }()
}
