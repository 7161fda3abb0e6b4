import TexelPixels

/// Encodes one picture as often as somebody likes, at one quality after another: what does not depend on the quality is
/// made once.
///
/// Texel's own forward transform and quantisation; libjpeg writes the file.
struct OptimizingJPEGEncoder {
    private let picture: PictureFrequencies
    private let isProgressive: Bool?
    private let metadata: WrittenMetadata
    private let profile: ICCProfile?
    private let rows: BlockRows

    /// - Parameters:
    ///   - isProgressive: `nil` for whichever is smaller.
    ///   - rows: how to share the work; the bytes do not depend on it.
    init(
        _ picture: PictureFrequencies, isProgressive: Bool?, metadata: WrittenMetadata, profile: ICCProfile?,
        _ rows: BlockRows
    ) {
        self.picture = picture
        self.isProgressive = isProgressive
        self.metadata = metadata
        self.profile = profile
        self.rows = rows
    }

    /// A file.
    ///
    /// - Parameter quality: 1…100, libjpeg's scale.
    /// - Throws: `outOfMemory`, `stopped`.
    func encode(
        quality: Double, _ adjustments: QuantizationSettings.Adjustments = .init()
    ) throws(CodecError) -> [UInt8] {
        let coefficients = try quantized(QuantizationSettings(quality: quality, adjustments))
        let script = try ScanChoice(coefficients, rows).smallest(isProgressive: isProgressive)
        return try file(coefficients, script.scans)
    }

    /// A file with a single scan, which is soon decoded, and how many bytes the smallest would have.
    func trial(
        quality: Double, _ adjustments: QuantizationSettings.Adjustments
    ) throws(CodecError) -> (bytes: [UInt8], size: Int) {
        let coefficients = try quantized(QuantizationSettings(quality: quality, adjustments))
        let script = try ScanChoice(coefficients, rows).smallest(isProgressive: isProgressive)
        return (try file(coefficients, []), script.byteCount)
    }

    private func file(_ coefficients: JPEGCoefficients, _ scans: [ScanScript.Scan]) throws(CodecError) -> [UInt8] {
        try JPEGFileWriter(
            coefficients, scans: scans, metadata: metadata, profile: profile, stopCheck: rows.stopCheck
        ).finish()
    }

    private func quantized(_ settings: QuantizationSettings) throws(CodecError) -> JPEGCoefficients {
        var components: [JPEGCoefficients.Component] = []
        for frequencies in picture.components {
            let isLuma = components.isEmpty
            let quantizer = ComponentQuantizer(
                frequencies: isLuma
                    ? try Deringing.frequencies(frequencies, picture.saturated, settings.luma.table, rows)
                    : frequencies,
                isLuma: isLuma, settings: isLuma ? settings.luma : settings.chroma, rows: rows)
            components.append(
                JPEGCoefficients.Component(blocks: try quantizer.quantized(), quantizer: isLuma ? 0 : 1))
        }
        return JPEGCoefficients(
            size: picture.size, sampling: picture.sampling, components: components,
            quantizers: components.count == 1 ? [settings.luma.table] : [settings.luma.table, settings.chroma.table])
    }
}
