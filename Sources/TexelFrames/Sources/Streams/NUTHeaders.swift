import TexelPixels

/// The first bytes of each kind of packet.
enum NUTStartCode {
    static let main: UInt64 = 0x4E4D_7A56_1F5F_04AD
    static let stream: UInt64 = 0x4E53_1140_5BF2_F9DB
    static let syncPoint: UInt64 = 0x4E4B_E4AD_EECA_4569
    static let info: UInt64 = 0x4E49_AB68_B596_BA78
}

/// How long a tick of a stream's clock lasts.
struct NUTTimeBase: Equatable {
    var seconds: Int
    /// Ticks in that many seconds.
    var ticks: Int

    /// Both fit 31 bits, as the format demands.
    init?(seconds: Int, ticks: Int) {
        guard (1...Int(Int32.max)).contains(seconds), (1...Int(Int32.max)).contains(ticks) else { return nil }
        (self.seconds, self.ticks) = (seconds, ticks)
    }

    /// Rounded to a nanosecond; `nil` beyond 292 years.
    func time(of tick: Int) -> Duration? {
        let product = Int128(tick) * Int128(seconds) * 1_000_000_000 + Int128(ticks / 2)
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: Int128(ticks))
        return Int64(exactly: remainder < 0 ? quotient - 1 : quotient).map { .nanoseconds($0) }
    }

    /// The moment of another clock's tick by this clock, rounded down.
    func tick(of tick: Int, by other: NUTTimeBase) -> Int? {
        Int(exactly: Int128(tick) * Int128(other.seconds) * Int128(ticks) / (Int128(other.ticks) * Int128(seconds)))
    }
}

/// What a frame's first byte means.
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
    /// The size is `sizeFactor` × what is coded + `sizeRest`.
    var sizeFactor = 0
    var sizeRest = 0
    var timeStep = 0
    var reservedCount = 0
    var headerIndex = 0
}

/// What is common to all streams of a file.
struct NUTMainHeader {
    var streamCount: Int
    var timeBases: [NUTTimeBase] = []
    /// 256 of them.
    var frameCodes: [NUTFrameCode] = []

    /// Reads the fields of a packet that was loaded.
    init(_ fields: inout NUTFields, _ stop: FrameStop) throws(FrameError) {
        let version = try fields.number(stop)
        // Before 3 the format was not settled.
        guard version == 3 || version == 4 else { throw .unsupported("version \(version) of NUT") }
        if version > 3 { _ = try fields.number(stop) }
        streamCount = try fields.number(stop)
        // The largest distance between packets is for those who seek.
        _ = try fields.number(stop)
        let timeBaseCount = try fields.number(stop)
        for _ in 0..<timeBaseCount {
            let (seconds, ticks) = (try fields.number(stop), try fields.number(stop))
            guard let timeBase = NUTTimeBase(seconds: seconds, ticks: ticks) else {
                throw .invalidStream("the NUT stream's clock ticks \(ticks) times in \(seconds) seconds")
            }
            timeBases.append(timeBase)
        }
        guard streamCount > 0, !timeBases.isEmpty else { throw .invalidStream("the NUT stream holds nothing") }
        try readFrameCodes(&fields, stop)
        // What follows, beginnings that frames leave out and flags, changes no picture that is read here.
    }

    private mutating func readFrameCodes(_ fields: inout NUTFields, _ stop: FrameStop) throws(FrameError) {
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
            // ffmpeg writes larger steps of time than the format allows, where clocks tick often.
            guard (1...256).contains(count), code.sizeFactor < 16_384, code.sizeRest < 16_384,
                abs(code.timeStep) < 1 << 32, code.reservedCount < 256
            else { throw .invalidStream("the NUT stream's table of frame codes is damaged") }
            for _ in 0..<count where frameCodes.count < 256 {
                // Packets begin with N, so no frame does.
                if frameCodes.count == UInt8(ascii: "N") { frameCodes.append(NUTFrameCode()) }
                frameCodes.append(code)
                code.sizeRest += 1
            }
        }
    }
}

/// What a file says of one of its streams.
struct NUTStreamHeader {
    var number: Int
    var isVideo: Bool
    var codec: [UInt8]
    var timeBase: NUTTimeBase
    /// How many bits of a time are coded where the rest does not change.
    var timeBits: Int
    var size = PixelSize(width: 0, height: 0)
    var color: YUVColor?

    /// Reads the fields of a packet that was loaded.
    init(
        _ fields: inout NUTFields, _ main: NUTMainHeader, _ stop: FrameStop
    ) throws(FrameError) {
        number = try fields.number(stop)
        isVideo = try fields.number(stop) == 0
        codec = try fields.bytes(stop)
        let timeBaseNumber = try fields.number(stop)
        timeBits = try fields.number(stop)
        guard main.timeBases.indices.contains(timeBaseNumber), timeBits < 16 else {
            throw .invalidStream("the NUT stream's header has no clock")
        }
        timeBase = main.timeBases[timeBaseNumber]
        // How far times jump, how late frames are decoded, whether the rate is fixed.
        for _ in 0..<3 { _ = try fields.number(stop) }
        _ = try fields.bytes(stop)
        guard isVideo else { return }
        size = PixelSize(width: try fields.number(stop), height: try fields.number(stop))
        // The shape of pixels.
        for _ in 0..<2 { _ = try fields.number(stop) }
        switch try fields.number(stop) {
        case 1: color = YUVColor(.bt601, .limited)
        case 2: color = YUVColor(.bt709, .limited)
        case 17: color = YUVColor(.bt601, .full)
        case 18: color = YUVColor(.bt709, .full)
        default: break
        }
    }

    /// How samples lie, after the codes that ffmpeg gives to uncoded pictures.
    ///
    /// Codes of the form `Y3` or `Y1` name the planes, then tell how much smaller those of the colour differences are (a
    /// decimal digit a side, as a shift), and the bits a sample.
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
            default: throw .unsupported("NUT video of the kind \(Printable(codec))")
            }
        return SampleLayout(format, size)
    }
}

/// The rate that ffmpeg notes among a stream's remarks; NUT has no field of its own for it.
enum NUTInfo {
    /// Reads the fields of a packet that was loaded; `nil` where it says nothing of this stream's rate.
    static func rate(
        of number: Int, _ fields: inout NUTFields, _ stop: FrameStop
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
