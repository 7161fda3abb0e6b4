import CTIFFShim
import TexelCodecs
import TexelCore

/// Decompresses the strips or tiles of one plane through libtiff.
///
/// libtiff does not see the file's own directory, but one that Texel has made from the fields it has checked: an image
/// of one plane. Other fields of a file therefore cannot make it allocate memory, or read elsewhere.
final class TIFFLibraryDecoder {
    private let decoder: OpaquePointer
    private let head: TIFFMemory
    private let input: InputBytes
    private let policy: DecodePolicy

    /// - Throws: `missingLibrary`, `unsupported` if libtiff was built without the compression, `truncated`, `damaged`,
    ///   `outOfMemory`, `stopped`.
    init(_ context: TIFFPlaneContext) throws(TexelError) {
        try LoadedLibrary.tiff.require()
        let compression = context.layout.compression
        guard texel_tiff_has_compression(UInt16(compression.rawValue)) else {
            throw .unsupported("TIFF with \(compression.name) compression by this libtiff")
        }
        // Incomplete strips are decoded as far as they go only if the end of the file is known.
        if context.isTolerant { _ = try context.input.bytes.wait(for: .max, context.options.stop) }
        let bytes = try Self.head(context)
        head = try TIFFMemory(bytes.count)
        head.base.update(from: bytes, count: bytes.count)
        (input, policy) = (context.input.bytes, context.options.policy)
        if compression == .jpeg {
            // When libtiff opens a file, it looks at the first strip's JPEG header.
            _ = try context.arrivedRange(of: 0, row: 0)
        }
        var source = texel_tiff_input(
            head: head.base, head_count: bytes.count, bytes: input.base, count: input.countSoFar)
        var (status, report) = (TEXEL_CODEC_OK, texel_codec_report())
        let decoder = texel_tiff_decoder_create(
            &source, policy.limits.codecBytes, context.layout.convertsToRGB, &status, &report)
        guard let decoder else {
            throw status == TEXEL_CODEC_OUT_OF_MEMORY ? .outOfMemory : .tiff(.corrupt(report.errorMessage))
        }
        self.decoder = decoder
    }

    deinit { texel_tiff_decoder_destroy(decoder) }

    /// Decodes a row of a file of strips, whose strip has arrived; returns whether it succeeded.
    ///
    /// - Throws: an error for damage that the strictness does not accept.
    func readRow(_ row: Int, into buffer: UnsafeMutablePointer<UInt8>, count: Int) throws(TexelError) -> Bool {
        texel_tiff_decoder_set_count(decoder, input.countSoFar)
        return try check(texel_tiff_decoder_read_row(decoder, UInt32(row), buffer, count))
    }

    /// Decodes a tile that has arrived; returns whether it succeeded.
    ///
    /// - Throws: an error for damage that the strictness does not accept.
    func readTile(_ index: Int, into buffer: UnsafeMutablePointer<UInt8>, count: Int) throws(TexelError) -> Bool {
        texel_tiff_decoder_set_count(decoder, input.countSoFar)
        return try check(texel_tiff_decoder_read_tile(decoder, UInt32(clamping: index), buffer, count))
    }

    private func check(_ status: texel_codec_status) throws(TexelError) -> Bool {
        let report = report
        guard Int(report.warnings) <= policy.limits.warnings else {
            throw .limitExceeded(.warnings, value: Int(report.warnings), allowed: policy.limits.warnings)
        }
        switch policy.strictness {
        case .none: break
        case .truncated where status == TEXEL_CODEC_OK: break
        case .warning where report.warnings > 0: throw .warning(report.firstWarning)
        default:
            // libtiff reports some damage without failing.
            if status != TEXEL_CODEC_OK || report.corrupt {
                let message = report.errorMessage
                throw .tiff(.corrupt(message.isEmpty ? "a strip or tile cannot be decompressed" : message))
            }
        }
        return status == TEXEL_CODEC_OK
    }

    private var report: texel_codec_report { texel_tiff_decoder_report(decoder).pointee }

    /// The first error or warning.
    var message: String? {
        let report = report
        let text = report.corrupt ? report.errorMessage : report.firstWarning
        return text.isEmpty ? nil : text
    }
}

// MARK: The directory

extension TIFFLibraryDecoder {
    /// Returns the beginning of the file that libtiff sees: a BigTIFF's header and directory. The file's own bytes
    /// follow.
    private static func head(_ context: TIFFPlaneContext) throws(TexelError) -> [UInt8] {
        let layout = context.layout
        let form = TIFFForm(order: context.input.order, isBig: true)
        var values = layout.ofPlane.fields(form.order)
        if layout.compression == .jpeg, let tables = context.directory[TIFFTag.jpegTables],
            let bytes = try context.input.bytes(of: tables, context.options.stop)
        {
            values.append(TIFFValue(TIFFTag.jpegTables, undefined: bytes))
        }
        var (offsets, counts): ([Int], [Int]) = ([], [])
        let known = context.input.bytes.wholeCount ?? .max
        for part in 0..<layout.partsOfPlane {
            let range = try context.parts.range(of: part, plane: context.plane, context.options.stop) ?? 0..<0
            offsets.append(range.lowerBound)
            // A tolerant decoder decodes the beginning of a part that the file does not have completely.
            counts.append(context.isTolerant ? range.clamped(to: 0..<max(known, 0)).count : range.count)
        }
        let tags =
            layout.isTiled
            ? (TIFFTag.tileOffsets, TIFFTag.tileByteCounts) : (TIFFTag.stripOffsets, TIFFTag.stripByteCounts)
        values.append(TIFFValue(tags.1, TIFFValue.long8, counts, form.order))
        // The offsets depend on the size of the head, which does not depend on the offsets.
        let draft = TIFFValue(tags.0, TIFFValue.long8, offsets, form.order)
        let size = form.headerSize + form.size(of: values + [draft])
        let shifted = offsets.map { $0 > Int.max - size ? $0 : $0 + size }
        values.append(TIFFValue(tags.0, TIFFValue.long8, shifted, form.order))
        return form.header + form.directory(values, at: form.headerSize, next: 0)
    }
}
