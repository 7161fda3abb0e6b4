import TexelCodecs
import TexelCore
import TexelPixels

/// An opened BMP.
struct BMPImageFile {
    let bytes: InputBytes
    let header: BMPHeader
    let info: ImageInfo
    /// The rows of a file with run-length codes.
    private let index: BMPRowIndex?

    /// Reads the headers; waits for the whole file if it has run-length codes, which alone tell whether pixels are
    /// transparent, and for an embedded profile, which usually follows the pixels.
    ///
    /// - Throws: an error for an invalid header, `unsupported`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        self.bytes = bytes
        header = try BMPHeader(bytes, limits: limits, stop: stop)
        if case .runLength(let bits) = header.coding {
            _ = try bytes.wait(for: .max, stop)
            index = try BMPRowIndex(header, bits: bits, in: bytes, stop)
        } else {
            index = nil
        }
        info = ImageInfo(
            header, hasGaps: index?.hasGaps ?? false, try Self.profile(of: header, in: bytes, limits, stop))
    }

    /// Reads the embedded profile, which must be one of RGB colours.
    private static func profile(
        of header: BMPHeader, in bytes: InputBytes, _ limits: Limits, _ stop: StopToken?
    ) throws(TexelError) -> EmbeddedProfile {
        guard let range = header.fields.profileRange else { return .absent }
        guard range.count <= limits.metadataBytes else {
            throw .limitExceeded(.metadataBytes, value: range.count, allowed: limits.metadataBytes)
        }
        guard try bytes.has(range.upperBound, stop) else { return .damaged }
        return EmbeddedProfile(Array(bytes[range]), for: [.rgb])
    }
}

extension BMPImageFile: ImageFile {
    var holdsWholeHeader: Bool {
        let profileEnd = header.fields.profileRange?.upperBound ?? 0
        return index?.isTruncated != true && profileEnd <= bytes.countSoFar
    }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        try BMPDecoder(
            header, index, in: bytes, colorSpace: info.colorSpace, metadata: info.metadata, options)
    }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        var file = Array(bytes[0..<(try bytes.wait(for: .max, stop))])
        header.fields.set(density: metadata.density, in: &file)
        if !keeping.contains(.color) || info.colorFault != nil {
            // An invalid range of the profile may contain pixels.
            let end = index?.end ?? header.end(ofRows: header.size.height)
            let pixels = header.pixels..<max(header.pixels, end)
            header.fields.removeColors(from: &file) { !header.beginning.contains($0) && !pixels.contains($0) }
        }
        return file
    }
}

extension ImageInfo {
    fileprivate init(_ header: BMPHeader, hasGaps: Bool, _ profile: EmbeddedProfile) {
        let isIndexed = header.bitsPerPixel <= 8
        let hasAlpha = header.hasAlpha || hasGaps
        let depth =
            switch header.bitsPerPixel {
            case 1, 2, 4, 8: header.bitsPerPixel
            case 24: 8
            case 64: 16
            // A mask is a run of bits. Files whose masks are 0 have no samples; their depth is that of the pixels.
            default: header.masks.map(\.nonzeroBitCount).max() ?? 8
            }
        let coding =
            switch header.coding {
            case .plain: "BI_RGB"
            case .runLength(let bits): bits == 24 ? "RLE24" : "BI_RLE\(bits)"
            case .bitFields: "BI_BITFIELDS"
            }
        self.init(
            format: .bmp, size: header.size, colorModel: isIndexed ? .palette : hasAlpha ? .rgba : .rgb,
            bitDepth: max(1, depth), hasAlpha: hasAlpha, coding: coding, isLossless: true,
            colorSpace: profile.colorSpace(orElse: header.fields.calibratedColorSpace),
            metadata: ImageMetadata(density: header.fields.density))
        colorFault = profile.fault
    }
}
