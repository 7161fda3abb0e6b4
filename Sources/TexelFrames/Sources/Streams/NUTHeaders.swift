import TexelCodecs
import TexelPixels

/// The start code, the first eight bytes, of each kind of packet.
enum NUTStartCode {
    static let main: UInt64 = 0x4E4D_7A56_1F5F_04AD
    static let stream: UInt64 = 0x4E53_1140_5BF2_F9DB
    static let syncPoint: UInt64 = 0x4E4B_E4AD_EECA_4569
    static let info: UInt64 = 0x4E49_AB68_B596_BA78
}

/// The meaning of a frame's first byte (`frame_code`).
struct NUTFrameCode: Equatable {
    struct Flags: OptionSet {
        let rawValue: Int

        static let endOfStream = Flags(rawValue: 1 << 1)
        static let codedTime = Flags(rawValue: 1 << 3)
        static let streamNumber = Flags(rawValue: 1 << 4)
        static let codedSize = Flags(rawValue: 1 << 5)
        static let checksum = Flags(rawValue: 1 << 6)
        static let reserved = Flags(rawValue: 1 << 7)
        static let sideData = Flags(rawValue: 1 << 8)
        static let headerIndex = Flags(rawValue: 1 << 10)
        static let matchTime = Flags(rawValue: 1 << 11)
        static let codedFlags = Flags(rawValue: 1 << 12)
        static let invalid = Flags(rawValue: 1 << 13)
    }

    var flags: Flags = .invalid
    var streamNumber = 0
    /// The size in bytes is `sizeFactor` × the coded size + `sizeRest`.
    var sizeFactor = 0
    var sizeRest = 0
    var timeStep = 0
    var reservedCount = 0
    var headerIndex = 0
}

/// The main header: properties common to all streams of a file.
struct NUTMainHeader {
    var streamCount: Int
    var timeBases: [TimeBase] = []
    /// One entry for each value of a frame's first byte.
    var frameCodes: [NUTFrameCode] = []

    /// Parses a loaded packet.
    init(_ fields: inout NUTFields, _ stop: StopToken) throws(FrameError) {
        let version = try fields.number(stop)
        // Versions below 3 were drafts.
        guard version == 3 || version == 4 else { throw .unsupported("NUT version \(version)") }
        if version > 3 { _ = try fields.number(stop) }
        streamCount = try fields.number(stop)
        // `max_distance` between syncpoints matters only for seeking.
        _ = try fields.number(stop)
        let timeBaseCount = try fields.number(stop)
        for _ in 0..<timeBaseCount {
            let (seconds, ticks) = (try fields.number(stop), try fields.number(stop))
            guard let timeBase = TimeBase(seconds: seconds, ticks: ticks) else {
                throw .invalidStream("the NUT stream has the invalid time base \(seconds)/\(ticks)")
            }
            timeBases.append(timeBase)
        }
        guard streamCount > 0, !timeBases.isEmpty else {
            throw .invalidStream("the NUT stream has no streams or no time bases")
        }
        try readFrameCodes(&fields, stop)
        // The rest of the packet, elision headers and flags, does not affect uncompressed video.
    }

    private mutating func readFrameCodes(_ fields: inout NUTFields, _ stop: StopToken) throws(FrameError) {
        var code = NUTFrameCode(sizeFactor: 1)
        while frameCodes.count < 256 {
            code.flags = NUTFrameCode.Flags(rawValue: try fields.number(stop))
            let fieldCount = try fields.number(stop)
            if fieldCount > 0 { code.timeStep = try fields.signedNumber(stop) }
            if fieldCount > 1 { code.sizeFactor = try fields.number(stop) }
            if fieldCount > 2 { code.streamNumber = try fields.number(stop) }
            code.sizeRest = fieldCount > 3 ? try fields.number(stop) : 0
            code.reservedCount = fieldCount > 4 ? try fields.number(stop) : 0
            let count = fieldCount > 5 ? try fields.number(stop) : code.sizeFactor - code.sizeRest
            if fieldCount > 6 { _ = try fields.signedNumber(stop) }
            if fieldCount > 7 { code.headerIndex = try fields.number(stop) }
            for _ in 8..<max(8, fieldCount) { _ = try fields.number(stop) }
            // ffmpeg writes larger time steps than the specification allows if the clock has a fine tick.
            guard (1...256).contains(count), code.sizeFactor < 16_384, code.sizeRest < 16_384,
                abs(code.timeStep) < 1 << 32, code.reservedCount < 256
            else { throw .invalidStream("the frame code table of the NUT stream is invalid") }
            for _ in 0..<count where frameCodes.count < 256 {
                // 'N' is reserved for start codes; no frame begins with it.
                if frameCodes.count == UInt8(ascii: "N") { frameCodes.append(NUTFrameCode()) }
                frameCodes.append(code)
                code.sizeRest += 1
            }
        }
    }
}

