public import TexelCodecs
public import TexelCore
public import TexelPixels

/// Options for writing a file of one of Netpbm's formats, which are lossless and without compression.
///
/// The pixels decide on the format: PGM (P5) for opaque grey, PPM (P6) for opaque colour, and PAM (P7) with alpha. The
/// extension of the file has no influence; programs that read these formats go by the content.
public struct PNMOptions: Sendable, Hashable {
    /// Whether opaque grey images become a PGM, and images with an alpha channel that is opaque everywhere a PGM or
    /// PPM.
    public var reducesLosslessly = true

    /// Creates options; the parameter sets the property of its name.
    public init(reducesLosslessly: Bool = true) { self.reducesLosslessly = reducesLosslessly }

    /// Creates options from those that all formats share, none of which applies.
    package init(_ settings: EncodingSettings) { self.init() }
}

extension ImageEncoding {
    /// Encodes as a PPM, a PGM or a PAM.
    public static func ppm(_ options: PNMOptions = PNMOptions()) -> ImageEncoding { ImageEncoding(options) }
}

extension PNMOptions: FormatOptions {
    public static var format: ImageFormat { .ppm }

    public var isLossy: Bool { false }

    public var withoutReductions: PNMOptions { PNMOptions(reducesLosslessly: false) }

    public func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8] {
        try PNMEncoder(self, context).encode(image)
    }
}
