public import TexelCodecs
public import TexelPixels

/// What to do with a picture, whichever it is: the operations in their order, and how to write the result.
///
/// A recipe is a value; each method returns a longer one:
///
///     let recipe = Recipe()
///         .resizing(width: 1280)
///         .rotating(by: 90)
///         .encoding(as: .jpeg, quality: 75)
public struct Recipe: Sendable, Hashable, Codable {
    /// Carried out in this order. The planner may join them, never change what comes out.
    public var operations: [PixelOperation] = []
    public var output = OutputOptions()
    /// Whether the picture is made upright first, as its EXIF orientation says; else the tag is kept.
    public var appliesOrientation = true
    /// Which frame of an animation the result holds, from 0. Without it, an animation is either kept with all its
    /// frames or refused (`CodecError.animated`). Frame 0 of a still image is the image.
    public var frame: Int?

    public init() {}

    /// A picture no larger than a box.
    ///
    /// - Parameters:
    ///   - width: pixels; `nil` follows the aspect.
    ///   - height: pixels; `nil` follows the aspect.
    ///   - enlarges: whether a smaller picture grows.
    public func resizing(
        width: Int? = nil, height: Int? = nil, fit: Fit = .inside, enlarges: Bool = false,
        filter: ResamplingFilter = .lanczos3
    ) -> Recipe {
        let rule = ResizeRule(.box(width: width, height: height, fit: fit), enlarges: enlarges)
        return appending(.resize(ResizeOptions(rule, filter: filter)))
    }

    /// A picture whose sides both still reach a minimum, as flutter_image_compress understands it.
    public func resizing(minimumWidth: Int?, minimumHeight: Int?) -> Recipe {
        appending(.resize(ResizeOptions(ResizeRule(.minimum(width: minimumWidth, height: minimumHeight)))))
    }

    public func cropping(to rectangle: PixelRectangle) -> Recipe { appending(.crop(rectangle)) }

    public func flipping(_ axis: FlipAxis) -> Recipe { appending(.flip(axis)) }

    /// Turns clockwise.
    public func rotating(by degrees: Double) -> Recipe { appending(.rotate(degrees: degrees)) }

    public func flattening(on color: PixelColor) -> Recipe { appending(.flatten(color)) }

    /// Writes the result in this format; `quality` is JPEG's 1…100.
    public func encoding(
        as format: ImageFormat?, quality: Int? = nil, effort: Effort = .balanced
    ) -> Recipe {
        var recipe = self
        recipe.output.format = format
        recipe.output.quality = quality
        recipe.output.effort = effort
        return recipe
    }

    public func keepingMetadata(_ policy: MetadataPolicy) -> Recipe {
        var recipe = self
        recipe.output.metadata = policy
        return recipe
    }

    public func appending(_ operation: PixelOperation) -> Recipe {
        var recipe = self
        recipe.operations.append(operation)
        return recipe
    }
}
