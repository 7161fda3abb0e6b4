import TexelCodecs
import TexelPixels

/// The structure of a HEIC file (ISO/IEC 23008-12, annex B): its primary image with its alpha. Previews, other images
/// and sequences are not read.
struct HEICFile: Sendable {
    let container: ISOMediaFile
    let image: HEICImage
    let alpha: HEICImage?
    /// Whether colours are multiplied by alpha.
    let isPremultiplied: Bool
    /// The part of the image that is displayed.
    let area: PixelRectangle
    let colors: ISOColors
    let metadata: ImageMetadata
    /// What the strictness `warning` rejects.
    let warning: String?

    var bytes: InputBytes { container.bytes }

    /// All files with items are read as still images, also those whose brand promises a sequence.
    static let brands = ISOMediaFile.Brands(still: ["heic"], sequence: [])

    /// Reads the header: all boxes that describe the image, and the metadata. Waits for them.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(CodecError) {
        container = try ISOMediaFile(bytes, format: .heic, brands: Self.brands, limits: limits, stop: stop)
        guard let meta = container.meta, let item = meta.primaryItem else {
            guard container.movie == nil else { throw .unsupported("a HEIC image sequence") }
            throw .heic(.missing("primary item"))
        }
        let image = try HEICImage(item, in: container, meta, limits, stop)
        self.image = image
        if let other = meta.alpha(of: item) {
            let alpha = try HEICImage(other, in: container, meta, limits, stop)
            guard alpha.still.size == image.still.size else {
                throw .unsupported("a HEIC image whose alpha has another size")
            }
            self.alpha = alpha
            isPremultiplied = meta.targets("prem", from: item.id).contains(other.id)
        } else {
            (alpha, isPremultiplied) = (nil, false)
        }
        (area, warning) = ISOStillImage.area(of: image.still.size, image.still.properties)
        colors = ISOColors(
            image.still.properties, stream: CodedColors(image.parameters),
            isMonochrome: image.parameters.chromaFormat == 0, in: container.bytes)
        metadata = try container.metadata(
            meta.sources("cdsc", to: item.id), limits: limits, stop: stop)
    }

    /// The transform from the stored pixels to the displayed image. EXIF has none here (ISO/IEC 23000-22, 7.3.6.7).
    var orientation: Orientation { image.still.properties.orientation }
}

extension CodedColors {
    fileprivate init(_ parameters: HEVCSequenceParameters) {
        self.init(
            primaries: parameters.primaries, transfer: parameters.transfer, matrix: parameters.matrix,
            isFullRange: parameters.isFullRange)
    }
}
