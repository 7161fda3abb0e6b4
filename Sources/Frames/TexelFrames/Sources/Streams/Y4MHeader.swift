import TexelCodecs
import TexelCore
import TexelPixels

/// The first line of a YUV4MPEG2 stream: `YUV4MPEG2`, then parameters of one letter and a value, separated by spaces.
///
/// The parameters are documented in the manual page yuv4mpeg(5) of mjpegtools; `XCOLORRANGE`, bit depths above 8 and
/// `Cmono` are ffmpeg's extensions.
struct Y4MHeader: Equatable {
    var size: PixelSize
    var rate: FrameRate?
    var format: YUVFormat
    var range: YUVRange?
    /// The shape of the pixels; `nil` if unknown, which `0:0` means.
    var pixelAspect: PixelAspect?
    var scan = Scan.progressive

    /// How the rows of frames were sampled: the parameter `I`.
    enum Scan: Equatable {
        /// Also if unknown.
        case progressive
        case interlaced(FieldOrder)
        /// Each frame's line says it.
        case mixed

        /// The order of the fields of every frame.
        var fields: FieldOrder? { if case .interlaced(let order) = self { order } else { nil } }
    }

    static let magic = Array("YUV4MPEG2".utf8)

    /// The maximum length of the line in bytes.
    static let limit = 4096

    /// Parses a header.
    ///
    /// - Parameter line: The line without its newline.
    /// - Throws: `invalidStream`, `unsupported`.
    init(_ line: some Collection<UInt8>) throws(TexelError) {
        let parts = line.split(separator: UInt8(ascii: " "))
        guard let first = parts.first, first.elementsEqual(Self.magic) else {
            throw .invalidStream("the Y4M header does not begin with YUV4MPEG2")
        }
        var width: Int?
        var height: Int?
        var colorSpace: String?
        var extendedColorSpace: String?
        for part in parts.dropFirst() {
            let value = String(decoding: part.dropFirst(), as: UTF8.self)
            switch part.first {
            case UInt8(ascii: "W"): width = try Self.side(value, "width")
            case UInt8(ascii: "H"): height = try Self.side(value, "height")
            case UInt8(ascii: "F"): rate = try Self.rate(value)
            case UInt8(ascii: "C"): colorSpace = value
            case UInt8(ascii: "X"):
                if value.hasPrefix("YSCSS=") { extendedColorSpace = String(value.dropFirst(6)).lowercased() }
                if value == "COLORRANGE=FULL" { range = .full }
                if value == "COLORRANGE=LIMITED" { range = .limited }
            case UInt8(ascii: "I"): scan = Self.scan(value)
            case UInt8(ascii: "A"): pixelAspect = Self.pixelAspect(value)
            default: break
            }
        }
        guard let width, let height else {
            throw .invalidStream("the Y4M header has no \(width == nil ? "width" : "height")")
        }
        size = PixelSize(width: width, height: height)
        format = try Self.format(colorSpace ?? extendedColorSpace ?? "420")
    }

    /// Parses the scan; values other than the documented ones mean unknown.
    private static func scan(_ value: String) -> Scan {
        switch value {
        case "t": .interlaced(.topFirst)
        case "b": .interlaced(.bottomFirst)
        case "m": .mixed
        default: .progressive
        }
    }

    /// Returns the order of the fields of a frame of a mixed stream; `nil` if the frame is progressive.
    ///
    /// The parameter `I` of a frame's line has three letters: how the frame is shown (`t` and `T`: top field first,
    /// `b` and `B`: bottom field first, digits: as a whole), whether both fields were sampled at the same time (`p`) or
    /// not (`i`), and how the chroma was reduced.
    ///
    /// - Parameter line: The line of the frame without its newline.
    static func fields(ofFrame line: some Collection<UInt8>) -> FieldOrder? {
        for part in line.split(separator: UInt8(ascii: " ")).dropFirst() where part.first == UInt8(ascii: "I") {
            switch String(decoding: part.dropFirst().prefix(2), as: UTF8.self) {
            case "ti", "Ti": return .topFirst
            case "bi", "Bi": return .bottomFirst
            default: return nil
            }
        }
        return nil
    }

    private static func side(_ value: String, _ name: String) throws(TexelError) -> Int {
        guard let side = Int(value), side > 0 else {
            throw .invalidStream("the Y4M header has the invalid \(name) \(Printable(value.utf8))")
        }
        return side
    }

    /// Parses a rate; `nil` for `0:0`, which means unknown.
    private static func rate(_ value: String) throws(TexelError) -> FrameRate? {
        if value.hasPrefix("0:") { return nil }
        if let rate = FrameRate(fraction: value, separator: ":") { return rate }
        throw .invalidStream("the Y4M header has the invalid frame rate \(Printable(value.utf8))")
    }

    /// Parses an aspect ratio. Others than real ones are taken as unknown, because the samples can be read anyway.
    private static func pixelAspect(_ value: String) -> PixelAspect? {
        let terms = value.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard terms.count == 2, let horizontal = terms[0], let vertical = terms[1] else { return nil }
        return PixelAspect(horizontal: horizontal, vertical: vertical)
    }

    /// The pixel format. The chroma siting that jpeg, mpeg2 and paldv specify is ignored.
    ///
    /// - Throws: `unsupported`, which nothing else in a header throws: FFmpeg reads these streams.
    private static func format(_ name: String) throws(TexelError) -> YUVFormat {
        switch name {
        case "420", "420jpeg", "420mpeg2", "420paldv": YUVFormat(.yuv420)
        case "422": YUVFormat(.yuv422)
        case "444": YUVFormat(.yuv444)
        case "mono": YUVFormat(.none)
        case "420p10": YUVFormat(.yuv420, bitDepth: 10)
        case "422p10": YUVFormat(.yuv422, bitDepth: 10)
        case "444p10": YUVFormat(.yuv444, bitDepth: 10)
        case "mono10": YUVFormat(.none, bitDepth: 10)
        default: throw .unsupported("the Y4M colour space \(Printable(name.utf8))")
        }
    }
}
