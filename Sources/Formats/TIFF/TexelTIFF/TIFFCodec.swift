public import TexelCodecs
public import TexelCore
package import TexelPixels

/// Reads and writes TIFF files through libtiff, which is loaded when it is first used.
///
/// Texel reads directories itself; libtiff compresses and decompresses strips and tiles.
public struct TIFFCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .tiff }

    public var fileExtensions: [String] { ["tif", "tiff"] }

    public var mediaType: String { "image/tiff" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.hasAlpha = true
        capabilities.isLossy = true
        capabilities.isLossless = true
        capabilities.readsPages = true
        capabilities.dithers = true
        capabilities.subsamplesChroma = true
        capabilities.prefersIsolation = true
        capabilities.metadata = [.profile, .exif, .xmp, .iptc, .density]
        return capabilities
    }

    public func recognizes(_ head: [UInt8]) -> Bool { TIFFInput.recognizes(head) }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try TIFFImageFile(bytes, limits: limits, stop: stop)
    }

    public func options(for settings: EncodingSettings) -> (any FormatOptions)? { TIFFOptions(settings) }

    /// Rows of samples as they are stored, a row of tiles of each plane, tables for samples of 16 bits, and what
    /// libtiff keeps of a strip: the compressed bytes, for which half of the pixels' memory is assumed.
    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        let pixels = Double(info.size.width) * Double(info.size.height)
        let stored = Double(info.bitDepth) / 8 * 4
        let band = info.coding.contains("tiles") ? 512.0 : 2
        return min(pixels, Double(info.size.width) * band) * stored * 2
            + (info.coding.hasPrefix(TIFFCompression.none.name) ? 0 : pixels * stored / 2) + 300_000
    }

    public func loadLibraries() throws(TexelError) { try LoadedLibrary.tiff.require() }

    public var libraries: [LinkedLibrary] { [LoadedLibrary.tiff.description] }
}

extension TIFFCodec: SearchableCodec {
    package func ladder(_ settings: EncodingSettings) -> EncodingLadder { TIFFLadder.ladder(settings) }

    package func attempts(at image: PixelBuffer, _ context: EncodingContext) -> any AttemptEncoder {
        IndependentAttempts(image, context)
    }
}