/// The header of one stream.
struct NUTStreamHeader {
    var number: Int
    var isVideo: Bool
    var codec: [UInt8]
    var timeBase: TimeBase
    /// `msb_pts_shift`: how many low bits of a time are coded when the upper ones can be inferred.
    var timeBits: Int
    var size = PixelSize(width: 0, height: 0)
    var color: YUVColor?

    /// Parses a loaded packet.
    init(
        _ fields: inout NUTFields, _ main: NUTMainHeader, _ stop: StopToken
    ) throws(FrameError) {
        number = try fields.number(stop)
        isVideo = try fields.number(stop) == 0
        codec = try fields.bytes(stop)
        let timeBaseNumber = try fields.number(stop)
        timeBits = try fields.number(stop)
        guard main.timeBases.indices.contains(timeBaseNumber), timeBits < 16 else {
            throw .invalidStream("a stream header of the NUT stream has an invalid time base or msb_pts_shift")
        }
        timeBase = main.timeBases[timeBaseNumber]
        // max_pts_distance, decode_delay, stream_flags.
        for _ in 0..<3 { _ = try fields.number(stop) }
        _ = try fields.bytes(stop)
        guard isVideo else { return }
        size = PixelSize(width: try fields.number(stop), height: try fields.number(stop))
        // The sample aspect ratio.
        for _ in 0..<2 { _ = try fields.number(stop) }
        switch try fields.number(stop) {
        case 1: color = YUVColor(.bt601, .limited)
        case 2: color = YUVColor(.bt709, .limited)
        case 17: color = YUVColor(.bt601, .full)
        case 18: color = YUVColor(.bt709, .full)
        default: break
        }
    }

    /// The sample layout for the stream's codec tag, as ffmpeg assigns them to uncompressed video.
    ///
    /// Tags that begin with `Y3` or `Y1` name the number of planes; then follow one byte with the chroma subsampling
    /// (one decimal digit for each direction, as a shift) and one with the bit depth.
    ///
    /// - Throws: `unsupported` for all other tags.
    func layout(color: YUVColor) throws(FrameError) -> SampleLayout {
        let format: SampleLayout.Format =
            switch codec {
            case Array("BGRA".utf8): .bgra
            case Array("RGBA".utf8): .rgba
            case Array("I420".utf8), Array("IYUV".utf8): .yuv(.i420, color)
            case Array("NV12".utf8): .yuv(.nv12, color)
            case Array("Y42B".utf8): .yuv(YUVFormat(.yuv422), color)
            case Array("444P".utf8): .yuv(YUVFormat(.yuv444), color)
            case Array("Y800".utf8): .yuv(YUVFormat(.none), color)
            case Array("Y3".utf8) + [11, 10]: .yuv(YUVFormat(.yuv420, bitDepth: 10), color)
            case Array("Y3".utf8) + [10, 10]: .yuv(YUVFormat(.yuv422, bitDepth: 10), color)
            case Array("Y3".utf8) + [0, 10]: .yuv(YUVFormat(.yuv444, bitDepth: 10), color)
            case Array("Y1".utf8) + [0, 10]: .yuv(YUVFormat(.none, bitDepth: 10), color)
            default: throw .unsupported("NUT video with the codec tag \(Printable(codec))")
            }
        return SampleLayout(format, size)
    }
}

/// Reads the frame rate from an info packet, where ffmpeg stores it; NUT has no header field for it.
enum NUTInfo {
    /// Parses a loaded packet; `nil` if it does not contain the rate of this stream.
    static func rate(
        of number: Int, _ fields: inout NUTFields, _ stop: StopToken
    ) throws(FrameError) -> FrameRate? {
        guard try fields.number(stop) == number + 1 else { return nil }
        for _ in 0..<3 { _ = try fields.number(stop) }
        for _ in 0..<(try fields.number(stop)) {
            let name = try fields.bytes(stop)
            switch try fields.signedNumber(stop) {
            case -1:
                let value = try fields.bytes(stop)
                if name.elementsEqual("r_frame_rate".utf8) {
                    return FrameRate(fraction: String(decoding: value, as: UTF8.self))
                }
            case -2:
                _ = try fields.bytes(stop)
                _ = try fields.bytes(stop)
            case -3: _ = try fields.signedNumber(stop)
            case -4: _ = try fields.number(stop)
            case ..<(-4): _ = try fields.signedNumber(stop)
            default: break
            }
        }
        return nil
    }
}
