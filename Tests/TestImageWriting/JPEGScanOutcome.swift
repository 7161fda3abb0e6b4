import CJPEGShim

/// The result of decoding a JPEG's scans, to compare Texel's own decoders with libjpeg's.
package struct JPEGScanOutcome: Equatable, Sendable {
    package enum Output: CaseIterable, Sendable {
        case rows, grayRows, planes, coefficients
    }

    /// Everything that was read, and how the reading ended. Two files whose samples differ have different sums.
    package private(set) var samples: UInt64 = 14_695_981_039_346_656_037
    package private(set) var rowCount = 0
    private var status = TEXEL_CODEC_OK.rawValue
    private var messages: [String] = []
    private var counts: [Int32] = []
    /// Whether Texel's own decoder began to read the scan, and whether it read all of it. It reads files with several
    /// scans, and coefficients, as a whole; then both are the same.
    package private(set) var begins = false
    package private(set) var finishes = false

    package static func == (left: Self, right: Self) -> Bool {
        left.samples == right.samples && left.rowCount == right.rowCount && left.status == right.status
            && left.messages == right.messages && left.counts == right.counts
    }

    /// Decodes a file at 1/`denominator` of its size.
    ///
    /// - Parameters:
    ///   - denominator: ignored for coefficients.
    ///   - byLibrary: whether libjpeg reads the scans.
    ///   - threads: the number of threads that the own decoder may use.
    ///   - skipsScans: whether scans that do not change the result at 1/8 are skipped.
    package init(
        _ bytes: [UInt8], _ output: Output, denominator: Int, byLibrary: Bool, threads: Int = 1,
        skipsScans: Bool = false
    ) {
        bytes.withUnsafeBufferPointer { file in
            var input = texel_codec_input()
            input.bytes = file.baseAddress
            input.count = file.count
            var limits = texel_jpeg_limits(max_scans: 100, max_warnings: 100, max_bytes: 32 << 20)
            guard let decoder = texel_jpeg_decoder_create(&input, &limits, nil, nil) else { return }
            defer { texel_jpeg_decoder_destroy(decoder) }
            let choice = byLibrary ? TEXEL_JPEG_SCAN_LIBRARY : TEXEL_JPEG_SCAN_OWN
            texel_jpeg_decoder_choose_scan(decoder, choice)
            texel_jpeg_decoder_use_threads(decoder, Int32(threads))
            if skipsScans { texel_jpeg_decoder_skip_scans(decoder) }
            var header = texel_jpeg_header()
            let headerStatus = texel_jpeg_decoder_read_header(decoder, &header)
            let isSmall = Int(header.width) * Int(header.height) <= 1 << 22
            guard headerStatus == TEXEL_CODEC_OK, isSmall, output == .coefficients else {
                status = headerStatus.rawValue
                if headerStatus == TEXEL_CODEC_OK, isSmall {
                    status = read(decoder, header, output, Int32(denominator)).rawValue
                }
                finishes = texel_jpeg_decoder_uses_own_scan(decoder)
                note(texel_jpeg_decoder_report(decoder).pointee)
                return
            }
            guard let transcoder = texel_jpeg_transcoder_create(&input, &limits, nil, nil) else { return }
            defer { texel_jpeg_transcoder_destroy(transcoder) }
            texel_jpeg_transcoder_choose_scan(transcoder, choice)
            status = readCoefficients(transcoder, header).rawValue
            begins = texel_jpeg_transcoder_uses_own_scan(transcoder)
            finishes = begins
            note(texel_jpeg_transcoder_report(transcoder).pointee)
        }
    }

    private mutating func note(_ report: texel_codec_report) {
        messages = [Self.text(report.error), Self.text(report.first_warning)]
        counts = [report.warnings, report.corrupt ? 1 : 0, report.truncated ? 1 : 0, report.rows]
    }

    /// Reads the coefficients, and adds the bytes of a file with all of them.
    private mutating func readCoefficients(
        _ transcoder: OpaquePointer, _ header: texel_jpeg_header
    ) -> texel_codec_status {
        var isProgressive = false
        var status = texel_jpeg_transcoder_read(transcoder, &isProgressive)
        guard status == TEXEL_CODEC_OK else { return status }
        var whole = texel_jpeg_move(
            x: 0, y: 0, width: header.width, height: header.height, transposes: false, mirrors_x: false,
            mirrors_y: false)
        status = texel_jpeg_transcoder_start(transcoder, &whole, isProgressive, true)
        guard status == TEXEL_CODEC_OK else { return status }
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        status = texel_jpeg_transcoder_finish(transcoder, &bytes, &count)
        if status == TEXEL_CODEC_OK { add(ArraySlice(UnsafeBufferPointer(start: bytes, count: count))) }
        return status
    }

    private mutating func read(
        _ decoder: OpaquePointer, _ header: texel_jpeg_header, _ output: Output, _ denominator: Int32
    ) -> texel_codec_status {
        let isInk = header.components == 4
        switch output {
        case .planes: return readPlanes(decoder, Int(header.components), denominator)
        case .grayRows where !isInk: return readRows(decoder, TEXEL_JPEG_GRAY, 1, denominator)
        default: return readRows(decoder, isInk ? TEXEL_JPEG_CMYK : TEXEL_JPEG_BGRA, 4, denominator)
        }
    }

    private mutating func readRows(
        _ decoder: OpaquePointer, _ layout: texel_jpeg_layout, _ bytesPerPixel: Int, _ denominator: Int32
    ) -> texel_codec_status {
        var (width, height): (Int32, Int32) = (0, 0)
        var status = texel_jpeg_decoder_start(decoder, layout, denominator, &width, &height)
        begins = texel_jpeg_decoder_uses_own_scan(decoder)
        var row = [UInt8](repeating: 0, count: Int(width) * bytesPerPixel)
        while status == TEXEL_CODEC_OK, rowCount < Int(height) {
            var done: Int32 = 0
            status = texel_jpeg_decoder_read_rows(decoder, &row, row.count, 1, &done)
            if done > 0 { add(row[...]) }
            rowCount += Int(done)
        }
        return status == TEXEL_CODEC_OK ? texel_jpeg_decoder_finish(decoder) : status
    }

    private mutating func readPlanes(
        _ decoder: OpaquePointer, _ count: Int, _ denominator: Int32
    ) -> texel_codec_status {
        var layouts = [texel_jpeg_plane](repeating: texel_jpeg_plane(), count: TEXEL_JPEG_PLANES)
        var status = texel_jpeg_decoder_start_planes(decoder, denominator, &layouts)
        guard status == TEXEL_CODEC_OK else { return status }
        begins = texel_jpeg_decoder_uses_own_scan(decoder)
        let bytesPerRow = layouts.map(\.bytes_per_row)
        let sizes = layouts.prefix(count).map { $0.bytes_per_row * Int($0.band_height) }
        let offsets = sizes.indices.map { sizes[..<$0].reduce(0, +) }
        var band = [UInt8](repeating: 0, count: sizes.reduce(0, +))
        let bandCount = layouts.prefix(count).map { ($0.height + $0.band_height - 1) / $0.band_height }.max() ?? 0
        for index in 0..<bandCount where status == TEXEL_CODEC_OK {
            status = band.withUnsafeMutableBufferPointer { band in
                var rows = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: TEXEL_JPEG_PLANES)
                for (plane, offset) in offsets.enumerated() { rows[plane] = band.baseAddress.map { $0 + offset } }
                return texel_jpeg_decoder_read_planes(decoder, &rows, bytesPerRow)
            }
            guard status == TEXEL_CODEC_OK else { break }
            rowCount += 1
            for (plane, layout) in layouts.prefix(count).enumerated() {
                // Only the samples that belong to the image.
                for y in 0..<max(0, min(layout.band_height, layout.height - index * layout.band_height)) {
                    let start = offsets[plane] + Int(y) * bytesPerRow[plane]
                    add(band[start..<start + Int(layout.width)])
                }
            }
        }
        return status == TEXEL_CODEC_OK ? texel_jpeg_decoder_finish(decoder) : status
    }

    /// FNV-1a.
    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { samples = (samples ^ UInt64(byte)) &* 1_099_511_628_211 }
    }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
