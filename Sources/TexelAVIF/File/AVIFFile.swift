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
        /// The rows and columns of a grid.
        var grid: (rows: Int, columns: Int)?
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
    let colors: AVIFColors
    let metadata: ImageMetadata
    /// The maximum number of pixels that anything in the file declares: images that are not displayed, too, because
    /// libavif checks and may decode them.
    let declaredPixels: Int
    /// What the strictness `warning` rejects.
    private(set) var warning: String?

    var bytes: InputBytes { container.bytes }

    /// The brands of files with items and of files with tracks (AVIF, 6).
    static let brands = ISOMediaFile.Brands(still: ["avif"], sequence: ["avis"])

    /// The types of auxiliary images that are alpha; the second is from before the standard.
    private static let alphaTypes: Set = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    ]

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
                (found.track.meta?.items ?? []).filter { $0.isEXIF || $0.isXMP }
                + (container.meta?.items ?? []).filter { $0.isEXIF || $0.isXMP }
        } else {
            let found = try Self.still(container, limits, stop)
            (source, hasAlpha, alphaSamples) = (found.source, found.hasAlpha, [])
            metadataItems = found.metadata
        }
        try limits.check(source.size)
        (area, warning) = Self.area(of: source)
        colors = try AVIFColors(source, bytes, stop)
        if let size = colors.streamSize { try limits.check(size) }
        declaredPixels = Self.pixels(container, [source.size, colors.streamSize])
        metadata = try Self.metadata(metadataItems, container, limits, stop)
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
        guard let size = meta.size(of: item) else { throw .avif(.missing("box ispe")) }
        guard size.isPositive else { throw .avif(.invalidDimensions(width: size.width, height: size.height)) }
        try limits.check(size)
        let alpha = meta.sources("auxl", to: item.id).first { auxiliary in
            guard case .auxiliaryType(let type)? = meta.property("auxC", of: auxiliary)?.value else { return false }
            return alphaTypes.contains(type)
        }
        let metadata = meta.sources("cdsc", to: item.id).filter { $0.isEXIF || $0.isXMP }
        var source: Source
        switch item.type {
        case "av01": source = try image(item, [item], size, container, meta)
        case "grid":
            let cells = meta.targets("dimg", from: item.id).compactMap { meta[$0] }
            source = try image(item, cells, size, container, meta)
            source.extents += item.extents
            source.grid = try grid(item, cells, size, container, limits, stop)
            try checkCells(cells.map { meta.size(of: $0) }, of: size, source.grid)
        default: throw .unsupported("an AVIF image of the type \(item.type)")
        }
        if let alpha {
            let cells = alpha.type == "grid" ? meta.targets("dimg", from: alpha.id).compactMap { meta[$0] } : []
            source.extents += ([alpha] + cells).flatMap(\.extents)
        }
        return (source, alpha != nil, metadata)
    }

    private static func image(
        _ item: ISOItem, _ coded: [ISOItem], _ size: PixelSize, _ container: ISOMediaFile, _ meta: ISOMeta
    ) throws(CodecError) -> Source {
        guard let first = coded.first, coded.allSatisfy({ !$0.extents.isEmpty }) else {
            throw .avif(.missing("data of the image"))
        }
        guard let property = meta.property("av1C", of: first) else { throw .avif(.missing("box av1C")) }
        return Source(
            properties: meta.properties(of: item), size: size,
            configuration: try AV1Configuration(property, in: container.bytes), stream: first.extents,
            extents: coded.flatMap(\.extents))
    }

    /// Checks the description of a grid (ISO/IEC 23008-12, 6.6.2.3).
    private static func grid(
        _ item: ISOItem, _ cells: [ISOItem], _ size: PixelSize, _ container: ISOMediaFile, _ limits: Limits,
        _ stop: StopToken?
    ) throws(CodecError) -> (rows: Int, columns: Int) {
        guard let data = try container.data(of: item, limits: limits, stop: stop) else {
            throw .truncated(rowsRead: 0, rows: size.height)
        }
        let sideSize = data.count > 1 && data[1] & 1 == 1 ? 4 : 2
        guard data.count >= 4 + 2 * sideSize, data[0] == 0 else { throw .avif(.corrupt("the grid is damaged")) }
        let (rows, columns) = (Int(data[2]) + 1, Int(data[3]) + 1)
        func side(_ at: Int) -> Int { data[at..<(at + sideSize)].reduce(0) { $0 << 8 | Int($1) } }
        let output = PixelSize(width: side(4), height: side(4 + sideSize))
        guard output == size else {
            throw .avif(.corrupt("the grid has \(output) pixels, but the image \(size)"))
        }
        guard cells.count == rows * columns else {
            throw .avif(.corrupt("a grid of \(rows) × \(columns) cells has \(cells.count)"))
        }
        return (rows, columns)
    }

    /// Checks that cells have the same size and cover the image without a superfluous row or column, so that they need
    /// at most four times the memory of the image.
    private static func checkCells(
        _ sizes: [PixelSize?], of size: PixelSize, _ grid: (rows: Int, columns: Int)?
    ) throws(CodecError) {
        guard let grid, let first = sizes.first, let cell = first, cell.isPositive, sizes.allSatisfy({ $0 == cell })
        else { throw .avif(.corrupt("the cells of the grid have no common size")) }
        // Sides have 32 bits, and there are at most 256 rows and columns.
        guard cell.width * grid.columns >= size.width, cell.width * (grid.columns - 1) < size.width,
            cell.height * grid.rows >= size.height, cell.height * (grid.rows - 1) < size.height
        else { throw .avif(.corrupt("cells of \(cell) pixels do not fit a grid of \(size)")) }
    }

    // MARK: Properties

    /// Returns the clean aperture, or everything if there is none or if it is not whole pixels of the image.
    private static func area(of source: Source) -> (PixelRectangle, warning: String?) {
        let everything = PixelRectangle(covering: source.size)
        guard case .cleanAperture(let aperture)? = source.properties.first(where: { $0.type == "clap" })?.value else {
            return (everything, nil)
        }
        guard let area = aperture.rectangle(in: source.size) else {
            return (everything, "the clean aperture is not inside the image; the whole image is shown")
        }
        return (area, nil)
    }

    /// Reads EXIF and XMP; the first of each. Blocks that are cut off are left out.
    private static func metadata(
        _ items: [ISOItem], _ container: ISOMediaFile, _ limits: Limits, _ stop: StopToken?
    ) throws(CodecError) -> ImageMetadata {
        var metadata = ImageMetadata()
        for item in items {
            guard let data = try container.data(of: item, limits: limits, stop: stop) else { continue }
            if item.isEXIF, metadata.exif == nil {
                // ISO/IEC 23008-12, A.2.1: the offset of the TIFF header comes first.
                guard data.count > 4 else { continue }
                let offset = data[..<4].reduce(0) { $0 << 8 | Int($1) }
                guard offset < data.count - 4 else { continue }
                metadata.exif = EXIF(Array(data[(4 + offset)...]))
            } else if item.isXMP, metadata.xmp == nil {
                metadata.xmp = XMP(data)
            }
        }
        return metadata
    }

    /// The transform from the stored pixels to the displayed image. EXIF has none here (ISO/IEC 23000-22, 7.3.6.7).
    var orientation: Orientation { source.properties.orientation }
}
