import CAVIFShim
import TexelCodecs
import TexelCore
import TexelPixels

/// The planes that store an image.
enum AVIFSampling: Sendable, Hashable {
    /// Green, blue and red: exact.
    case identity
    /// Luma only.
    case gray
    /// Luma and chroma of BT.601 in full range, with this resolution of chroma.
    case chroma(ChromaSampling)

    var matrix: Int32 { self == .identity ? 0 : 6 }

    var library: texel_avif_sampling {
        switch self {
        case .gray, .chroma(.none): TEXEL_AVIF_400
        case .identity, .chroma(.yuv444): TEXEL_AVIF_444
        case .chroma(.yuv422): TEXEL_AVIF_422
        case .chroma(.yuv420): TEXEL_AVIF_420
        }
    }
}

/// The chroma of an image at half the resolution.
struct AVIFHalvedChroma {
    /// Both planes, centred on zero, with `SharpChroma.fractionBits`.
    private let planes: [WordPlane]

    /// Reduces chroma.
    ///
    /// - Parameter mayFail: whether to return `nil` if the image would lose too much colour.
    /// - Throws: `outOfMemory`, `stopped`.
    init?(_ image: PixelBuffer, mayFail: Bool, _ rows: BlockRows) throws(TexelError) {
        let differences = ChromaDifferences(image)
        planes = try (0..<2).map { component throws(TexelError) in
            try SharpChroma.samples(of: image.size, reducedBy: (2, 2), rows) { y, words in
                differences.read(component, y, into: words)
            }
        }
        guard mayFail else { return }
        let loss = try ChromaLoss(image.size, planes, rows) { component, y, words in
            differences.read(component, y, into: words)
        }
        if loss.isSevere { return nil }
    }

    var height: Int { planes[0].size.height }

    /// Writes a row of a component as bytes.
    func write(_ component: Int, _ y: Int, to samples: UnsafeMutablePointer<UInt8>) {
        let row = planes[component].row(y)
        let half: Int16 = 1 << Int16(SharpChroma.fractionBits - 1)
        for x in 0..<planes[component].size.width {
            samples[x] = UInt8(clamping: Int((row[x] &+ half) >> Int16(SharpChroma.fractionBits)) + 128)
        }
    }
}
