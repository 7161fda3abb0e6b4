import TexelCodecs

/// Parses the fields of a NUT stream's packets and frame headers in a byte stream's buffer; consumes them at the end.
///
/// The format: "NUT Open Container Format", MPlayer and FFmpeg developers, 2006 to 2008.
struct NUTFields: ~Copyable {
    var stream: ByteStream
    /// The error if the stream ends inside the fields.
    var endError = NUTFields.cutHeaders
    /// The number of buffered bytes that have been parsed, from the first field.
    private var offset = 0
    /// The end of the packet's fields, once the whole packet is buffered.
    private var end: Int?
    /// The number of bytes after the packet's header; once the packet is loaded, of the whole packet.
    private var packetCount = 0

    init(_ stream: consuming ByteStream) { self.stream = stream }

    static let cutHeaders = FrameError.invalidStream("the NUT stream ends inside its headers")

    // MARK: Packets

    /// Reads a packet's header and returns its start code.
    mutating func beginPacket(_ stop: StopToken) throws(FrameError) -> UInt64 {
        begin()
        var startCode: UInt64 = 0
        for _ in 0..<8 { startCode = startCode << 8 | UInt64(try byte(stop)) }
        packetCount = try number(stop)
        if packetCount > 4096 { try checkFields("packet header", stop) }
        return startCode
    }

    /// Buffers the whole packet and verifies its checksum, so that its fields can be parsed.
    mutating func loadPacket(_ stop: StopToken) throws(FrameError) {
        guard packetCount >= 4, packetCount <= ByteStream.capacity - offset else {
            throw .invalidStream("a header of the NUT stream has an invalid length of \(packetCount) bytes")
        }
        guard try stream.buffer(offset + packetCount, stop) else { throw endError }
        let checksum = offset + packetCount - 4
        let declared = (checksum..<checksum + 4).reduce(0) { UInt32($0) << 8 | UInt32(stream.byte($1)) }
        guard crc(offset..<checksum) == declared else {
            throw .invalidStream("a header of the NUT stream has a wrong checksum")
        }
        end = checksum
        packetCount = checksum + 4
    }

    /// Consumes a loaded packet, including fields that were not parsed.
    mutating func endPacket() {
        stream.take(packetCount)
        begin()
    }

    /// Skips a packet whose header was read but that was not loaded.
    mutating func skipPacket(_ stop: StopToken) throws(FrameError) {
        let (count, overflow) = packetCount.addingReportingOverflow(offset)
        guard !overflow, try stream.skip(count, stop) == count else { throw endError }
        begin()
    }

    // MARK: Frame headers

    /// Starts to parse fields at the first buffered byte.
    mutating func begin() {
        offset = 0
        end = nil
    }

    /// Consumes the parsed fields.
    mutating func finish() {
        stream.take(offset)
        begin()
    }

    // MARK: Fields

    mutating func byte(_ stop: StopToken) throws(FrameError) -> UInt8 {
        if let end {
            guard offset < end else { throw .invalidStream("a header of the NUT stream is too short") }
        } else {
            guard offset < ByteStream.capacity else { throw .invalidStream("a header of the NUT stream is too long") }
            guard try stream.buffer(offset + 1, stop) else { throw endError }
        }
        defer { offset += 1 }
        return stream.byte(offset)
    }

    /// Parses a variable-length number: seven bits a byte, most significant first; the top bit marks that more bytes
    /// follow.
    mutating func number(_ stop: StopToken) throws(FrameError) -> Int {
        var value = 0
        while true {
            let byte = try byte(stop)
            guard value < 1 << 55 else { throw .invalidStream("a number of the NUT stream is too large") }
            value = value << 7 | Int(byte & 127)
            if byte < 128 { return value }
        }
    }

    /// Parses a signed number: 0, 1, −1, 2, −2 are coded as 0, 1, 2, 3, 4.
    mutating func signedNumber(_ stop: StopToken) throws(FrameError) -> Int {
        let number = try number(stop) + 1
        return number & 1 == 1 ? -(number >> 1) : number >> 1
    }

    /// Parses a byte string, which its length precedes.
    mutating func bytes(_ stop: StopToken) throws(FrameError) -> [UInt8] {
        let count = try number(stop)
        // Grow byte by byte, so that an absurd length does not allocate memory.
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(try byte(stop)) }
        return bytes
    }

    /// Parses the checksum of all fields before it and verifies it.
    mutating func checkFields(_ name: String, _ stop: StopToken) throws(FrameError) {
        let computed = crc(0..<offset)
        var declared: UInt32 = 0
        for _ in 0..<4 { declared = declared << 8 | UInt32(try byte(stop)) }
        guard computed == declared else { throw .invalidStream("a \(name) of the NUT stream has a wrong checksum") }
    }

    /// The CRC-32 of buffered bytes: generator 0x104C11DB7, most significant bit first, initial value 0.
    private func crc(_ range: Range<Int>) -> UInt32 {
        range.reduce(0) { $0 << 8 ^ Self.crcTable[Int(UInt8($0 >> 24) ^ stream.byte($1))] }
    }

    private static let crcTable = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in value << 1 ^ (value >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
}
