import TexelCodecs
import TexelCore
import TexelPixels

/// Decodes one image of a file to BGRA32 rows, each as soon as its samples have arrived.
final class PNMDecoder: RowDecoder {
    let size: PixelSize
    let alphaMode: AlphaMode
    /// The formats declare no colours; nearly all files have those of sRGB.
    let colorSpace = ColorSpace.sRGB

    private let header: PNMHeader
    private let options: DecodeOptions
    private let pages: PNMPages
    private let samples: any PNMSampleReader
    private let converter: InterleavedBytes
    private var rowsRead = 0
    /// Whether the samples ended or were damaged before the last row, which only the strictness `none` accepts.
    private var isIncomplete = false

    /// - Parameter header: the header of one of the pages.
    init(_ header: PNMHeader, of pages: PNMPages, _ options: DecodeOptions) throws(TexelError) {
        try options.policy.limits.check(header.size)
        (self.header, self.options, self.pages) = (header, options, pages)
        size = header.size
        alphaMode = header.channels.hasAlpha ? .straight : .opaque
        samples =
            header.isPlain
            ? PNMPlainSamples(header, in: pages.bytes, options)
            : PNMBinarySamples(header, in: pages.bytes, options)
        converter = InterleavedBytes(header.channels, step: header.depth)
    }

    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        try options.stop?.check()
        for y in 0..<count {
            // The caller's memory holds `count` rows of `size.width` pixels each.
            let row = UnsafeMutableBufferPointer(
                start: (rows + y * bytesPerRow).assumingMemoryBound(to: UInt32.self), count: size.width)
            if try readRow(into: row) {
                rowsRead += 1
            } else {
                row.update(repeating: alphaMode.missingPixel)
            }
        }
    }

    /// Reads the next row; returns whether it is complete.
    ///
    /// - Throws: `truncated` or `damaged` if the strictness does not accept missing rows.
    private func readRow(into row: UnsafeMutableBufferPointer<UInt32>) throws(TexelError) -> Bool {
        if isIncomplete { return false }
        do throws(TexelError) {
            guard let samples = try samples.row(), samples.count == row.count * header.depth,
                let source = samples.baseAddress, let pixels = row.baseAddress
            else { throw .truncated(rowsRead: rowsRead, rows: size.height) }
            converter.convert(source, count: row.count, into: pixels)
        } catch {
            guard options.policy.strictness == .none, error.kind == .truncated || error.kind == .damaged else {
                throw error
            }
            isIncomplete = true
            return false
        }
        if samples.hasExcess, options.policy.strictness == .error || options.policy.strictness == .warning {
            throw .ppm(.corrupt(Self.excess))
        }
        return true
    }

    /// Waits for the whole file, because every image of it may have comments.
    func finish() throws(TexelError) -> DecoderResult {
        let warning =
            isIncomplete ? "the samples are damaged or truncated" : samples.hasExcess ? Self.excess : nil
        let metadata = ImageMetadata(comments: try pages.summary(options.stop).comments)
        return DecoderResult(metadata: metadata, warnings: warning.map { [$0] } ?? [])
    }

    private static let excess = "a sample exceeds the maxval"
}
