import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes a page to BGRA32 rows, strip by strip or a row of tiles at a time.
final class TIFFDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    let colorSpace: ColorSpace
    private let layout: TIFFLayout
    private let planes: [any TIFFPlaneReader]
    private let converter: TIFFRowConverter
    private let metadata: ImageMetadata
    /// The assumption about the file, as a warning.
    private let warning: String?
    private let options: DecodeOptions
    /// The current stored row of each plane; `nil` if one of them is missing.
    private var rows: [UnsafePointer<UInt8>]?
    private var rowsRead = 0

    /// - Throws: `truncated` if the colours cannot be known; any error of the first strip.
    init(_ page: TIFFPage, _ options: DecodeOptions) throws(TexelError) {
        let (input, layout, colors) = (page.input, page.layout, page.colors)
        try options.policy.limits.check(layout.size)
        if colors.isCutOff, options.policy.strictness != .none { throw .truncated(rowsRead: 0, rows: 0) }
        warning =
            layout.alpha == .assumed ? "the meaning of the fourth sample is not declared; it is read as alpha" : nil
        if options.policy.strictness == .warning, let warning { throw .warning(warning) }
        (self.layout, self.options) = (layout, options)
        (size, colorSpace, metadata) = (layout.size, colors.colorSpace, page.metadata)
        alphaMode = layout.alpha == .none ? .opaque : .straight
        let parts = try TIFFParts(page.directory, layout, in: input, options.stop)
        var planes: [any TIFFPlaneReader] = []
        // Other planes hold samples that are not used.
        let used = layout.isSeparate ? layout.color.sampleCount + (layout.alpha == .none ? 0 : 1) : 1
        for plane in 0..<used {
            let context = TIFFPlaneContext(
                input: input, layout: layout, parts: parts, plane: plane, directory: page.directory, options: options)
            planes.append(try Self.reader(context))
        }
        self.planes = planes
        converter = TIFFRowConverter(
            layout, order: input.order, hasFileOrder: planes.first?.hasFileOrder ?? false,
            palette: colors.palette, profile: colors.inkProfile, conversion: colors.yCbCr,
            dithers: options.dithers)
    }

    private static func reader(_ context: TIFFPlaneContext) throws(TexelError) -> any TIFFPlaneReader {
        if context.layout.isTiled { return try TIFFTiles(context) }
        return context.layout.compression == .none
            ? try TIFFUncompressedStrips(context) : try TIFFLibraryStrips(context)
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        for y in 0..<count {
            if y % 8 == 0 { try options.stop?.check() }
            let line = rowsRead % layout.rowsOfUnit
            if line == 0 { try readUnit() }
            rowsRead += 1
            // The caller's memory holds `count` rows of `size.width` pixels each.
            let pixels = UnsafeMutableBufferPointer(
                start: (rows + y * bytesPerRow).assumingMemoryBound(to: UInt32.self), count: size.width)
            if let planes = self.rows {
                converter.convert(planes, line: line, y: rowsRead - 1, into: pixels)
            } else {
                pixels.update(repeating: alphaMode.missingPixel)
            }
        }
    }

    private func readUnit() throws(TexelError) {
        var current: [UnsafePointer<UInt8>] = []
        for plane in planes {
            if let row = try plane.next() { current.append(row) }
        }
        rows = current.count == planes.count ? current : nil
    }

    func finish() throws(TexelError) -> DecoderResult {
        let accepted = planes.compactMap(\.warning) + [warning].compactMap { $0 }
        return DecoderResult(metadata: metadata, warnings: Array(accepted.prefix(1)))
    }
}
