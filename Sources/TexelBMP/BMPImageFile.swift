import TexelCodecs
import TexelPixels

/// An opened BMP.
struct BMPImageFile {
    let bytes: InputBytes
    let header: BMPHeader
    let info: ImageInfo
    /// The rows of a file with run-length codes.
    private let index: BMPRowIndex?
    private let profile: ICCProfile?
    private let warnings: [String]

    /// Reads the headers; waits for the whole file if it has run-length codes, which alone tell whether pixels are
    /// transparent, and for an embedded profile, which usually follows the pixels.
    ///
    /// - Throws: an error for an invalid header, `unsupported`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(CodecError) {
        self.bytes = bytes
        header = try BMPHeader(bytes, limits: limits, stop: stop)
        if case .runLength(let bits) = header.coding {
            _ = try bytes.wait(for: .max, stop)
            index = try BMPRowIndex(header, bits: bits, in: bytes, stop)
        } else {
            index = nil
        }
        profile = try Self.profile(of: header, in: bytes, limits, stop)
        let lacksProfile = profile == nil && header.fields.profileRange != nil
        warnings = header.warnings + (lacksProfile ? ["the colour profile is damaged or truncated"] : [])
        let space = profile.map { ColorSpace.iccProfile($0) } ?? header.fields.calibratedColorSpace
        info = ImageInfo(header, hasGaps: index?.hasGaps ?? false, colorSpace: space)
    }

    /// Reads the embedded profile; `nil` without a valid profile of RGB colours.
    private static func profile(
        of header: BMPHeader, in bytes: InputBytes, _ limits: Limits, _ stop: StopToken?
    ) throws(CodecError) -> ICCProfile? {
        guard let range = header.fields.profileRange else { return nil }
        guard range.count <= limits.metadataBytes else {
            throw .limitExceeded(.metadataBytes, value: range.count, allowed: limits.metadataBytes)
        }
        guard try bytes.has(range.upperBound, stop), let profile = ICCProfile(Array(bytes[range])),
            profile.colorModel == .rgb
        else { return nil }
        return profile
    }
}

extension BMPImageFile: ImageFile {
    var holdsWholeHeader: Bool {
        let profileEnd = header.fields.profileRange?.upperBound ?? 0
        return index?.isTruncated != true && profileEnd <= bytes.countSoFar
    }

    func decoder(_ options: DecodeOptions) throws(CodecError) -> any RowDecoder {
        try BMPDecoder(
            header, index, in: bytes, colorSpace: info.colorSpace, metadata: info.metadata, warnings: warnings, options)
    }

    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(CodecError) -> [UInt8] {
        var file = Array(bytes[0..<(try bytes.wait(for: .max, stop))])
        header.fields.set(density: metadata.density, in: &file)
        if !keeping.contains(.color) {
            // An invalid range of the profile may contain pixels.
            let end = index?.end ?? header.end(ofRows: header.size.height)
            let pixels = header.pixels..<max(header.pixels, end)
            header.fields.removeColors(from: &file) { !header.beginning.contains($0) && !pixels.contains($0) }
        }
        return file
    }
}

extension ImageInfo {
    fileprivate init(_ header: BMPHeader, hasGaps: Bool, colorSpace: ColorSpace) {
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
            bitDepth: max(1, depth), hasAlpha: hasAlpha, coding: coding, isLossless: true, colorSpace: colorSpace,
            metadata: ImageMetadata(density: header.fields.density))
    }
}
