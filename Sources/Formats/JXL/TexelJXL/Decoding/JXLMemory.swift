import TexelPixels

/// The memory that libjxl needs.
enum JXLMemory {
    /// The memory of decoding, in bytes, besides the decoded pixels: each channel has 32-bit samples.
    static func decoding(_ header: JXLHeader) -> Double {
        let channels = (header.isGray ? 1 : 3) + header.extraChannelCount
        return Double(header.size.pixelCount ?? .max) * Double(channels) * 4
    }
}
