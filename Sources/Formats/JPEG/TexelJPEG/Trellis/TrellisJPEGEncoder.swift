import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes one image repeatedly, at different qualities, from its unquantised DCT coefficients. The last encoding may
/// quantise them in place.
///
/// The forward transform and the quantisation are Texel's own; libjpeg writes the file.
struct TrellisJPEGEncoder {
    private let image: ImageCoefficients
    private let isProgressive: Bool?
    private let metadata: WrittenMetadata
    private let profile: ICCProfile?
    private let rows: BlockRows

    /// - Parameters:
    ///   - isProgressive: `nil` for the smaller of both processes.
    ///   - rows: how to share the work among threads; the result does not depend on it.
    init(
        _ image: ImageCoefficients, isProgressive: Bool?, metadata: WrittenMetadata, profile: ICCProfile?,
        _ rows: BlockRows
    ) {
        self.image = image
        self.isProgressive = isProgressive
        self.metadata = metadata
        self.profile = profile
        self.rows = rows
    }

    /// Encodes the image.
    ///
    /// - Parameters:
    ///   - quality: 1…100 on libjpeg's scale.
    ///   - isLast: whether to quantise in place, which halves the memory; the encoder cannot be used again.
    /// - Throws: `outOfMemory`, `stopped`.
    func encode(quality: Double, isLast: Bool = false) throws(TexelError) -> [UInt8] {
        let settings = QuantizationSettings(quality: quality)
        let coefficients = try quantized(isLast ? image : image.copy(rows), settings)
        let script = try ScanChoice(coefficients, rows).smallest(isProgressive: isProgressive)
        return try file(coefficients, script.scans)
    }

    /// Encodes the image as a band of a larger one: as a file with a single scan, and the symbols of that scan. The
    /// encoder cannot be used again.
    ///
    /// - Throws: `outOfMemory`, `stopped`.
    func encodeBand(quality: Double) throws(TexelError) -> (bytes: [UInt8], counts: [SequentialCounts]) {
        let coefficients = try quantized(image, QuantizationSettings(quality: quality))
        let counts = try ScanChoice(coefficients, rows).sequentialCounts
        return (try file(coefficients, []), counts)
    }

    private func file(_ coefficients: JPEGCoefficients, _ scans: [ScanScript.Scan]) throws(TexelError) -> [UInt8] {
        try JPEGFileWriter(
            coefficients, scans: scans, metadata: metadata, profile: profile, stop: rows.stop
        ).finish().inMemory
    }

    /// Quantises the coefficients of an image in place.
    private func quantized(
        _ image: ImageCoefficients, _ settings: QuantizationSettings
    ) throws(TexelError) -> JPEGCoefficients {
        try Deringing.apply(to: image.components[0], image.saturated, settings.luma.table, rows)
        var components: [JPEGCoefficients.Component] = []
        for blocks in image.components {
            let isLuma = components.isEmpty
            let settings = isLuma ? settings.luma : settings.chroma
            try ComponentQuantizer(isLuma: isLuma, settings: settings, rows: rows).quantize(blocks)
            components.append(JPEGCoefficients.Component(blocks: blocks, quantizer: isLuma ? 0 : 1))
        }
        return JPEGCoefficients(
            size: image.size, sampling: image.sampling, components: components,
            quantizers: components.count == 1 ? [settings.luma.table] : [settings.luma.table, settings.chroma.table])
    }
}
