/// The colours of a palette image (ColorMap).
struct TIFFPalette: Sendable {
    /// The three channels, one after another, of numbers up to 65,535.
    private let channels: [Int]
    /// Whether the file ends before the last colour.
    let isCutOff: Bool

    /// - Parameter numbers: the field's numbers. Shorter maps have fewer colours.
    init(_ numbers: [Int] = [], isCutOff: Bool = false) {
        channels = numbers.dropLast(numbers.count % 3).map { min(0xFFFF, $0) }
        self.isCutOff = isCutOff
    }

    private var count: Int { channels.count / 3 }

    /// Returns the field's numbers with a colour for every number of `bits` bits; those that are missing are black.
    func padded(bits: Int) -> [Int] {
        let missing = [Int](repeating: 0, count: (1 << bits) - count)
        return (0..<3).flatMap { channels[($0 * count)..<(($0 + 1) * count)] + missing }
    }

    /// Returns a pixel for every number of `bits` bits; those without a colour are black.
    func pixels(bits: Int) -> [UInt32] {
        // Some writers store bytes, although the numbers have 16 bits. libtiff decides in the same way.
        let areBytes = channels.allSatisfy { $0 < 256 }
        return (0..<(1 << bits)).map { index in
            guard index < count else { return 0xFF00_0000 }
            let rgb = (0..<3).map { plane in
                let value = channels[plane * count + index]
                return UInt32(areBytes ? value : (value * 255 + 32_767) / 65_535)
            }
            return 0xFF00_0000 | rgb[0] << 16 | rgb[1] << 8 | rgb[2]
        }
    }
}
