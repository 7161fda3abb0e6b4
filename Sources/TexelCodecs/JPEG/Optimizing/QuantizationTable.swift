/// The steps of a component's coefficients.
struct QuantizationTable: Sendable, Hashable {
    /// 64 of them, row by row, 1…255: more do not fit a baseline file.
    let steps: [UInt16]

    init(steps: [UInt16]) {
        precondition(steps.count == 64 && steps.allSatisfy { (1...255).contains($0) }, "not a table of a baseline file")
        self.steps = steps
    }

    /// A basic table times a scale, rounded and limited to what a baseline file has.
    init(_ basis: [Double], scale: Double) {
        self.init(steps: basis.map { UInt16(min(max(($0 * scale).rounded(), 1), 255)) })
    }
}

/// Where each coefficient lies in the order of their frequencies (ITU-T T.81, figure 5).
enum Zigzag {
    /// The place in a block, row by row, of each coefficient in zigzag order.
    static let places: [Int] = (0..<15).flatMap { diagonal in
        let rows = max(0, diagonal - 7)...min(diagonal, 7)
        let upwards = rows.reversed().map { $0 * 8 + diagonal - $0 }
        return diagonal % 2 == 0 ? upwards : upwards.reversed()
    }
}

/// The same for loops: each place in a byte.
enum ZigzagPlaces {
    /// Never freed: one for the process.
    nonisolated(unsafe) static let bytes: UnsafePointer<UInt8> = {
        let places = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
        for (index, place) in Zigzag.places.enumerated() { places[index] = UInt8(place) }
        return UnsafePointer(places)
    }()
}
