/// A change of colours in which each pixel depends on itself only.
package enum ColorChange: Sendable {
    case matrix(ColorMatrix)
    /// A function for all channels, from 0…1 to 0…1. Values outside are clamped before.
    case curve(@Sendable (Double) -> Double)
    /// A function for each of red, green and blue.
    case curves(@Sendable (Double) -> Double, @Sendable (Double) -> Double, @Sendable (Double) -> Double)

    /// Whether each channel depends on itself only.
    var isSeparate: Bool {
        switch self {
        case .matrix(let matrix): matrix.isDiagonal
        case .curve, .curves: true
        }
    }

    /// Whether the change is separate and the same for all channels.
    var treatsChannelsAlike: Bool {
        switch self {
        case .matrix(let matrix):
            matrix.isDiagonal && matrix[0, 0] == matrix[1, 1] && matrix[1, 1] == matrix[2, 2]
                && matrix[0, 3] == matrix[1, 3] && matrix[1, 3] == matrix[2, 3]
        case .curve: true
        case .curves: false
        }
    }

    /// Returns a channel (0 for red) after a change that is separate.
    func value(_ value: Double, channel: Int) -> Double {
        switch self {
        case .matrix(let matrix): return matrix[channel, channel] * value + matrix[channel, 3]
        case .curve(let function): return function(min(max(value, 0), 1))
        case .curves(let red, let green, let blue):
            let function = channel == 0 ? red : channel == 1 ? green : blue
            return function(min(max(value, 0), 1))
        }
    }
}
