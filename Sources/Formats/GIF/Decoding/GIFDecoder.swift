import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes one image of a GIF to BGRA32 rows: the rows of a window of the canvas, which is transparent around the
/// image.
///
/// The rows of an image that is not interlaced are decoded when they are read; its memory does not depend on its
/// height.
final class GIFDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    let colorSpace: ColorSpace

    private let image: GIFFile.Image
    private let window: PixelRectangle
    private let options: DecodeOptions
    private let source: GIFIndexSource
    /// The pixel of each index: those of the colour table, black beyond it, and 0 for the transparent index.
    private let colors: UnsafeMutablePointer<UInt32>
    private let colorCount: Int
    private var result: DecoderResult
    private var rowsRead = 0
    private var missingRows = 0
    /// Whether a pixel has an index without a colour.
    private var lacksColor = false
    /// Whether the file ends inside its last image, perhaps after the last row, or has another defect.
    private let hasDefect: Bool

    /// - Parameters:
    ///   - window: the whole canvas, or the visible part of the image; at most as far to the left and to the top as the
    ///     image.
    ///   - result: what `finish()` returns; warnings are added.
    init(
        _ image: GIFFile.Image, of file: GIFFile, window: PixelRectangle, result: DecoderResult,
        _ options: DecodeOptions
    ) throws(TexelError) {
        try options.policy.limits.check(image.area.size)
        (self.image, self.window, self.options, self.result) = (image, window, options, result)
        hasDefect = file.isCut || file.hasDefect
        size = window.size
        colorSpace = file.colorSpace
        source = try GIFIndexSource(image, file.bytes)
        let isCovered = image.area.x == window.x && image.area.y == window.y && image.visibleArea?.size == window.size
        // Missing rows are transparent.
        let isOpaque = isCovered && image.transparentIndex == nil && options.policy.strictness != .none
        alphaMode = isOpaque ? .opaque : .straight
        colors = .allocate(capacity: 256)
        colors.initialize(repeating: 0xFF00_0000, count: 256)
        colorCount = (image.colors?.count ?? 0) / 3
        // At most 256 colours: a descriptor has three bits for the size of its table.
        if let table = image.colors {
            for index in 0..<colorCount {
                let at = table.lowerBound + 3 * index
                let (red, green, blue) = (file.bytes[at], file.bytes[at + 1], file.bytes[at + 2])
                colors[index] = 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
            }
        }
        if let index = image.transparentIndex { colors[Int(index)] = 0 }
    }

    deinit { colors.deallocate() }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        try options.stop?.check()
        for y in 0..<count {
            let row = (rows + y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
            try draw(rowsRead + y, into: row)
        }
        rowsRead += count
    }

    /// Writes row `y` of the window.
    ///
    /// - Parameter row: room for a row of the window.
    private func draw(_ y: Int, into row: UnsafeMutablePointer<UInt32>) throws(TexelError) {
        let imageRow = window.y + y - image.area.y
        let left = image.area.x - window.x
        let count = min(image.area.width, size.width - left)
        guard imageRow >= 0, imageRow < image.area.height, count > 0, let indices = try indices(ofRow: imageRow) else {
            return row.update(repeating: 0, count: size.width)
        }
        row.update(repeating: 0, count: left)
        // `indices` has the width of the image, and `colors` an entry for each value of a byte.
        for x in 0..<count { row[left + x] = colors[Int(indices[x])] }
        (row + left + count).update(repeating: 0, count: size.width - left - count)
    }

    /// Returns the indices of a row of the image; `nil` if it is missing and the strictness accepts that.
    private func indices(ofRow row: Int) throws(TexelError) -> UnsafeBufferPointer<UInt8>? {
        let indices = try source.row(row, stop: options.stop)
        guard let indices else {
            guard options.policy.strictness == .none else {
                throw source.defect.map { .gif($0) }
                    ?? .truncated(rowsRead: source.rowCount, rows: image.area.height)
            }
            missingRows += 1
            return nil
        }
        guard colorCount < 256, !lacksColor, Int(indices.max() ?? 0) >= colorCount else { return indices }
        for index in indices where Int(index) >= colorCount && index != image.transparentIndex {
            lacksColor = true
            guard options.policy.strictness == .error || options.policy.strictness == .warning else { break }
            throw .gif(.invalidValue(Int(index), of: "colour index", context: "a table of \(colorCount) colours"))
        }
        return indices
    }

    func finish() throws(TexelError) -> DecoderResult {
        if options.policy.strictness == .warning, let warning = result.warnings.first { throw .warning(warning) }
        if missingRows > 0 {
            let reason = source.defect.map { "\($0)" } ?? "the data end early"
            result.warnings = ["\(missingRows) rows are missing: \(reason)"]
        }
        // Other readers also decode the rows of an image that are outside the canvas.
        let isExact = rowsRead == size.height ? try source.isExact(options.stop) : true
        result.hasDamagedPixels = missingRows > 0 || hasDefect || !isExact || lacksColor || image.hasNoPixels
        return result
    }
}
