package import TexelCore
package import TexelPixels

/// A still image in items: a coded image, or a grid of coded images (ISO/IEC 23008-12, 6.6.2.3).
package struct ISOStillImage: Sendable {
    package let item: ISOItem
    package let properties: [ISOProperty]
    /// The size before cropping.
    package let size: PixelSize
    /// The coded images: the item itself, or the cells of the grid, row by row.
    package let coded: [ISOItem]
    package let grid: Grid?

    /// Cells of the same size; those at the right and the bottom edge may extend beyond the image.
    package struct Grid: Sendable, Hashable {
        package let rows: Int
        package let columns: Int
        package let cell: PixelSize
    }

    /// The bytes of the file that the image needs.
    package var extents: [Range<Int>] { coded.flatMap(\.extents) + (grid == nil ? [] : item.extents) }

    /// Reads the description of an image; waits for the data of a grid.
    ///
    /// - Parameter coding: the type of coded images, such as "hvc1".
    /// - Throws: `truncated`, `damaged`, `unsupported` for other types of items, `limitExceeded`, `stopped`.
    package init(
        _ item: ISOItem, coding: BoxType, in file: ISOMediaFile, _ meta: ISOMeta, limits: Limits, stop: StopToken?
    ) throws(TexelError) {
        let format = file.format
        guard let size = meta.size(of: item) else { throw .damaged(format, .missing("box ispe")) }
        guard size.isPositive else {
            throw .damaged(format, .invalidDimensions(width: size.width, height: size.height))
        }
        try limits.check(size)
        (self.item, self.size) = (item, size)
        properties = meta.properties(of: item)
        switch item.type {
        case coding: (coded, grid) = ([item], nil)
        case "grid":
            coded = meta.targets("dimg", from: item.id).compactMap { meta[$0] }
            grid = try Self.grid(item, coded, size, file, meta, limits, stop)
        case "iovl": throw .unsupported("\(format.displayName) with several images on one canvas (iovl)")
        case "iden": throw .unsupported("\(format.displayName) with an image derived from another one (iden)")
        default: throw .unsupported("\(format.displayName) with an image of the type \(item.type)")
        }
        guard !coded.isEmpty, coded.allSatisfy({ !$0.extents.isEmpty }) else {
            throw .damaged(format, .missing("data of the image"))
        }
    }

    private static func grid(
        _ item: ISOItem, _ cells: [ISOItem], _ size: PixelSize, _ file: ISOMediaFile, _ meta: ISOMeta,
        _ limits: Limits, _ stop: StopToken?
    ) throws(TexelError) -> Grid {
        func corrupt(_ message: String) -> TexelError { .damaged(file.format, .corrupt(message)) }
        guard let data = try file.data(of: item, limits: limits, stop: stop) else {
            throw .truncated(rowsRead: 0, rows: size.height)
        }
        let sideSize = data.count > 1 && data[1] & 1 == 1 ? 4 : 2
        guard data.count >= 4 + 2 * sideSize, data[0] == 0 else { throw corrupt("the grid is damaged") }
        let (rows, columns) = (Int(data[2]) + 1, Int(data[3]) + 1)
        let output = PixelSize(
            width: data.bigEndian(sideSize, at: 4), height: data.bigEndian(sideSize, at: 4 + sideSize))
        guard output == size else { throw corrupt("the grid has \(output) pixels, but the image \(size)") }
        guard cells.count == rows * columns else {
            throw corrupt("a grid of \(rows) × \(columns) cells has \(cells.count)")
        }
        guard let first = cells.first, let cell = meta.size(of: first), cell.isPositive,
            cells.allSatisfy({ meta.size(of: $0) == cell })
        else { throw corrupt("the cells of the grid have no common size") }
        // No row and no column is superfluous. Sides have 32 bits, and there are at most 256 rows and columns.
        guard cell.width * columns >= size.width, cell.width * (columns - 1) < size.width,
            cell.height * rows >= size.height, cell.height * (rows - 1) < size.height
        else { throw corrupt("cells of \(cell) pixels do not fit a grid of \(size)") }
        return Grid(rows: rows, columns: columns, cell: cell)
    }

    /// The part of ``size`` that is displayed: the clean aperture, or everything if there is none or if it is not whole
    /// pixels of the image, with a warning.
    package static func area(of size: PixelSize, _ properties: [ISOProperty]) -> (PixelRectangle, warning: String?) {
        let everything = PixelRectangle(covering: size)
        guard case .cleanAperture(let aperture)? = properties.first(where: { $0.type == "clap" })?.value else {
            return (everything, nil)
        }
        guard let area = aperture.rectangle(in: size) else {
            return (everything, "the clean aperture is not inside the image; the whole image is shown")
        }
        return (area, nil)
    }
}

extension ISOMeta {
    /// The types of auxiliary images that are alpha; the second is from before the first was defined.
    private static let alphaTypes: Set = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    ]

    /// Returns the alpha of an image.
    package func alpha(of item: ISOItem) -> ISOItem? {
        sources("auxl", to: item.id).first { auxiliary in
            guard case .auxiliaryType(let type)? = property("auxC", of: auxiliary)?.value else { return false }
            return Self.alphaTypes.contains(type)
        }
    }
}

extension ISOMediaFile {
    /// Reads EXIF and XMP in items; the first of each. Waits for their data; blocks that are cut off are left out.
    ///
    /// - Throws: `limitExceeded`, `stopped`.
    package func metadata(
        _ items: some Sequence<ISOItem>, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> ImageMetadata {
        var metadata = ImageMetadata()
        for item in items where item.isEXIF || item.isXMP {
            guard let data = try data(of: item, limits: limits, stop: stop) else { continue }
            if item.isEXIF, metadata.exif == nil {
                // ISO/IEC 23008-12, A.2.1: the offset of the TIFF header comes first.
                guard data.count > 4 else { continue }
                let offset = data.bigEndian(4, at: 0)
                guard offset < data.count - 4 else { continue }
                metadata.setEXIF(Array(data[(4 + offset)...]))
            } else if item.isXMP, metadata.xmp == nil {
                metadata.xmp = XMP(data)
            }
        }
        return metadata
    }
}
