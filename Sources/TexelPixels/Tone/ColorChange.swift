/// A change of colours in which each pixel depends on itself only.
package enum ColorChange: Sendable {
    case matrix(ColorMatrix)
    /// A function for each of red, green and blue, from 0…1 to 0…1. Values outside are clamped before.
    case curves(@Sendable (Double) -> Double, @Sendable (Double) -> Double, @Sendable (Double) -> Double)

    /// The same function for all channels.
    package static func curve(_ function: @escaping @Sendable (Double) -> Double) -> ColorChange {
        .curves(function, function, function)
    }

    /// Whether each channel depends on itself only.
    var isSeparate: Bool {
        switch self {
        case .matrix(let matrix): matrix.isDiagonal
        case .curves: true
        }
    }

    /// Returns a channel (0 for red) after a change that is separate.
    func value(_ value: Double, channel: Int) -> Double {
        switch self {
        case .matrix(let matrix): matrix[channel, channel] * value + matrix[channel, 3]
        case .curves(let red, let green, let blue): [red, green, blue][channel](min(max(value, 0), 1))
        }
    }
}
