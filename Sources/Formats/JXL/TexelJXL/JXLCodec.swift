public import TexelCodecs
public import TexelCore
package import TexelPixels

/// Reads and writes JPEG XL files, still and animated, through libjxl, which is loaded when it is first used.
public struct JXLCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .jxl }

    public var displayName: String { "JPEG XL" }

    public var fileExtensions: [String] { ["jxl"] }

    public var mediaType: String { "image/jxl" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.hasAlpha = true
        capabilities.isLossy = true
        capabilities.isLossless = true
        capabilities.readsAnimations = true
        capabilities.writesAnimations = true
        capabilities.storesCICP = true
        capabilities.prefersIsolation = true
        capabilities.maximumSide = JXLEncoder.maximumSide
        capabilities.metadata = [.profile, .exif, .xmp]
        return capabilities
    }

    public func recognizes(_ head: [UInt8]) -> Bool {
        head.starts(with: [0xFF, 0x0A]) || head.starts(with: JXLBox.signature)
    }

    public func damage(of head: [UInt8]) -> TexelError? {
        // The signature box, with its last four bytes changed by a transfer as text.
        head.starts(with: JXLBox.signature.prefix(8)) ? .jxl(.invalidSignature(Array(head.prefix(12)))) : nil
    }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try JXLImageFile(bytes, limits: limits, stop: stop)
    }

    public func options(for settings: EncodingSettings) -> (any FormatOptions)? { JXLOptions(settings) }

    /// libjxl's samples have 32 bits; the decoder keeps the pixels until they are read.
    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        let channels = info.colorModel == .gray ? 1 : info.colorModel == .rgba ? 4 : 3
        let pixels = Double(info.size.pixelCount ?? .max)
        return pixels * Double(PixelBuffer.bytesPerPixel * (1 + channels))
    }

    public func loadLibraries() throws(TexelError) {
        try LoadedLibrary.jxl.require()
        try LoadedLibrary.jxlThreads.require()
    }

    public var libraries: [LinkedLibrary] { [LoadedLibrary.jxl.description, LoadedLibrary.jxlThreads.description] }
}

extension JXLCodec: SearchableCodec {
    package func ladder(_ settings: EncodingSettings) -> EncodingLadder { JXLLadder.ladder(settings) }

    package func attempts(at image: PixelBuffer, _ context: EncodingContext) -> any AttemptEncoder {
        IndependentAttempts(image, context)
    }
}
