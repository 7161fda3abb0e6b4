import TexelCodecs
import TexelCore
import TexelPixels

/// The structure of a HEIC file (ISO/IEC 23008-12, annex B): its primary image with its alpha. Previews, other images
/// and sequences are not read.
struct HEICFile: Sendable {
    let image: ISOImage
    let info: ImageInfo
    /// The image without its alpha.
    let main: HEICImage
    let alpha: HEICImage?
    /// Whether colours are multiplied by alpha.
    let isPremultiplied: Bool

    static let coding: BoxType = "hvc1"

    /// All files with items are read as still images, also those whose brand promises a sequence.
    static let brands = ISOMediaFile.Brands(still: ["heic"], sequence: [])

    /// Reads the header: all boxes that describe the image, and the metadata. Waits for them.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        let container = try ISOMediaFile(bytes, format: .heic, brands: Self.brands, limits: limits, stop: stop)
        guard let meta = container.meta, let item = meta.primaryItem else {
            guard container.movie == nil else { throw .unsupported("a HEIC image sequence") }
            throw .heic(.missing("primary item"))
        }
        let main = try HEICImage(item, in: container, meta, limits, stop)
        if let other = meta.alpha(of: item) {
            let alpha = try HEICImage(other, in: container, meta, limits, stop)
            guard alpha.still.size == main.still.size else {
                throw .unsupported("a HEIC image whose alpha has another size")
            }
            self.alpha = alpha
            isPremultiplied = meta.targets("prem", from: item.id).contains(other.id)
        } else {
            (alpha, isPremultiplied) = (nil, false)
        }
        self.main = main
        let configuration = main.configurations[0]
        image = try ISOImage(
            main.still.properties, size: main.still.size, grid: main.still.grid, hasAlpha: alpha != nil,
            ISOImage.Samples(
                coding: "HEVC, \(configuration.profileName)", bitDepth: main.parameters.bitDepth,
                chromaSubsampling: configuration.chromaSubsampling, colors: CodedColors(main.parameters)),
            metadata: meta.sources("cdsc", to: item.id), in: container, limits: limits, stop: stop)
        info = image.info()
    }
}

extension CodedColors {
    fileprivate init(_ parameters: HEVCSequenceParameters) {
        self.init(
            primaries: parameters.primaries, transfer: parameters.transfer, matrix: parameters.matrix,
            isFullRange: parameters.isFullRange)
    }
}
