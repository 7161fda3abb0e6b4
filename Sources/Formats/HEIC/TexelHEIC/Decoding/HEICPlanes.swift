import CCodecShims
import CHEICShim
import TexelCodecs
import TexelCore
import TexelPixels

/// The planes of an image in its stored resolution. Its coded images are decoded in order, those of a row of cells
/// together.
///
/// Not thread-safe; a decoder owns it.
final class HEICPlanes {
    private let image: HEICImage
    private let source: HEICCellSource
    private let options: DecodeOptions
    /// The planes of a grid; `nil` for a single image, whose planes are those of the library.
    private let grid: HEICGridPlanes?
    private var single: HEICLibraryImage?
    /// The number of coded images that have been decoded.
    private var decoded = 0

    /// - Throws: `outOfMemory`.
    init(_ image: HEICImage, of file: ISOMediaFile, _ options: DecodeOptions) throws(TexelError) {
        (self.image, self.options) = (image, options)
        source = HEICCellSource(image: image, file: file, options: options)
        grid = image.still.grid == nil ? nil : try HEICGridPlanes(image)
    }

    /// Returns a plane; empty if there is none. Rows after ``completeRows`` are undefined.
    func plane(_ index: Int) -> texel_plane { grid?.plane(index) ?? single?.plane(index) ?? texel_plane() }

    /// The number of complete rows of pixels.
    var completeRows: Int { min(decoded / image.columns * image.codedSize.height, image.still.size.height) }

    /// Decodes until `rows` rows are complete. Blocks while bytes arrive.
    ///
    /// - Throws: `truncated` with the number of complete rows, `damaged`, `unsupported`, `outOfMemory`, `stopped`.
    func decode(rows: Int) throws(TexelError) {
        while completeRows < rows {
            do throws(TexelError) {
                if let grid {
                    try decodeCells(of: grid)
                } else {
                    single = try source.image(0)
                    decoded = 1
                }
            } catch {
                guard error.kind == .truncated else { throw error }
                throw .truncated(rowsRead: completeRows, rows: image.still.size.height)
            }
        }
    }

    /// Decodes the next row of cells. Without all bytes, those before the first incomplete one.
    private func decodeCells(of grid: HEICGridPlanes) throws(TexelError) {
        let first = decoded
        let count = min(image.columns - first % image.columns, image.still.coded.count - first)
        let results = ParallelJobs.map(count, threads: options.parallelism) { [source] index in
            Result { () throws(TexelError) in
                try grid.copy(try source.image(first + index), to: first + index)
            }
        }
        for result in results {
            try result.get()
            decoded += 1
        }
    }
}

/// The coded images of an image.
private struct HEICCellSource: Sendable {
    let image: HEICImage
    let file: ISOMediaFile
    let options: DecodeOptions

    /// Decodes a coded image. Blocks while bytes arrive.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported`, `outOfMemory`, `stopped`.
    func image(_ index: Int) throws(TexelError) -> HEICLibraryImage {
        try options.stop?.check()
        let item = image.still.coded[index]
        let truncated = TexelError.truncated(rowsRead: 0, rows: image.still.size.height)
        let end = item.extents.map(\.upperBound).max() ?? 0
        guard try file.bytes.has(end, options.stop) else { throw truncated }
        var data: [UInt8] = []
        for extent in item.extents { data += file.bytes[extent] }
        let units = try HEVCImageData(data, image.configurations[index])
        if units.isTruncated, options.policy.strictness != .none { throw truncated }
        return try HEICLibraryImage(units, image.configurations[index], options.policy.strictness)
    }
}

/// The planes of a grid, one after another.
private struct HEICGridPlanes: Sendable {
    private let image: HEICImage
    private let memory: LargeMemory
    private let layout: [(offset: Int, bytesPerRow: Int, size: PixelSize)]

    /// - Throws: `outOfMemory`.
    init(_ image: HEICImage) throws(TexelError) {
        self.image = image
        let parameters = image.parameters
        var layout: [(offset: Int, bytesPerRow: Int, size: PixelSize)] = []
        var offset = 0
        for plane in 0..<(parameters.chromaFormat == 0 ? 1 : 3) {
            let size = parameters.planeSize(plane, of: image.still.size)
            // Sides are below the limits, whose product fits into memory.
            let bytesPerRow = (size.width * image.bytesPerSample + 63) / 64 * 64
            layout.append((offset, bytesPerRow, size))
            offset += bytesPerRow * size.height
        }
        guard let memory = LargeMemory(byteCount: max(1, offset)) else { throw .outOfMemory }
        (self.layout, self.memory) = (layout, memory)
    }

    /// Returns a plane; `nil` if there is none.
    func plane(_ index: Int) -> texel_plane? {
        guard layout.indices.contains(index) else { return nil }
        let (offset, bytesPerRow, size) = layout[index]
        return texel_plane(
            samples: UnsafeRawPointer(memory.base + offset), bytes_per_row: bytesPerRow, width: Int32(size.width),
            height: Int32(size.height))
    }

    /// Copies the part of a cell that is inside of the image. Cells may be copied at the same time.
    func copy(_ coded: HEICLibraryImage, to index: Int) throws(TexelError) {
        let (row, column) = (index / image.columns, index % image.columns)
        let (cell, whole, parameters) = (image.codedSize, image.still.size, image.parameters)
        for plane in layout.indices {
            let shift = plane == 0 ? (x: 0, y: 0) : parameters.chromaShift
            let (offset, bytesPerRow, size) = layout[plane]
            // Cells begin at even pixels if chroma is halved; `HEICImage` has checked it.
            let (x, y) = (column * cell.width >> shift.x, row * cell.height >> shift.y)
            let visible = PixelSize(
                width: min(cell.width, whole.width - column * cell.width),
                height: min(cell.height, whole.height - row * cell.height))
            let part = parameters.planeSize(plane, of: visible)
            let samples = coded.plane(plane)
            guard let from = samples.samples, Int(samples.width) >= part.width, Int(samples.height) >= part.height
            else {
                throw .heic(.corrupt("the decoded image has too few samples"))
            }
            // The part is inside of the plane.
            precondition(x + part.width <= size.width && y + part.height <= size.height)
            let start = memory.base + offset + y * bytesPerRow + x * image.bytesPerSample
            for y in 0..<part.height {
                (start + y * bytesPerRow).copyMemory(
                    from: from + y * samples.bytes_per_row, byteCount: part.width * image.bytesPerSample)
            }
        }
        extendLifetime(coded)
    }
}
