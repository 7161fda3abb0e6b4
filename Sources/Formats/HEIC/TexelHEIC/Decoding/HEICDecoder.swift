import CCodecShims
import CPixelKernels
import TexelCodecs
import TexelPixels

/// Decodes a HEIC file to BGRA32 rows. Cells of a grid are decoded when their rows are read.
final class HEICDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    let colorSpace: ColorSpace
    private let file: HEICFile
    private let options: DecodeOptions
    private let notes: DecoderResult
    private let colors: texel_plane_colors
    /// Created with the first row; their memory is that of the whole image.
    private var planes: (image: HEICPlanes, alpha: HEICPlanes?)?
    private var reduction: PlaneReduction?
    /// A row of pixels before cropping, and the memory for its interpolated chroma.
    private var row: LargeMemory?
    private var rowsRead = 0
    /// Whether rows are missing, which only the strictness `none` accepts.
    private var isTruncated = false

    /// - Parameter metadata: what `finish()` returns.
    init(_ file: HEICFile, metadata: ImageMetadata, _ options: DecodeOptions) throws(CodecError) {
        let limits = options.policy.limits
        try limits.checkCodec(HEICMemory.bytes(of: file))
        if let warning = file.warning, options.policy.strictness == .warning { throw .warning(warning) }
        (self.file, self.options) = (file, options)
        let area = file.area.size
        size = PixelSize(
            width: (area.width + options.shrink - 1) / options.shrink,
            height: (area.height + options.shrink - 1) / options.shrink)
        alphaMode = file.alpha == nil ? .opaque : .straight
        colorSpace = file.colors.colorSpace
        notes = DecoderResult(metadata: metadata, warnings: file.warning.map { [$0] } ?? [])
        guard let colors = PlaneColors(file.colors.coded, depth: file.image.parameters.bitDepth)?.factors,
            !colors.is_identity || file.image.parameters.chromaFormat == 3
        else { throw .unsupported("the colour matrix \(file.colors.coded.matrix) of this HEIC") }
        self.colors = colors
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(CodecError) {
        try options.stop?.check()
        if options.shrink > 1 {
            try readReduced(count, into: rows, bytesPerRow)
        } else {
            try readWhole(count, into: rows, bytesPerRow)
        }
        rowsRead += count
    }

    func finish() throws(CodecError) -> DecoderResult {
        var result = notes
        if isTruncated { result.warnings.append("the image is truncated") }
        return result
    }

    // MARK: Planes

    private func sources() throws(CodecError) -> (image: HEICPlanes, alpha: HEICPlanes?) {
        if let planes { return planes }
        try LoadedLibrary.heic.require()
        var alpha: HEICPlanes?
        if let image = file.alpha { alpha = try HEICPlanes(image, of: file.container, options) }
        let created = (image: try HEICPlanes(file.image, of: file.container, options), alpha: alpha)
        planes = created
        return created
    }

    /// Decodes until `rows` rows of the image are complete.
    ///
    /// - Returns: the number of complete rows, fewer than `rows` only at the strictness `none`.
    private func decode(rows: Int) throws(CodecError) -> Int {
        let (image, alpha) = try sources()
        // What is missing stays missing, and cells after it must not be decoded for each row again.
        if isTruncated { return min(image.completeRows, alpha?.completeRows ?? .max) }
        let needed = min(rows, file.image.still.size.height)
        do throws(CodecError) {
            try image.decode(rows: needed)
            try alpha?.decode(rows: needed)
        } catch {
            guard case .truncated = error, options.policy.strictness == .none else {
                // Rows are displayed ones.
                guard case .truncated = error else { throw error }
                let complete = min(image.completeRows, alpha?.completeRows ?? .max)
                throw .truncated(
                    rowsRead: min(max(0, complete - file.area.y), file.area.height), rows: file.area.height)
            }
            isTruncated = true
        }
        return min(image.completeRows, alpha?.completeRows ?? .max)
    }

    private func description(_ image: HEICPlanes, _ alpha: HEICPlanes?) -> texel_planar_image {
        let parameters = file.image.parameters
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
    ) throws(CodecError) {
        let first = file.area.y + rowsRead
        // Chroma of the last row is interpolated with the row after it.
        let complete = try decode(rows: first + count + 1)
        let (image, alpha) = try sources()
        var description = description(image, alpha)
        // Rows after the complete ones have no samples to interpolate with.
        if complete < file.image.still.size.height { description.limit(rows: complete) }
        for y in 0..<count {
            let target = rows + y * bytesPerRow
            guard first + y < complete else {
                fill(target)
                continue
            }
            try write(&description, first + y, from: file.area.x, to: target)
        }
    }

    private func readReduced(
        _ count: Int, into rows: UnsafeMutableRawPointer, _ bytesPerRow: Int
    ) throws(CodecError) {
        let stored = file.image.still.size
        if reduction == nil {
            reduction = try PlaneReduction(
                width: stored.width, isDeep: file.image.parameters.bitDepth > 8, by: options.shrink)
        }
        guard let reduction else { return }
        for y in 0..<count {
            let target = rows + y * bytesPerRow
            let needed = PlaneReduction.rows(for: rowsRead + y, by: options.shrink, of: stored.height)
            if try decode(rows: needed.upperBound) >= needed.upperBound {
                reduction.convert(rowsRead + y, of: description(try sources().image, nil), to: target)
            } else {
                fill(target)
            }
        }
    }

    private func fill(_ row: UnsafeMutableRawPointer) {
        row.assumingMemoryBound(to: UInt32.self).update(
            repeating: alphaMode == .opaque ? 0xFF00_0000 : 0, count: size.width)
    }

    /// Converts a row, and copies `size.width` pixels from column `x` on.
    private func write(
        _ image: inout texel_planar_image, _ y: Int, from x: Int, to target: UnsafeMutableRawPointer
    ) throws(CodecError) {
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
        // `x` and the width are those of an area inside of the row.
        let from = row.base + x * PixelBuffer.bytesPerPixel
        if file.isPremultiplied {
            texel_kernels_in_use().pointee.unpremultiply_row(
                target.assumingMemoryBound(to: UInt8.self), from.assumingMemoryBound(to: UInt8.self), size.width)
        } else {
            target.copyMemory(from: from, byteCount: size.width * PixelBuffer.bytesPerPixel)
        }
    }
}
