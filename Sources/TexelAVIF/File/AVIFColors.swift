import TexelCodecs
import TexelPixels

/// The colours of an AVIF image: an ICC profile, or code points of the container or of the AV1 stream.
struct AVIFColors: Sendable {
    /// The colours of the decoded samples, which have the full range.
    let colorSpace: ColorSpace
    /// The matrix of ITU-T H.273; 0 means that the planes are green, blue and red.
    let matrix: Int
    /// Whether the coded samples have the full range.
    let isFullRange: Bool
    /// The size that the AV1 stream declares; `nil` if it has not been read.
    let streamSize: PixelSize?

    /// - Throws: `stopped`, while waiting for the beginning of the stream.
    init(_ source: AVIFFile.Source, _ bytes: InputBytes, _ stop: StopToken?) throws(CodecError) {
        var profile: ICCProfile?
        var points: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)?
        for property in source.properties {
            switch property.value {
            case .profile(let range) where profile == nil: profile = ICCProfile(Array(bytes[range]))
            case .codePoints(let primaries, let transfer, let matrix, let isFullRange) where points == nil:
                points = (primaries, transfer, matrix, isFullRange)
            default: break
            }
        }
        let header = try Self.sequenceHeader(source, bytes, stop)
        streamSize = header?.size
        let found =
            points ?? header.map { ($0.primaries, $0.transfer, $0.matrix, $0.isFullRange) } ?? (2, 2, 2, false)
        (matrix, isFullRange) = (found.matrix, found.isFullRange)
        colorSpace = profile.map { .iccProfile($0) } ?? Self.colorSpace(found.primaries, found.transfer)
    }

    /// Unspecified numbers mean sRGB (ISO/IEC 23000-22, 7.3.6.4), also one of both.
    private static func colorSpace(_ primaries: Int, _ transfer: Int) -> ColorSpace {
        let (primaries, transfer) = (primaries == 2 ? 1 : primaries, transfer == 2 ? 13 : transfer)
        guard (primaries, transfer) != (1, 13),
            let points = CodePoints(primaries: primaries, transfer: transfer)
        else { return .sRGB }
        return .codePoints(points)
    }

    private static func sequenceHeader(
        _ source: AVIFFile.Source, _ bytes: InputBytes, _ stop: StopToken?
    ) throws(CodecError) -> AV1SequenceHeader? {
        var data: [UInt8] = []
        for extent in source.stream where data.count < 256 {
            // Inside the extent, whose ends do not overflow.
            let end = extent.lowerBound + min(extent.count, 256 - data.count)
            let there = try bytes.wait(for: end, stop)
            guard there > extent.lowerBound else { break }
            data += bytes[extent.lowerBound..<min(end, there)]
        }
        return AV1SequenceHeader(stream: data)
    }
}
