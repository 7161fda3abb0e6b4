package import TexelCodecs
import TexelFormats
package import TexelOperations
import TexelPixels

/// The properties of the image that a plan makes, on any route.
///
/// A class, because plans are copied with the results and events of a batch.
final class PlannedImage: Sendable {
    /// The header of the file that the plan is made for.
    let input: ImageInfo
    /// The recipe for the image.
    let recipe: Recipe
    /// The kind of result: pixels, a file, or the search of a trim.
    let result: PlanResult
    /// The route that the planner chose. A route that cannot be completed has a fallback, which is another one.
    let route: Route
    /// The size of the result.
    let size: PixelSize
    /// The largest size that any operation produces, including intermediate ones.
    let largestSize: PixelSize
    /// The EXIF orientation of the written pixels: identity once it has been applied.
    let writtenOrientation: Orientation
    /// Whether rows of the stored image are columns of the result.
    let turnsSides: Bool
    /// Whether the geometry, colours or format change, so that the input's pixel data cannot be kept.
    let changesPixels: Bool
    /// Whether the colours of the decoded pixels are converted.
    let convertsColors: Bool
    /// Whether only the colours change, because the profile is not written.
    let changesOnlyColors: Bool

    init(
        input: ImageInfo, recipe: Recipe, result: PlanResult, route: Route, size: PixelSize, largestSize: PixelSize,
        writtenOrientation: Orientation, turnsSides: Bool, changesPixels: Bool, convertsColors: Bool,
        changesOnlyColors: Bool
    ) {
        self.input = input
        self.recipe = recipe
        self.result = result
        self.route = route
        self.size = size
        self.largestSize = largestSize
        self.writtenOrientation = writtenOrientation
        self.turnsSides = turnsSides
        self.changesPixels = changesPixels
        self.convertsColors = convertsColors
        self.changesOnlyColors = changesOnlyColors
    }

    /// The frame of an animation to decode, from 0; `nil` for the default image.
    var frame: Int? { recipe.frame }

    /// The image with another size.
    func resized(to size: PixelSize) -> PlannedImage {
        PlannedImage(
            input: input, recipe: recipe, result: result, route: route, size: size, largestSize: largestSize,
            writtenOrientation: writtenOrientation, turnsSides: turnsSides, changesPixels: changesPixels,
            convertsColors: convertsColors, changesOnlyColors: changesOnlyColors)
    }

    /// The image as it is stored in the input, with its orientation.
    func stored(as input: ImageInfo) -> PlannedImage {
        PlannedImage(
            input: input, recipe: recipe, result: result, route: route, size: input.size, largestSize: input.size,
            writtenOrientation: input.orientation, turnsSides: false, changesPixels: false, convertsColors: false,
            changesOnlyColors: false)
    }

    /// Whether a plan for this header of the same file could make another result.
    func isOutdated(by info: ImageInfo) -> Bool {
        info.orientation != input.orientation || info.colorSpace != input.colorSpace
            || writtenMetadata(info.metadata) != writtenMetadata(input.metadata)
    }

    /// The metadata of the planned result, without regard to its format.
    private func writtenMetadata(_ metadata: ImageMetadata) -> WrittenMetadata {
        writtenMetadata(metadata, size: size, to: input.format, keepsAttachments: keepsAttachments)
    }

    // MARK: Metadata

    /// The metadata of a file with an image of this size.
    ///
    /// - Parameter keepsAttachments: whether the file has the attachments of the input.
    func writtenMetadata(
        _ metadata: ImageMetadata, size: PixelSize, to format: ImageFormat, keepsAttachments: Bool
    ) -> WrittenMetadata {
        var written = metadata.kept(
            under: recipe.output.metadata, orientation: writtenOrientation, size: size,
            keepsThumbnail: !changesPixels, keepsAttachments: keepsAttachments, density: recipe.output.density)
        // A density of the recipe is that of the written pixels.
        if turnsSides, recipe.output.density == nil { written.density = written.density?.transposed }
        return format.codec.map { written.stored(by: $0) } ?? written
    }

    /// Warnings about metadata that a file should have and does not.
    func metadataNotes(
        _ metadata: ImageMetadata, size: PixelSize, to format: ImageFormat, keepsAttachments: Bool
    ) -> [String] {
        let policy = recipe.output.metadata
        return writtenMetadata(metadata, size: size, to: format, keepsAttachments: keepsAttachments).losses
            .filter { loss in
                switch loss.block {
                case MetadataLoss.orientation: true
                // Every file has one by default.
                case MetadataLoss.density: policy == .all || recipe.output.density != nil
                default: policy == .all || policy == .privacy
                }
            }.map(\.description)
    }

    /// Whether attachments of the input are kept if its pixel data are.
    var keepsAttachments: Bool { recipe.output.metadata == .all }

    /// Whether the profile is kept if the pixel data are.
    var keepsColor: Bool { recipe.output.metadata != .none }

    /// Returns the parts that a rewritten input keeps besides its pixel data.
    func keptParts(keepsColor: Bool) -> KeptParts {
        var parts: KeptParts = keepsAttachments ? [.attachments] : []
        if keepsColor { parts.insert(.color) }
        return parts
    }
}

/// What a plan makes: pixels with their alpha, a file, or what a trim finds.
package enum PlanResult: Sendable, Hashable, Codable {
    case pixels
    case file(ImageFormat)
    /// What a trim keeps of the pixels.
    ///
    /// - Parameter inFrames: whether all frames of an animation are searched, not only the image that is shown for it.
    case content(TrimOperation, inFrames: Bool)

    /// The format of the file; `nil` for pixels.
    package var format: ImageFormat? {
        if case .file(let format) = self { format } else { nil }
    }

    /// Whether the frames of an animation are searched.
    var searchesFrames: Bool { if case .content(_, inFrames: true) = self { true } else { false } }

    /// What the result can hold. Pixels hold transparency and any colour space.
    var capabilities: CodecCapabilities {
        if let format { return format.capabilities }
        var capabilities = CodecCapabilities()
        (capabilities.hasAlpha, capabilities.isLossless, capabilities.storesCICP) = (true, true, true)
        return capabilities
    }
}
