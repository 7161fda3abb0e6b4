import TexelCodecs
import TexelCore

/// The kind of samples of an AV1 stream: the `av1C` property (AV1 in ISOBMFF, 2.3.3).
struct AV1Configuration: Sendable, Hashable {
    /// 0 is Main, 1 High, 2 Professional.
    var profile: Int
    /// 8, 10 or 12.
    var bitDepth: Int
    var isMonochrome: Bool
    /// Whether chroma has half the resolution of luma.
    var halvesWidth: Bool
    var halvesHeight: Bool

    /// - Throws: `damaged` for a property that is too short or has another version.
    init(_ property: ISOProperty, in bytes: InputBytes) throws(TexelError) {
        var reader = ISOReader(bytes, property.box.payload, .avif)
        let marker = try reader.unsigned(1)
        guard marker == 0x81 else { throw .avif(.invalidValue(marker & 0x7F, of: "version of the box av1C")) }
        profile = try reader.unsigned(1) >> 5
        let flags = try reader.unsigned(1)
        bitDepth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        isMonochrome = flags & 0x10 != 0
        halvesWidth = flags & 0x08 != 0
        halvesHeight = flags & 0x04 != 0
    }

    /// The profile in the specification's words (AV1, annex A).
    var profileName: String {
        ["Main", "High", "Professional"].indices.contains(profile)
            ? ["Main", "High", "Professional"][profile] : "unknown"
    }

    /// The subsampling in J:a:b notation; `nil` without chroma.
    var chromaSubsampling: String? {
        isMonochrome ? nil : halvesHeight ? "4:2:0" : halvesWidth ? "4:2:2" : "4:4:4"
    }

    /// The number of samples per pixel in all planes.
    var samplesPerPixel: Double { isMonochrome ? 1 : halvesHeight ? 1.5 : halvesWidth ? 2 : 3 }
}
