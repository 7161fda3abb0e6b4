package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Keeps a part of this size, which must not exceed the image.
    public static func crop(size: PixelSize, at anchor: CropAnchor = .center) -> PixelOperation {
        PixelOperation(CropToSizeOperation(size: size, anchor: anchor))
    }

    /// Keeps the largest part with this ratio of its sides.
    public static func crop(aspect: AspectRatio, at anchor: CropAnchor = .center) -> PixelOperation {
        PixelOperation(CropToAspectOperation(aspect: aspect, anchor: anchor))
    }
}

/// Keeps a part of a given size.
package struct CropToSizeOperation: OperationDescription {
    package static let name = "cropToSize"

    package let size: PixelSize
    package let anchor: CropAnchor

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard (1...size.width).contains(self.size.width), (1...size.height).contains(self.size.height) else {
            throw .invalidParameter(
                "the size of the crop", value: "\(self.size)", allowed: "from 1×1 to the image's, \(size)")
        }
        return cropSteps(from: size, to: self.size, at: anchor)
    }
}

/// Keeps the largest part with a given ratio of its sides.
package struct CropToAspectOperation: OperationDescription {
    package static let name = "cropToAspect"

    package let aspect: AspectRatio
    package let anchor: CropAnchor

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        guard aspect.isValid else {
            throw .invalidParameter(
                "the aspect ratio", value: "\(aspect)", allowed: "two numbers from 1 to \(AspectRatio.largestSide)")
        }
        return cropSteps(from: size, to: aspect.largestSize(in: size), at: anchor)
    }
}

/// Returns the step that keeps a part of an image; none if it keeps all of it.
func cropSteps(from size: PixelSize, to part: PixelSize, at anchor: CropAnchor) -> [any RowStep] {
    if part == size { return [] }
    return switch anchor {
    case .gravity(let gravity): [CropStep(gravity.rectangle(of: part, in: size))]
    case .attention: [ContentCropStep(part, .attention)]
    case .entropy: [ContentCropStep(part, .entropy)]
    }
}
