import TexelCodecs
import TexelCore
import TexelPixels

/// An image of HEVC-coded items: the main image, or its alpha.
struct HEICImage: Sendable {
    let still: ISOStillImage
    /// The configurations of the coded images, in the same order: they have the same size and the same samples.
    let configurations: [HEVCConfiguration]
    /// The kind of samples.
    let parameters: HEVCSequenceParameters

    /// - Throws: `truncated`, `damaged`, `unsupported`, `limitExceeded`, `stopped`.
    init(
        _ item: ISOItem, in file: ISOMediaFile, _ meta: ISOMeta, _ limits: Limits, _ stop: StopToken?
    ) throws(TexelError) {
        still = try ISOStillImage(item, coding: HEICFile.coding, in: file, meta, limits: limits, stop: stop)
        let size = still.grid?.cell ?? still.size
        // Cells of phones share one property.
        var read: [Int: HEVCConfiguration] = [:]
        var configurations: [HEVCConfiguration] = []
        for item in still.coded {
            guard item.type == HEICFile.coding else {
                throw .unsupported("a HEIC image whose cells have the type \(item.type)")
            }
            guard let property = meta.property("hvcC", of: item) else { throw .heic(.missing("box hvcC")) }
            let place = property.box.range.lowerBound
            let configuration: HEVCConfiguration
            if let known = read[place] {
                configuration = known
            } else {
                configuration = try HEVCConfiguration(property, in: file.bytes, limits)
                read[place] = configuration
            }
            try Self.check(configuration.parameters, size, limits)
            guard configurations.first.map({ $0.parameters.isLike(configuration.parameters) }) ?? true else {
                throw .unsupported("a HEIC image whose cells have different kinds of samples")
            }
            configurations.append(configuration)
        }
        self.configurations = configurations
        guard let first = configurations.first else { throw .heic(.missing("data of the image")) }
        parameters = first.parameters
        // Each chroma sample belongs to one cell (ISO/IEC 23000-22, 7.3.11.4.2).
        let shift = first.parameters.chromaShift
        guard columns == 1 || size.width % (1 + shift.x) == 0, rows == 1 || size.height % (1 + shift.y) == 0 else {
            throw .unsupported("a HEIC image whose cells have \(size) pixels and share chroma samples")
        }
    }

    /// Checks what the decoder will allocate for an image of a certain size.
    private static func check(
        _ parameters: HEVCSequenceParameters, _ size: PixelSize, _ limits: Limits
    ) throws(TexelError) {
        guard parameters.size == size else {
            throw .heic(.corrupt("the HEVC image has \(parameters.size) pixels instead of \(size)"))
        }
        try limits.check(parameters.codedSize)
        // More than any level of HEVC allows; planes have sides of 32 bits.
        guard max(parameters.codedSize.width, parameters.codedSize.height) <= 65_535 else {
            throw .unsupported("a HEIC image with a coded size of \(parameters.codedSize)")
        }
        guard parameters.bitDepth == parameters.chromaBitDepth || parameters.chromaFormat == 0 else {
            throw .unsupported("a HEIC image with different bit depths of luma and chroma")
        }
        guard parameters.bitDepth <= 12 else {
            throw .unsupported("a HEIC image of \(parameters.bitDepth) bits per sample")
        }
    }

    /// The size of each coded image.
    var codedSize: PixelSize { still.grid?.cell ?? still.size }

    var columns: Int { still.grid?.columns ?? 1 }
    var rows: Int { still.grid?.rows ?? 1 }

    /// The number of samples per pixel in all planes.
    var samplesPerPixel: Double { [1, 1.5, 2, 3][parameters.chromaFormat] }

    var bytesPerSample: Int { parameters.bitDepth > 8 ? 2 : 1 }
}

extension HEVCSequenceParameters {
    /// Whether images have the same size and the same kind of samples.
    fileprivate func isLike(_ other: HEVCSequenceParameters) -> Bool {
        (size, chromaFormat, bitDepth) == (other.size, other.chromaFormat, other.bitDepth)
    }
}
