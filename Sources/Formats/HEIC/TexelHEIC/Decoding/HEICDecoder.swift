import CCodecShims
import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes a HEIC file to BGRA32 rows. Cells of a grid are decoded when their rows are read.
final class HEICDecoder: RowDecoder {
    var size: PixelSize { output.size }
    var alphaMode: AlphaMode { output.alphaMode }
    var colorSpace: ColorSpace { output.colorSpace }
    private let output: ISORows
    private let file: HEICFile
    private let options: DecodeOptions
    private let colors: texel_plane_colors
    /// Created with the first row; their memory is that of the whole image.
    private var planes: (image: HEICPlanes, alpha: HEICPlanes?)?
    private var reduction: PlaneReduction?
    /// A row of pixels before cropping, and the memory for its interpolated chroma.
    private var row: LargeMemory?
    private var rowsRead = 0
    /// Whether rows are missing, which only the strictness `none` accepts.
    private var isTruncated = false

    init(_ file: HEICFile, _ options: DecodeOptions) throws(TexelError) {
        try options.policy.limits.checkCodec(HEICMemory.bytes(of: file))
        output = try ISORows(file.image, metadata: file.info.metadata, options)
        (self.file, self.options) = (file, options)
        let (coded, parameters) = (file.image.colors.coded, file.main.parameters)
        guard let colors = PlaneColors(coded, depth: parameters.bitDepth)?.factors,
            !colors.is_identity || parameters.chromaFormat == 3
        else { throw .unsupported("the colour matrix \(coded.matrix) of this HEIC") }
        self.colors = colors
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        try options.stop?.check()
        if options.shrink > 1 {
            try readReduced(count, into: rows, bytesPerRow)
        } else {
            try readWhole(count, into: rows, bytesPerRow)
        }
        rowsRead += count
    }

    func finish() throws(TexelError) -> DecoderResult { output.result(isTruncated: isTruncated) }

    // MARK: Planes

    private func sources() throws(TexelError) -> (image: HEICPlanes, alpha: HEICPlanes?) {
        if let planes { return planes }
        try LoadedLibrary.heic.require()
        var alpha: HEICPlanes?
        if let image = file.alpha { alpha = try HEICPlanes(image, of: file.image.container, options) }
        let created = (image: try HEICPlanes(file.main, of: file.image.container, options), alpha: alpha)
        planes = created
        return created
    }

    /// Decodes until `rows` rows of the image are complete.
    ///
    /// - Returns: the number of complete rows, fewer than `rows` only at the strictness `none`.
    private func decode(rows: Int) throws(TexelError) -> Int {
        let (image, alpha) = try sources()
        // What is missing stays missing, and cells after it must not be decoded for each row again.
        if isTruncated { return min(image.completeRows, alpha?.completeRows ?? .max) }
        let needed = min(rows, file.image.size.height)
        do throws(TexelError) {
            try image.decode(rows: needed)
            try alpha?.decode(rows: needed)
        } catch {
            guard error.kind == .truncated, options.policy.strictness == .none else {
                // Rows are displayed ones.
                guard error.kind == .truncated else { throw error }
                let complete = min(image.completeRows, alpha?.completeRows ?? .max)
                let area = file.image.area
                throw .truncated(rowsRead: min(max(0, complete - area.y), area.height), rows: area.height)
            }
            isTruncated = true
        }
        return min(image.completeRows, alpha?.completeRows ?? .max)
    }

    private func description(_ image: HEICPlanes, _ alpha: HEICPlanes?) -> texel_planar_image {
        let parameters = file.main.parameters
        let shift = parameters.chromaShift
        return texel_planar_image(
            planes: (image.plane(0), image.plane(1), image.plane(2)), alpha: alpha?.plane(0) ?? texel_plane(),
            is_deep: parameters.bitDepth > 8, alpha_is_deep: (file.alpha?.parameters.bitDepth ?? 8) > 8,
            alpha_depth: Int32(file.alpha?.parameters.bitDepth ?? 8), chroma_shift_x: Int32(shift.x),
            chroma_shift_y: Int32(shift.y), colors: colors)
    }

    // MARK: Rows

    private func readWhole(
        _ count: Int, into rows: UnsafeMutableRawPointer, _ bytesPerRow: Int
    ) throws(TexelError) {
        let first = file.image.area.y + rowsRead
        // Chroma of the last row is interpolated with the row after it.
        let complete = try decode(rows: first + count + 1)
        let (image, alpha) = try sources()
        var description = description(image, alpha)
        // Rows after the complete ones have no samples to interpolate with.
        if complete < file.image.size.height { description.limit(rows: complete) }
        for y in 0..<count {
            let target = rows + y * bytesPerRow
            guard first + y < complete else {
                output.writeMissing(to: target)
                continue
            }
            try write(&description, first + y, to: target)
        }
    }

    private func readReduced(
        _ count: Int, into rows: UnsafeMutableRawPointer, _ bytesPerRow: Int
    ) throws(TexelError) {
        let stored = file.image.size
        if reduction == nil {
            reduction = try PlaneReduction(
                width: stored.width, isDeep: file.main.parameters.bitDepth > 8, by: options.shrink)
        }
        guard let reduction else { return }
        for y in 0..<count {
            let target = rows + y * bytesPerRow
            let needed = PlaneReduction.rows(for: rowsRead + y, by: options.shrink, of: stored.height)
            if try decode(rows: needed.upperBound) >= needed.upperBound {
                reduction.convert(rowsRead + y, of: description(try sources().image, nil), to: target)
            } else {
                output.writeMissing(to: target)
            }
        }
    }

    /// Converts a row and writes its displayed part.
    private func write(
        _ image: inout texel_planar_image, _ y: Int, to target: UnsafeMutableRawPointer
    ) throws(TexelError) {
        let width = Int(image.planes.0.width)
        let pixels = width * PixelBuffer.bytesPerPixel
        if row == nil {
            // Two rows of chroma, and its sums, in words.
            guard let memory = LargeMemory(byteCount: pixels + 2 * (3 * width + 1)) else { throw .outOfMemory }
            row = memory
        }
        guard let row else { return }
        let scratch = (row.base + pixels).assumingMemoryBound(to: UInt16.self)
        texel_planar_row_to_bgra(&image, Int32(y), scratch, row.base.assumingMemoryBound(to: UInt8.self))
        output.write(row.base, isPremultiplied: file.isPremultiplied, to: target)
    }
}
