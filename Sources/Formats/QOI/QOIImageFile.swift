import TexelCodecs
import TexelCore
import TexelPixels

/// An opened QOI file.
struct QOIImageFile: ImageFile {
    let bytes: InputBytes
    let header: QOIHeader
    let info: ImageInfo

    /// - Throws: an error for an invalid header, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        self.bytes = bytes
        header = try QOIHeader(bytes, limits: limits, stop: stop)
        info = ImageInfo(
            format: .qoi, size: header.size, colorModel: header.hasAlpha ? .rgba : .rgb, bitDepth: 8,
            hasAlpha: header.hasAlpha, coding: "QOI", isLossless: true, colorSpace: header.colorSpace)
    }

    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        try QOIDecoder(header, in: bytes, options)
    }

    /// The format has no metadata.
    func rewritten(
        metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        Array(bytes[0..<(try bytes.wait(for: .max, stop))])
    }
}
