public import TexelCodecs
public import TexelCore
public import TexelPixels

/// A format of this example's own: "TOYIMAGE", the width and the height in two bytes each, then RGBA samples.
public struct ToyCodec: ImageCodec {
    public init() {}
    public var format: ImageFormat { .toy }
    public var fileExtensions: [String] { ["toy"] }
    public var mediaType: String { "image/x-toy" }
    public var capabilities: CodecCapabilities {
        var capabilities = CodecCapabilities()
        (capabilities.hasAlpha, capabilities.isLossless, capabilities.maximumSide) = (true, true, 65_535)
        return capabilities
    }
    public var parameters: [Parameter] {
        [Parameter(.toyDepth, in: 1...8, help: "Bits of each sample that a toy keeps, 1 to 8.").defaulting(to: "8")]
    }
    public func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: "TOYIMAGE".utf8) }
    public func open(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) -> any ImageFile {
        guard try bytes.wait(for: 12, stop) >= 12 else { throw .truncated(rowsRead: 0, rows: 0) }
        let sides = bytes[8..<12].map { Int($0) }
        let size = PixelSize(width: sides[0] << 8 | sides[1], height: sides[2] << 8 | sides[3])
        guard size.isPositive else { throw .damaged(.toy, .invalidDimensions(width: size.width, height: size.height)) }
        try limits.check(size)
        return ToyFile(
            bytes: bytes,
            info: ImageInfo(format: .toy, size: size, colorModel: .rgba, bitDepth: 8, hasAlpha: true, coding: "raw"))
    }
    public func options(for settings: EncodingSettings) -> (any FormatOptions)? {
        ToyOptions(depth: settings.parameters[.toyDepth] ?? 8)
    }
}
extension ParameterKey<Int> {
    public static var toyDepth: Self { Self("toy-depth") }
}
extension ImageFormat {
    public static let toy = ImageFormat(rawValue: "toy")
}
struct ToyFile: ImageFile {
    let bytes: InputBytes
    let info: ImageInfo
    func makeDecoder(_ options: DecodeOptions) throws(TexelError) -> any RowDecoder { ToyDecoder(self, options) }
    func rewritten(metadata: WrittenMetadata, keeping: KeptParts, stop: StopToken?) throws(TexelError) -> [UInt8] {
        Array(bytes[0..<(try bytes.wait(for: .max, stop))])
    }
}
final class ToyDecoder: RowDecoder {
    let (file, options): (ToyFile, DecodeOptions)
    var (size, alphaMode, colorSpace, position): (PixelSize, AlphaMode, ColorSpace, Int)
    init(_ file: ToyFile, _ options: DecodeOptions) {
        (self.file, self.options) = (file, options)
        (size, alphaMode, colorSpace, position) = (file.info.size, .straight, .sRGB, 12)
    }
    func readRows(_ count: Int, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) throws(TexelError) {
        for y in 0..<count {
            let (start, end) = (position, position + 4 * size.width)
            guard try file.bytes.wait(for: end, options.stop) >= end else {
                throw .truncated(rowsRead: start / (4 * size.width), rows: size.height)
            }
            for (x, sample) in file.bytes[start..<end].enumerated() {
                // RGBA becomes BGRA.
                rows.storeBytes(of: sample, toByteOffset: y * bytesPerRow + x + [2, 0, -2, 0][x % 4], as: UInt8.self)
            }
            position = end
        }
    }
    func finish() throws(TexelError) -> DecoderResult { DecoderResult() }
}
struct ToyOptions: FormatOptions {
    static var format: ImageFormat { .toy }
    let depth: Int
    var isLossy: Bool { depth < 8 }
    func encode(_ image: consuming PixelBuffer, _ context: EncodingContext) throws(TexelError) -> [UInt8] {
        guard max(image.width, image.height) <= 65_535 else {
            throw .cannotEncode("a side of a toy has at most 65535 pixels")
        }
        guard (1...8).contains(depth) else { throw .cannotEncode("a toy has 1 to 8 bits, not \(depth)") }
        let mask = UInt8.max << (8 - UInt8(depth))
        var bytes = Array("TOYIMAGE".utf8) + [image.width, image.height].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        for y in 0..<image.height {
            for x in 0..<image.width {
                bytes += [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: image[x, y] >> $0) & mask }
            }
        }
        return bytes
    }
}
