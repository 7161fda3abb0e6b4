public import TexelCodecs
public import TexelCore
import TexelPixels

/// Reads HEIC files, the images of many phones, through libde265, which is loaded when it is first used.
///
/// HEIC is not written, because HEVC is patented.
public struct HEICCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    public var format: ImageFormat { .heic }

    public var fileExtensions: [String] { ["heic", "heif", "hif"] }

    public var adviceOnWriting: String? { "HEVC is patented; write AVIF instead" }

    public var mediaType: String { "image/heic" }

    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        capabilities.writes = false
        capabilities.hasAlpha = true
        capabilities.isLossy = true
        capabilities.subsamplesChroma = true
        capabilities.storesCICP = true
        capabilities.prefersIsolation = true
        capabilities.metadata = [.profile, .exif, .xmp]
        return capabilities
    }

    /// Recognises HEVC's brands. The brands of HEIF for any coding suffice if no other brand names a coding.
    public func recognizes(_ head: [UInt8]) -> Bool {
        if let coding = ISOBrands.coding(of: head) { return coding != "avif" && coding != "avis" }
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return false }
        return ["mif1", "mif2", "msf1"].contains { head[8..<12].elementsEqual($0.utf8) }
    }

    public func open(
        _ bytes: InputBytes, limits: Limits, stop: StopToken?
    ) throws(TexelError) -> any ImageFile {
        try HEICFile(bytes, limits: limits, stop: stop)
    }

    public func workingBytes(decoding info: ImageInfo, shrink: Int) -> Double {
        HEICMemory.bytes(of: info)
    }

    public func loadLibraries() throws(TexelError) { try LoadedLibrary.heic.require() }

    public var libraries: [LinkedLibrary] { [LoadedLibrary.heic.description] }
}
