package import TexelCore
package import TexelPixels

extension PixelOperation {
    /// Mirrors the image.
    public static func flip(_ axis: FlipAxis) -> PixelOperation { PixelOperation(FlipOperation(axis)) }
}

/// The axis along which a flip exchanges pixels.
public enum FlipAxis: String, Sendable, Hashable, Codable, CaseIterable {
    /// Left and right are exchanged.
    case horizontal
    /// Top and bottom are exchanged.
    case vertical
}

/// Mirrors the image.
package struct FlipOperation: OperationDescription {
    package static let name = "flip"

    package let axis: FlipAxis

    init(_ axis: FlipAxis) { self.axis = axis }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        switch axis {
        case .horizontal: [MoveStep(.flippedHorizontally)]
        case .vertical: [MoveStep(.flippedVertically)]
        }
    }
}
