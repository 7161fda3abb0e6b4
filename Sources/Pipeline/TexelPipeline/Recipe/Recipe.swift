public import TexelCodecs
import TexelCore
public import TexelMetrics
public import TexelOperations
public import TexelPixels

/// Operations for any image, in order, and the encoding of the result.
///
/// A recipe is a value; each method returns a longer one:
///
///     let recipe = Recipe()
///         .resizing(width: 1280)
///         .rotating(by: 90)
///         .encoding(as: .jpeg, quality: 75)
public struct Recipe: Sendable, Hashable, Codable {
    /// The operations, carried out in this order. The planner may join them, but never changes the result.
    public var operations: [PixelOperation] = []
    /// How the result is encoded.
    public var output = OutputOptions()
    /// Whether the image is first turned upright according to its EXIF orientation; if not, the tag is kept.
    public var appliesOrientation = true
    /// The frame of an animation, or the page of a file with pages, that the result holds, from 0. If `nil`, an
    /// animation either keeps all its frames or is refused (`TexelError.animated`). Frame 0 of a still image is the
    /// image.
    public var frame: Int?
    /// Which frames of an animation a result with several frames has, and how they are played; without effect with
    /// ``frame``.
    public var playback = Playback()
    /// Whether samples of more than 8 bits are dithered when they become bytes, instead of rounded: a pattern of noise
    /// keeps smooth gradients from becoming bands. For PNG, TIFF and PNM.
    public var dithers = false
    /// Whether a result is refused that would lose pages of a file, or what a file holds besides its image
    /// (`ImageAttachment`), as results are that replace their files. Otherwise a warning reports the loss.
    /// ``frame`` chooses one image, and lets the rest go.
    public var keepsAllParts = false

    /// Whether an operation can uncover pixels, which get the background of ``output``.
    package var usesBackground: Bool { operations.contains(where: \.value.usesBackground) }

    /// Whether the result must hold all parts of its file.
    var refusesDroppedParts: Bool { keepsAllParts && frame == nil }

    /// Why a result that holds one image of a file must not be made; `nil` if it may.
    func refusalOfOneImage(of info: ImageInfo) -> TexelError? {
        guard frame == nil else { return nil }
        if info.isAnimation { return .animated(frames: info.frameCount) }
        return refusesDroppedParts && info.pageCount > 1 ? .severalPages(info.pageCount) : nil
    }

    /// Makes a recipe without operations.
    public init() {}

    /// Adds a resize to a box.
    ///
    /// - Parameters:
    ///   - width: the box's width in pixels; `nil` follows the aspect ratio.
    ///   - height: the box's height in pixels; `nil` follows the aspect ratio.
    ///   - fit: how the image fills the box.
    ///   - enlarges: whether a smaller image is enlarged.
    ///   - filter: the resampling filter.
    public func resizing(
        width: Int? = nil, height: Int? = nil, fit: Fit = .inside, enlarges: Bool = false,
        filter: ResamplingFilter = .lanczos3
    ) -> Recipe {
        let rule = ResizeRule(.box(width: width, height: height, fit: fit), enlarges: enlarges)
        return appending(.resize(ResizeOptions(rule, filter: filter)))
    }

    /// Adds a resize to the smallest size whose sides both reach a minimum in pixels, as in flutter_image_compress.
    public func resizing(minimumWidth: Int?, minimumHeight: Int?) -> Recipe {
        appending(.resize(ResizeOptions(ResizeRule(.minimum(width: minimumWidth, height: minimumHeight)))))
    }

    /// Adds a crop to a rectangle of the displayed image, in pixels.
    public func cropping(to rectangle: PixelRectangle) -> Recipe { appending(.crop(rectangle)) }

    /// Adds cutting off borders whose pixels are all within a tolerance of a background: of the pixel at the top left,
    /// if `background` is `nil`.
    public func trimming(
        tolerance: UInt8 = PixelBuffer.defaultTrimTolerance, background: PixelColor? = nil
    ) -> Recipe { appending(.trim(tolerance: tolerance, background: background)) }

    /// Adds a flip.
    public func flipping(_ axis: FlipAxis) -> Recipe { appending(.flip(axis)) }

    /// Adds a clockwise rotation by degrees.
    public func rotating(by degrees: Double) -> Recipe { appending(.rotate(degrees: degrees)) }

    /// Adds a multiplication of all colours by a factor: 0 is black, 1 changes nothing.
    public func brightening(by factor: Double) -> Recipe { appending(.brightness(factor)) }

    /// Adds a multiplication of the distances of all colours to grey: 0 is greyscale, 1 changes nothing.
    public func saturating(by factor: Double) -> Recipe { appending(.saturation(factor)) }

    /// Adds a replacement of all colours by greys of the same luma.
    public func greyscaled() -> Recipe { appending(.greyscale()) }

    /// Adds compositing over an opaque colour.
    public func flattening(on color: PixelColor) -> Recipe { appending(.flatten(color)) }

    /// Sets the format of the result, `nil` for the output's or input's own; `quality` is JPEG's 1…100.
    public func encoding(
        as format: ImageFormat?, quality: Int? = nil, effort: Effort = .balanced
    ) -> Recipe {
        var recipe = self
        recipe.output.format = format
        recipe.output.quality = quality
        recipe.output.effort = effort
        return recipe
    }

    /// Sets which metadata of the input are written.
    public func keepingMetadata(_ policy: MetadataPolicy) -> Recipe {
        var recipe = self
        recipe.output.metadata = policy
        return recipe
    }

    /// Adds an operation after all others.
    public func appending(_ operation: PixelOperation) -> Recipe {
        var recipe = self
        recipe.operations.append(operation)
        return recipe
    }

    /// Adds an operation of your own after all others.
    public func appending(_ operation: some RowOperation) -> Recipe { appending(PixelOperation(operation)) }
}
