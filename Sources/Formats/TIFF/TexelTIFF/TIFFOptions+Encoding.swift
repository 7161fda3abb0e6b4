public import TexelCodecs
public import TexelCore
public import TexelPixels

extension ImageEncoding {
    /// Encodes as a TIFF.
    public static func tiff(_ options: TIFFOptions = TIFFOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension TIFFOptions: FormatOptions {
    public static var format: ImageFormat { .tiff }

    public var isLossy: Bool { if case .jpeg = compression { true } else { false } }

    public var rowsOfWork: Int {
        if isLossy { return 1 }
        return switch effort {
        case .fast: 2
        case .balanced: 5
        case .best: 20
        }
    }

    public var withoutReductions: TIFFOptions {
        var options = self
        options.reducesLosslessly = false
        return options
    }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8] {
        try TIFFEncoder(self, context).encode(image)
    }

    /// A strip, and the compressed strips before they are copied to the file.
    public func workingBytes(pixels: Double, isSearched: Bool) -> Double {
        Double(TIFFEncoder.stripSize) * 3 + pixels * (isLossy ? 1 : 3)
    }
}
