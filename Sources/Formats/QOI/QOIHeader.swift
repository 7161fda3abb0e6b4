import TexelCodecs
import TexelCore
import TexelPixels

/// The header of a QOI file.
struct QOIHeader: Sendable {
    static let signature = Array("qoif".utf8)
    /// The bytes of the header.
    static let byteCount = 14
    /// The bytes after the last chunk.
    static let endMarker: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

    let size: PixelSize
    let hasAlpha: Bool
    let colorSpace: ColorSpace

    /// Reads the header; waits for its bytes only.
    ///
    /// - Throws: `truncated`, `damaged`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        guard try bytes.has(Self.byteCount, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        size = PixelSize(width: bytes.bigEndian(4, at: 4), height: bytes.bigEndian(4, at: 8))
        guard size.isPositive else { throw .qoi(.invalidDimensions(width: size.width, height: size.height)) }
        try limits.check(size)
        let (channels, space) = (Int(bytes[12]), Int(bytes[13]))
        guard channels == 3 || channels == 4 else { throw .qoi(.invalidValue(channels, of: "number of channels")) }
        hasAlpha = channels == 4
        switch space {
        case 0: colorSpace = .sRGB
        case 1:
            // The primaries of sRGB, with linear samples.
            colorSpace = CICP(primaries: 1, transfer: 8).map { .codePoints($0) } ?? .sRGB
        default: throw .qoi(.invalidValue(space, of: "colour space"))
        }
    }
}
