import CCodecShims
import CHEICShim
import TexelCodecs
import TexelPixels

/// The planes of an image in its stored resolution. Its coded images are decoded in order, one at a time.
///
/// Not thread-safe; a decoder owns it.
final class HEICPlanes {
    private let image: HEICImage
    private let file: ISOMediaFile
    private let options: DecodeOptions
    /// All planes, one after another.
    private let memory: LargeMemory
    private var layout: [(offset: Int, bytesPerRow: Int, size: PixelSize)] = []
    /// The number of coded images that have been decoded.
    private var decoded = 0

    /// - Throws: `outOfMemory`.
    init(_ image: HEICImage, of file: ISOMediaFile, _ options: DecodeOptions) throws(CodecError) {
        (self.image, self.file, self.options) = (image, file, options)
        let parameters = image.parameters
        var offset = 0
        for plane in 0..<(parameters.chromaFormat == 0 ? 1 : 3) {
            let size = parameters.planeSize(plane, of: image.still.size)
            // Sides are below the limits, whose product fits into memory.
            let bytesPerRow = (size.width * image.bytesPerSample + 63) / 64 * 64
            layout.append((offset, bytesPerRow, size))
            offset += bytesPerRow * size.height
        }
        guard let memory = LargeMemory(byteCount: max(1, offset)) else { throw .outOfMemory }
        self.memory = memory
    }

    /// The number of planes: 1 or 3.
    var count: Int { layout.count }

    /// Returns a plane. Rows after ``completeRows`` are undefined.
    func plane(_ index: Int) -> texel_plane {
        guard layout.indices.contains(index) else { return texel_plane() }
        let (offset, bytesPerRow, size) = layout[index]
        return texel_plane(
            samples: UnsafeRawPointer(memory.base + offset), bytes_per_row: bytesPerRow, width: Int32(size.width),
            height: Int32(size.height))
    }

    /// The number of complete rows of pixels.
    var completeRows: Int { min(decoded / image.columns * image.codedSize.height, image.still.size.height) }

    /// Decodes until `rows` rows are complete. Blocks while bytes arrive.
    ///
    /// - Throws: `truncated` with the number of complete rows, `damaged`, `unsupported`, `outOfMemory`, `stopped`.
    func decode(rows: Int) throws(CodecError) {
        while completeRows < rows {
            try options.stop?.check()
            try decodeNext()
        }
    }

    private func decodeNext() throws(CodecError) {
        let truncated = CodecError.truncated(rowsRead: completeRows, rows: image.still.size.height)
        let item = image.still.coded[decoded]
        let end = item.extents.map(\.upperBound).max() ?? 0
        guard try file.bytes.has(end, options.stop) else { throw truncated }
        var data: [UInt8] = []
        for extent in item.extents { data += file.bytes[extent] }
        let configuration = image.configurations[decoded]
        let units: HEVCImageData
        do throws(CodecError) {
            units = try HEVCImageData(data, configuration)
        } catch {
            if case .truncated = error { throw truncated }
            throw error
        }
        if units.isTruncated, options.policy.strictness != .none { throw truncated }
        let coded = try HEICLibraryImage(units, configuration, options.policy.strictness)
        try copy(coded)
        decoded += 1
    }

    /// Copies the part of a coded image that is inside of the image.
    private func copy(_ coded: HEICLibraryImage) throws(CodecError) {
        let (row, column) = (decoded / image.columns, decoded % image.columns)
        let (cell, whole, parameters) = (image.codedSize, image.still.size, image.parameters)
        let shift = parameters.chromaShift
        for plane in layout.indices {
            let (shiftX, shiftY) = plane == 0 ? (0, 0) : shift
            let (offset, bytesPerRow, size) = layout[plane]
            // Cells begin at even pixels if chroma is halved; `HEICImage` has checked it.
            let (x, y) = (column * cell.width >> shiftX, row * cell.height >> shiftY)
            let visible = PixelSize(
                width: min(cell.width, whole.width - column * cell.width),
                height: min(cell.height, whole.height - row * cell.height))
            let part = parameters.planeSize(plane, of: visible)
            // The part is inside of the plane.
            precondition(x + part.width <= size.width && y + part.height <= size.height)
            let start = memory.base + offset + y * bytesPerRow + x * image.bytesPerSample
            try coded.copy(plane, part, to: start, bytesPerRow: bytesPerRow)
        }
    }
}
