public import TexelCodecs
public import TexelCore
public import TexelPixels

/// Reads and writes WebP files, still and animated, through libwebp, which is loaded when it is first used.
public struct WebPCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .webP }

    public var displayName: String { "WebP" }

    public var fileExtensions: [String] { ["webp"] }

    public var mediaType: String { "image/webp" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.hasAlpha = true
        capabilities.isLossy = true
        capabilities.isLossless = true
        capabilities.readsAnimations = true
        capabilities.writesAnimations = true
        capabilities.prefersIsolation = true
        capabilities.maximumSide = WebPEncoder.maximumSide
        capabilities.metadata = [.profile, .exif, .xmp]
        return capabilities
    }

    public var parameters: [Parameter] { WebPOptions.parameters }

    public func recognizes(_ head: [UInt8]) -> Bool {
        head.count >= WebPFile.signatureSize && head.starts(with: "RIFF".utf8)
            && head[8..<12].elementsEqual("WEBP".utf8)
    }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try WebPImageFile(bytes, limits: limits, stop: stop)
    }

    public func options(for settings: EncodingSettings) -> (any FormatOptions)? { WebPOptions(settings) }

    /// libwebp keeps rows of macroblocks of an image with loss, and all pixels of a lossless one; the decoder keeps the
    /// pixels until they are read, or all planes.
    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        let pixels = Double(info.size.pixelCount ?? .max)
        if shrink > 1, info.colorModel == .yCbCr, !info.hasAlpha { return pixels * 1.5 }
        let own = pixels / Double(shrink * shrink) * Double(PixelBuffer.bytesPerPixel)
        return own + (info.isLossless == true ? pixels * Double(PixelBuffer.bytesPerPixel) : 0)
    }

    public func loadLibraries() throws(TexelError) {
        try LoadedLibrary.webP.require()
        try LoadedLibrary.webPMux.require()
    }

    public var libraries: [LinkedLibrary] { [LoadedLibrary.webP.description, LoadedLibrary.webPMux.description] }
}

extension WebPCodec: SearchableCodec {
    package func ladder(_ settings: EncodingSettings) -> EncodingLadder { WebPLadder.ladder(settings) }

    package func attempts(at image: PixelBuffer, _ context: EncodingContext) -> any AttemptEncoder {
        IndependentAttempts(image, context)
    }
}
