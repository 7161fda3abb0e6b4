import TexelCodecs
import TexelPixels

/// The beginning of an AV1 stream: its sequence header (AV1 Bitstream & Decoding Process, 5.5). Only what describes the
/// image is read.
struct AV1SequenceHeader: Sendable, Hashable {
    /// The maximum size of a frame.
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var primaries = 2
    private(set) var transfer = 2
    private(set) var matrix = 2
    private(set) var isFullRange = false

    /// Finds the header in the first bytes of a stream; `nil` if there is none, or if it is not complete.
    init?(stream bytes: [UInt8]) {
        var position = 0
        // OBU headers (5.3): type, flags, then the size in LEB128.
        while position < bytes.count {
            let header = bytes[position]
            let (type, hasExtension, hasSize) = (header >> 3 & 15, header & 4 != 0, header & 2 != 0)
            position += hasExtension ? 2 : 1
            guard header & 0x80 == 0, let size = hasSize ? Self.number(bytes, &position) : bytes.count - position,
                size >= 0
            else { return nil }
            if type == 1 {
                guard position <= bytes.count else { return nil }
                var bits = BitReader(bytes[position...].prefix(min(size, 4096)))
                read(&bits)
                guard !bits.isExhausted else { return nil }
                return
            }
            let (next, isTooLarge) = position.addingReportingOverflow(size)
            guard !isTooLarge else { return nil }
            position = next
        }
        return nil
    }

    /// Reads a number in LEB128 (4.10.5).
    private static func number(_ bytes: [UInt8], _ position: inout Int) -> Int? {
        var value = 0
        for index in 0..<8 {
            guard position < bytes.count else { return nil }
            let byte = Int(bytes[position])
            position += 1
            value |= (byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    private mutating func read(_ bits: inout BitReader) {
        let profile = bits.number(3)
        _ = bits.flag()
        let isReduced = bits.flag()
        if isReduced {
            _ = bits.number(5)
        } else {
            readOperatingPoints(&bits)
        }
        let (widthBits, heightBits) = (bits.number(4) + 1, bits.number(4) + 1)
        size = PixelSize(width: bits.number(widthBits) + 1, height: bits.number(heightBits) + 1)
        // Frame numbers.
        if !isReduced, bits.flag() { _ = bits.number(7) }
        // Superblock size, filter intra, intra edge filter.
        _ = bits.number(3)
        if !isReduced { skipTools(&bits) }
        // Superres, CDEF, loop restoration.
        _ = bits.number(3)
        readColor(&bits, profile)
    }

    private func readOperatingPoints(_ bits: inout BitReader) {
        var hasModel = false
        var delayBits = 0
        if bits.flag() {
            // Timing.
            _ = bits.number(32)
            _ = bits.number(32)
            if bits.flag() { bits.skipVariable() }
            hasModel = bits.flag()
            if hasModel {
                delayBits = bits.number(5) + 1
                _ = bits.number(32)
                _ = bits.number(10)
            }
        }
        let hasDelays = bits.flag()
        for _ in 0...bits.number(5) {
            _ = bits.number(12)
            if bits.number(5) > 7 { _ = bits.flag() }
            if hasModel, bits.flag() {
                _ = bits.number(delayBits)
                _ = bits.number(delayBits)
                _ = bits.flag()
            }
            if hasDelays, bits.flag() { _ = bits.number(4) }
        }
    }

    private func skipTools(_ bits: inout BitReader) {
        // Interintra and masked compounds, warped motion, dual filter.
        _ = bits.number(4)
        let hasOrder = bits.flag()
        if hasOrder { _ = bits.number(2) }
        let screenTools = bits.flag() ? 2 : bits.number(1)
        if screenTools > 0, !bits.flag() { _ = bits.flag() }
        if hasOrder { _ = bits.number(3) }
    }

    /// Reads the colour configuration (5.5.2).
    private mutating func readColor(_ bits: inout BitReader, _ profile: Int) {
        let isDeep = bits.flag()
        if profile == 2, isDeep { _ = bits.flag() }
        let isMonochrome = profile != 1 && bits.flag()
        if bits.flag() { (primaries, transfer, matrix) = (bits.number(8), bits.number(8), bits.number(8)) }
        // sRGB with the identity matrix has no flag for its range, which is full.
        isFullRange = !isMonochrome && (primaries, transfer, matrix) == (1, 13, 0) ? true : bits.flag()
    }
}

extension BitReader {
    /// Skips a number with a prefix of zeros (uvlc, 4.10.3).
    fileprivate mutating func skipVariable() {
        var zeros = 0
        while !isExhausted, !flag() { zeros += 1 }
        if zeros < 32 { _ = number(zeros) }
    }
}
