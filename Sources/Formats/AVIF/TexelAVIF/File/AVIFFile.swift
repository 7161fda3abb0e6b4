import TexelCodecs
import TexelPixels

/// The structure of an AVIF file (AV1 Image File Format): one image with its alpha, or the frames of a sequence.
struct AVIFFile: Sendable {
    /// The image or the frames: an item or a track, or a grid of items.
    struct Source: Sendable {
        /// The properties of the image.
        var properties: [ISOProperty]
        /// The size as coded, before cropping.
        var size: PixelSize
        var configuration: AV1Configuration
        /// Where the beginning of the AV1 stream is.
        var stream: [Range<Int>]
        /// All bytes of a still image.
        var extents: [Range<Int>]
        var grid: ISOStillImage.Grid?
    }

    let container: ISOMediaFile
    let source: Source
    /// The track of a sequence; `nil` for a still image.
    private(set) var track: ISOTrack?
    let hasAlpha: Bool
    /// The samples of the frames' alpha, if they are in a track of their own.
    let alphaSamples: [ISOTrack.Sample]
    /// The part of ``Source/size`` that is displayed.
    let area: PixelRectangle
    let colors: ISOColors
    let metadata: ImageMetadata
    /// The maximum number of pixels that anything in the file declares: images that are not displayed, too, because
    /// libavif checks and may decode them.
    let declaredPixels: Int
    /// What the strictness `warning` rejects.
    private(set) var warning: String?

    var bytes: InputBytes { container.bytes }

    /// The brands of files with items and of files with tracks (AVIF, 6).
    static let brands = ISOMediaFile.Brands(still: ["avif"], sequence: ["avis"])

    /// Reads the header: all boxes that describe the image, and the metadata. Waits for them.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(CodecError) {
        container = try ISOMediaFile(bytes, format: .avif, brands: Self.brands, limits: limits, stop: stop)
        let metadataItems: [ISOItem]
        if container.isSequence {
            let found = try Self.sequence(container)
            (track, source, alphaSamples) = (found.track, found.source, found.alpha?.samples ?? [])
            hasAlpha = found.alpha != nil
            metadataItems =
                (found.track.meta?.items ?? []) + (container.meta?.items ?? [])
        } else {
            let found = try Self.still(container, limits, stop)
            (source, hasAlpha, alphaSamples) = (found.source, found.hasAlpha, [])
            metadataItems = found.metadata
        }
        try limits.check(source.size)
        (area, warning) = ISOStillImage.area(of: source.size, source.properties)
        let stream = try AV1SequenceHeader(source.stream, in: bytes, stop)
        colors = ISOColors(
            source.properties, stream: stream.map { CodedColors($0) },
            isMonochrome: source.configuration.isMonochrome, in: bytes)
        if let size = stream?.size { try limits.check(size) }
        declaredPixels = Self.pixels(container, [source.size, stream?.size])
        metadata = try container.metadata(metadataItems, limits: limits, stop: stop)
    }

    private static func pixels(_ container: ISOMediaFile, _ sizes: [PixelSize?]) -> Int {
        let meta = container.meta
        let items = meta?.items.compactMap { meta?.size(of: $0) } ?? []
        let tracks = container.movie?.tracks.map(\.size) ?? []
        return (sizes.compactMap { $0 } + items + tracks).map { $0.pixelCount ?? .max }.max() ?? 0
    }

    // MARK: Sequences

    private static func sequence(
        _ container: ISOMediaFile
    ) throws(CodecError) -> (track: ISOTrack, source: Source, alpha: ISOTrack?) {
        let tracks = container.movie?.tracks.filter { $0.codingType == "av01" && $0.id != 0 } ?? []
        guard let track = tracks.first(where: { track in !track.references.contains { $0.type == "auxl" } }) else {
            throw .avif(.missing("AV1 track"))
        }
        guard let first = track.samples.first else { throw .avif(.missing("first frame")) }
        guard let property = track.property("av1C") else { throw .avif(.missing("box av1C")) }
        guard track.size.isPositive else {
            throw .avif(.invalidDimensions(width: track.size.width, height: track.size.height))
        }
        let source = Source(
            properties: track.properties, size: track.size,
            configuration: try AV1Configuration(property, in: container.bytes), stream: [first.range],
            extents: [first.range])
        let alpha = tracks.first { other in
            other.references.contains { $0.type == "auxl" && $0.to.contains(track.id) }
        }
        return (track, source, alpha)
    }

    // MARK: Still images

    private static func still(
        _ container: ISOMediaFile, _ limits: Limits, _ stop: StopToken?
    ) throws(CodecError) -> (source: Source, hasAlpha: Bool, metadata: [ISOItem]) {
        guard let meta = container.meta, let item = meta.primaryItem else { throw .avif(.missing("primary item")) }
        let still = try ISOStillImage(item, coding: "av01", in: container, meta, limits: limits, stop: stop)
        guard let first = still.coded.first, let property = meta.property("av1C", of: first) else {
            throw .avif(.missing("box av1C"))
        }
        var source = Source(
            properties: still.properties, size: still.size,
            configuration: try AV1Configuration(property, in: container.bytes), stream: first.extents,
            extents: still.extents, grid: still.grid)
        let alpha = meta.alpha(of: item)
        if let alpha {
            let cells = alpha.type == "grid" ? meta.targets("dimg", from: alpha.id).compactMap { meta[$0] } : []
            source.extents += ([alpha] + cells).flatMap(\.extents)
        }
        return (source, alpha != nil, meta.sources("cdsc", to: item.id))
    }

    /// The transform from the stored pixels to the displayed image. EXIF has none here (ISO/IEC 23000-22, 7.3.6.7).
    var orientation: Orientation { source.properties.orientation }
}

extension AV1SequenceHeader {
    /// Reads the header of a stream in a file; `nil` if it has none. Waits for the beginning of the stream.
    ///
    /// - Throws: `stopped`.
    fileprivate init?(_ stream: [Range<Int>], in bytes: InputBytes, _ stop: StopToken?) throws(CodecError) {
        var data: [UInt8] = []
        for extent in stream where data.count < 256 {
            // Inside the extent, whose ends do not overflow.
            let end = extent.lowerBound + min(extent.count, 256 - data.count)
            let there = try bytes.wait(for: end, stop)
            guard there > extent.lowerBound else { break }
            data += bytes[extent.lowerBound..<min(end, there)]
        }
        self.init(stream: data)
    }
}

extension CodedColors {
    fileprivate init(_ header: AV1SequenceHeader) {
        self.init(
            primaries: header.primaries, transfer: header.transfer, matrix: header.matrix,
            isFullRange: header.isFullRange)
    }
}
