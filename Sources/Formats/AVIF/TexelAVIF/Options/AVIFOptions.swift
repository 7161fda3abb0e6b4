public import TexelCodecs
import TexelCore
import TexelPixels

/// Options for writing an AVIF.
public struct AVIFOptions: Sendable, Hashable {
    /// The quality on the scale that all formats share, 1…100: as good as a JPEG of this quality.
    public var quality = EncodingSettings.defaultQuality
    /// Whether no pixel changes.
    public var isLossless = false
    /// How chroma is subsampled. `automatic` is 4:4:4 for images that 4:2:0 would change visibly, such as coloured
    /// text, and for qualities of which 4:2:0 falls short.
    public var subsampling = ChromaSubsampling.automatic
    /// The quality of the transparency, 0…100; 100 keeps it exactly.
    public var alphaQuality = 100
    /// The time to spend.
    public var effort = Effort.balanced

    /// Creates options; each parameter sets the property of its name.
    public init(
        quality: Int = EncodingSettings.defaultQuality, isLossless: Bool = false,
        subsampling: ChromaSubsampling = .automatic, alphaQuality: Int = 100, effort: Effort = .balanced
    ) {
        self.quality = quality
        self.isLossless = isLossless
        self.subsampling = subsampling
        self.alphaQuality = alphaQuality
        self.effort = effort
    }

    /// Creates options from those that all formats share, and from the codec's own.
    package init(_ settings: EncodingSettings) {
        self.init(
            quality: settings.quality ?? EncodingSettings.defaultQuality, isLossless: settings.isLossless,
            subsampling: settings.subsampling, alphaQuality: settings.parameters[.alphaQuality] ?? 100,
            effort: settings.effort)
    }

    static let parameters: [Parameter] = [.alphaQuality]

    /// The quantizer of the transparency.
    var alphaQuantizer: Int32 { isLossless ? 0 : Int32(AVIFQuality.alphaQuantizer(alphaQuality)) }

    /// - Throws: `cannotEncode` for numbers that the format does not define.
    func check() throws(TexelError) {
        for (name, value) in [("quality", quality), ("alpha quality", alphaQuality)] where !(0...100).contains(value) {
            throw .cannotEncode("invalid \(name) \(value); an AVIF has 0 to 100")
        }
    }
}
