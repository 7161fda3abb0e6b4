import TexelCodecs
import TexelCore
import TexelPixels

/// The structure of an AVIF file (AV1 Image File Format): one image with its alpha, or the frames of a sequence.
struct AVIFFile: Sendable {
    let image: ISOImage
    let info: ImageInfo
    let configuration: AV1Configuration
    /// All bytes of a still image.
    let extents: [Range<Int>]
    /// The track of a sequence; `nil` for a still image.
    let track: ISOTrack?
    /// The samples of the frames' alpha, if they are in a track of their own.
    let alphaSamples: [ISOTrack.Sample]
    /// The maximum number of pixels that anything in the file declares: images that are not displayed, too, because
    /// libavif checks and may decode them.
    let declaredPixels: Int

    static let coding: BoxType = "av01"

    /// The brands of files with items and of files with tracks (AVIF, 6).
    static let brands = ISOMediaFile.Brands(still: ["avif"], sequence: ["avis"])

    /// Reads the header: all boxes that describe the image, and the metadata. Waits for them.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        let container = try ISOMediaFile(bytes, format: .avif, brands: Self.brands, limits: limits, stop: stop)
        let source = try container.isSequence ? Source(sequence: container) : Source(still: container, limits, stop)
        try limits.check(source.size)
        let stream = try AV1SequenceHeader(source.stream, in: bytes, stop)
        if let size = stream?.size { try limits.check(size) }
        (configuration, extents) = (source.configuration, source.extents)
        (track, alphaSamples) = (source.track, source.alphaSamples)
        declaredPixels = Self.pixels(container, [source.size, stream?.size])
        image = try ISOImage(
            source.properties, size: source.size, grid: source.grid, hasAlpha: source.hasAlpha,
            ISOImage.Samples(
                coding: "AV1, \(configuration.profileName) profile", bitDepth: configuration.bitDepth,
                chromaSubsampling: configuration.chromaSubsampling, colors: stream.map { CodedColors($0) }),
            metadata: source.metadata, in: container, limits: limits, stop: stop)
        info = image.info(
            isProgressive: track == nil && source.properties.contains { $0.type == "a1lx" },
            frameCount: max(1, track?.samples.count ?? 1))
    }

    private static func pixels(_ container: ISOMediaFile, _ sizes: [PixelSize?]) -> Int {
        let meta = container.meta
        let items = meta?.items.compactMap { meta?.size(of: $0) } ?? []
        let tracks = container.movie?.tracks.map(\.size) ?? []
        return (sizes.compactMap { $0 } + items + tracks).map { $0.pixelCount ?? .max }.max() ?? 0
    }
}

/// The image or the frames: an item or a track, or a grid of items.
private struct Source {
    var properties: [ISOProperty]
    /// The size as coded, before cropping.
    var size: PixelSize
    var configuration: AV1Configuration
    /// Where the beginning of the AV1 stream is.
    var stream: [Range<Int>]
    var extents: [Range<Int>]
    var grid: ISOStillImage.Grid?
    var track: ISOTrack?
    var hasAlpha: Bool
    var alphaSamples: [ISOTrack.Sample] = []
    /// The items that may hold metadata of the image.
    var metadata: [ISOItem]

    /// Finds the frames of a sequence.
    init(sequence container: ISOMediaFile) throws(TexelError) {
        let tracks = container.movie?.tracks.filter { $0.codingType == "av01" && $0.id != 0 } ?? []
        guard let track = tracks.first(where: { track in !track.references.contains { $0.type == "auxl" } }) else {
            throw .avif(.missing("AV1 track"))
        }
        guard let first = track.samples.first else { throw .avif(.missing("first frame")) }
        guard let property = track.property("av1C") else { throw .avif(.missing("box av1C")) }
        guard track.size.isPositive else {
            throw .avif(.invalidDimensions(width: track.size.width, height: track.size.height))
        }
        self.track = track
        (properties, size) = (track.properties, track.size)
        configuration = try AV1Configuration(property, in: container.bytes)
        (stream, extents) = ([first.range], [first.range])
        let alpha = tracks.first { other in
            other.references.contains { $0.type == "auxl" && $0.to.contains(track.id) }
        }
        (hasAlpha, alphaSamples) = (alpha != nil, alpha?.samples ?? [])
        metadata = (track.meta?.items ?? []) + (container.meta?.items ?? [])
    }

    /// Finds the primary item and its alpha.
    init(still container: ISOMediaFile, _ limits: Limits, _ stop: StopToken?) throws(TexelError) {
        guard let meta = container.meta, let item = meta.primaryItem else { throw .avif(.missing("primary item")) }
        let still = try ISOStillImage(item, coding: AVIFFile.coding, in: container, meta, limits: limits, stop: stop)
        guard let first = still.coded.first, let property = meta.property("av1C", of: first) else {
            throw .avif(.missing("box av1C"))
        }
        (properties, size, grid) = (still.properties, still.size, still.grid)
        configuration = try AV1Configuration(property, in: container.bytes)
        (stream, extents) = (first.extents, still.extents)
        let alpha = meta.alpha(of: item)
        hasAlpha = alpha != nil
        metadata = meta.sources("cdsc", to: item.id)
        if let alpha {
            let cells = alpha.type == "grid" ? meta.targets("dimg", from: alpha.id).compactMap { meta[$0] } : []
            extents += ([alpha] + cells).flatMap(\.extents)
        }
    }
}

extension AV1SequenceHeader {
    /// Reads the header of a stream in a file; `nil` if it has none. Waits for the beginning of the stream.
    ///
    /// - Throws: `stopped`.
    fileprivate init?(_ stream: [Range<Int>], in bytes: InputBytes, _ stop: StopToken?) throws(TexelError) {
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
