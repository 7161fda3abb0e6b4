/// Writes NUT streams, including unusual ones. Computes the checksum bit by bit, unlike the reader.
struct NUTWriting {
    var bytes = Array("nut/multimedia container\0".utf8)

    static func number(_ value: Int) -> [UInt8] {
        var groups = [UInt8(value & 127)]
        var rest = value >> 7
        while rest > 0 {
            groups.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return groups.reversed()
    }

    static func signed(_ value: Int) -> [UInt8] { number(value > 0 ? 2 * value - 1 : -2 * value) }

    static func text(_ value: [UInt8]) -> [UInt8] { number(value.count) + value }

    static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var value: UInt32 = 0
        for byte in bytes {
            value ^= UInt32(byte) << 24
            for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? (value << 1) ^ 0x04C1_1DB7 : value << 1 }
        }
        return (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    mutating func packet(_ startCode: [UInt8], _ fields: [UInt8]) {
        let header = startCode + Self.number(fields.count + 4)
        bytes += header
        if fields.count + 4 > 4096 { bytes += Self.checksum(header) }
        bytes += fields + Self.checksum(fields)
    }

    static let mainCode: [UInt8] = [0x4E, 0x4D, 0x7A, 0x56, 0x1F, 0x5F, 0x04, 0xAD]
    static let streamCode: [UInt8] = [0x4E, 0x53, 0x11, 0x40, 0x5B, 0xF2, 0xF9, 0xDB]
    static let syncCode: [UInt8] = [0x4E, 0x4B, 0xE4, 0xAD, 0xEE, 0xCA, 0x45, 0x69]
    static let infoCode: [UInt8] = [0x4E, 0x49, 0xAB, 0x68, 0xB5, 0x96, 0xBA, 0x78]
    static let indexCode: [UInt8] = [0x4E, 0x58, 0xDD, 0x67, 0x2F, 0x23, 0xE6, 0x4E]
    static let unknownCode: [UInt8] = [0x4E, 0x5A, 1, 2, 3, 4, 5, 6]

    /// The frame codes in the table below.
    enum Code: UInt8 {
        /// All flags are coded.
        case free = 1
        /// The time and the size are coded.
        case full = 2
        /// Three ticks later; the size is coded.
        case step = 3
        /// The size is the code less 4, up to 73; the time is coded.
        case sized = 4
    }

    mutating func main(
        version: Int = 3, streams: Int = 1, timeBases: [(Int, Int)] = [(1, 90_000)], videoStream: Int = 0
    ) {
        var fields = Self.number(version)
        if version > 3 { fields += Self.number(0) }
        fields += Self.number(streams) + Self.number(32_767) + Self.number(timeBases.count)
        for (seconds, ticks) in timeBases { fields += Self.number(seconds) + Self.number(ticks) }
        // Flags, the number of fields, then time step, factor, stream, rest, reserved, number of codes.
        fields += Self.number(8192) + Self.number(6) + [0, 1, 0, 0, 0, 1]
        fields += Self.number(4096) + Self.number(6) + [0, 1] + Self.number(videoStream) + [0, 0, 1]
        fields += Self.number(1 + 8 + 32) + Self.number(6) + [0, 1] + Self.number(videoStream) + [0, 0, 1]
        fields += Self.number(32) + Self.number(6) + Self.signed(3) + [1] + Self.number(videoStream) + [0, 0, 1]
        fields += Self.number(8) + Self.number(2) + [0] + Self.number(100)
        fields += Self.number(8192) + Self.number(6) + [0, 0, 0, 0, 0] + Self.number(200)
        // Two elision headers.
        fields += Self.number(2) + Self.text([1, 2]) + Self.text([3])
        packet(Self.mainCode, fields)
    }

    mutating func stream(
        _ number: Int = 0, kind: Int = 0, codec: [UInt8] = Array("Y800".utf8), timeBase: Int = 0, timeBits: Int = 7,
        width: Int = 3, height: Int = 2, color: Int = 0
    ) {
        var fields = Self.number(number) + Self.number(kind) + Self.text(codec) + Self.number(timeBase)
        fields += Self.number(timeBits) + Self.number(1000) + [0, 0] + Self.text([9, 9])
        if kind == 0 { fields += Self.number(width) + Self.number(height) + [1, 1] + Self.number(color) }
        if kind == 1 { fields += Self.number(48_000) + [1, 2] }
        // Bytes after the known fields must be skipped.
        packet(Self.streamCode, fields + [7, 7, 7])
    }

    mutating func rate(_ value: String, stream: Int = 0) {
        let fields =
            Self.number(stream + 1) + [0, 0, 0] + Self.number(6)
            + Self.text(Array("a".utf8)) + Self.signed(5)
            + Self.text(Array("b".utf8)) + Self.signed(-2) + Self.text(Array("PNG".utf8)) + Self.text([1, 2, 3])
            + Self.text(Array("c".utf8)) + Self.signed(-3) + Self.signed(-9)
            + Self.text(Array("d".utf8)) + Self.signed(-4) + Self.number(9)
            + Self.text(Array("e".utf8)) + Self.signed(-7) + Self.signed(9)
            + Self.text(Array("r_frame_rate".utf8)) + Self.signed(-1) + Self.text(Array(value.utf8))
        packet(Self.infoCode, fields)
    }

    mutating func sync(_ time: Int) { packet(Self.syncCode, Self.number(time) + [0]) }

    /// Writes a frame with a full time, for one that is not among the next 127 ticks.
    mutating func frame(_ image: [UInt8], wholeTime: Int) {
        bytes += [Code.full.rawValue] + Self.number(wholeTime + 128) + Self.number(image.count) + image
    }

    mutating func frame(_ image: [UInt8], lowTime: Int) {
        bytes += [Code.full.rawValue] + Self.number(lowTime & 127) + Self.number(image.count) + image
    }

    mutating func step(_ image: [UInt8]) { bytes += [Code.step.rawValue] + Self.number(image.count) + image }

    mutating func sized(_ image: [UInt8], lowTime: Int) {
        bytes += [Code.sized.rawValue + UInt8(image.count)] + Self.number(lowTime & 127) + image
    }

    /// Writes a frame with every possible field: flags, stream, time, size, match time, header index, reserved fields,
    /// checksum.
    mutating func free(
        _ image: [UInt8], stream: Int = 0, wholeTime: Int, flags: Int = 8 + 16 + 32 + 64 + 128 + 1024 + 2048,
        headerIndex: Int = 0
    ) {
        var header = [Code.free.rawValue] + Self.number(flags) + Self.number(stream) + Self.number(wholeTime + 128)
        header += Self.number(image.count) + Self.signed(-5) + Self.number(headerIndex) + [2] + [8, 9]
        bytes += header + Self.checksum(header) + image
    }
}
