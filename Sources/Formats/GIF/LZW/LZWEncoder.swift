import TexelCodecs
import TexelCore

/// The indices of an image, and where a viewer shows the same pixel for two of them.
struct LZWInput {
    /// The index of each pixel, row by row.
    var indices: [UInt8]
    /// For each pixel an index that may replace it; the same index if there is none. Empty if no pixel has one.
    var alternatives: [UInt8] = []
    /// The number of different indices; at most 256.
    var colorCount: Int
}

/// Compresses indices with LZW (GIF89a specification, appendix F).
struct LZWEncoder {
    /// The action when all codes of 12 bits are defined.
    enum Clearing {
        /// The codes are discarded.
        case whenFull
        /// The codes stay as long as they stand for strings of about the length at the time when they became full.
        case whenWorse
    }

    private static let tableSize = 1 << 12

    private let stop: StopToken?
    private let clearing: Clearing
    private let clearCode: UInt32
    private let minimumSize: Int
    private var codes = LZWCodeTable()
    private var nextCode: UInt32
    private var codeSize: Int
    private var output = LZWBitWriter()

    /// The lengths of the strings, for `whenWorse`.
    private var window = LZWRunWindow()

    private init(colorCount: Int, clearing: Clearing, stop: StopToken?) {
        self.stop = stop
        self.clearing = clearing
        minimumSize = max(2, GIFBlockWriter.tableBits(colorCount))
        clearCode = 1 << UInt32(minimumSize)
        nextCode = clearCode + 2
        codeSize = minimumSize + 1
    }

    /// Returns the minimum code size, the sub-blocks and the terminator.
    ///
    /// - Parameter input: at least one pixel.
    /// - Throws: `stopped`.
    static func encode(_ input: LZWInput, clearing: Clearing, stop: StopToken?) throws(TexelError) -> [UInt8] {
        var encoder = LZWEncoder(colorCount: input.colorCount, clearing: clearing, stop: stop)
        encoder.output.append(encoder.clearCode, bits: encoder.codeSize)
        if input.alternatives.isEmpty {
            try encoder.encode(input.indices)
        } else {
            try encoder.encode(input.indices, input.alternatives)
        }
        encoder.output.append(encoder.clearCode + 1, bits: encoder.codeSize)
        return [UInt8(encoder.minimumSize)] + encoder.output.subBlocks()
    }

    // MARK: Without alternatives

    private mutating func encode(_ indices: [UInt8]) throws(TexelError) {
        guard let first = indices.first else { return }
        var (code, length) = (UInt32(first), 1)
        for start in stride(from: 1, to: indices.count, by: 1 << 16) {
            try stop?.check()
            for position in start..<min(indices.count, start + 1 << 16) {
                let index = indices[position]
                let (slot, child) = codes.find(code, index)
                if let child {
                    code = child
                    length += 1
                } else {
                    write(code, length: length)
                    define(code, index, at: slot)
                    (code, length) = (UInt32(index), 1)
                }
            }
        }
        write(code, length: length)
        define(code, 0, at: nil)
    }

    // MARK: With alternatives

    /// At each step the longest string is taken that any choice of indices allows.
    private mutating func encode(_ indices: [UInt8], _ alternatives: [UInt8]) throws(TexelError) {
        var matcher = LZWMatcher()
        var position = 0
        var lastCheck = 0
        var match = matcher.longest(in: codes, indices, alternatives, from: 0, first: nil)
        while true {
            if position - lastCheck >= 1 << 14 {
                lastCheck = position
                try stop?.check()
            }
            write(match.code, length: match.length)
            position += match.length
            guard position < indices.count else { break }
            // The new string ends with the first index of the next one, so that index must be chosen now. It is the one
            // with which the table, as it is, has the longest string; this string may then use the new one.
            let first =
                indices[position] == alternatives[position]
                ? indices[position]
                : matcher.longest(in: codes, indices, alternatives, from: position, first: nil).first
            define(match.code, first, at: codes.find(match.code, first).slot)
            match = matcher.longest(in: codes, indices, alternatives, from: position, first: first)
        }
        define(match.code, 0, at: nil)
    }

    // MARK: Codes

    private mutating func write(_ code: UInt32, length: Int) {
        output.append(code, bits: codeSize)
        window.add(length, bits: codeSize)
    }

    /// Defines the next code as the string of `code` with another index.
    ///
    /// - Parameter slot: the place for it; `nil` after the last string, when only the decoder still counts a code.
    private mutating func define(_ code: UInt32, _ index: UInt8, at slot: Int?) {
        guard nextCode < Self.tableSize else {
            guard slot != nil, clearing == .whenFull || window.isWorse else { return }
            return clear()
        }
        if let slot { codes.insert(code, index, as: nextCode, at: slot) }
        // The decoder defines each code one step later, so the first code of more bits is written after this one.
        if nextCode == 1 << UInt32(codeSize), codeSize < 12 { codeSize += 1 }
        nextCode += 1
        if nextCode == Self.tableSize { window.becomesFull() }
    }

    private mutating func clear() {
        output.append(clearCode, bits: codeSize)
        codes.removeAll()
        nextCode = clearCode + 2
        codeSize = minimumSize + 1
        window = LZWRunWindow()
    }
}

/// Compares the strings since all codes were defined with those while they were being defined, in indices per bit.
private struct LZWRunWindow {
    /// The number of codes after which they are compared.
    private static let size = 96
    /// The indices and bits from a clear code to the moment when all codes are defined.
    private var cycle = (indices: 0, bits: 0)
    private var recent = (indices: 0, bits: 0)
    private var codeCount = 0
    private var isFull = false
    /// Whether a new table would probably have longer strings for their bits.
    private(set) var isWorse = false

    mutating func add(_ length: Int, bits: Int) {
        recent.indices += length
        recent.bits += bits
        guard isFull else { return }
        codeCount += 1
        guard codeCount == Self.size else { return }
        isWorse = recent.indices * cycle.bits < cycle.indices * recent.bits
        (recent, codeCount) = ((0, 0), 0)
    }

    mutating func becomesFull() {
        (cycle, recent) = (recent, (0, 0))
        isFull = true
    }
}

/// The codes of strings, found by the code of all indices but the last, and the last.
struct LZWCodeTable {
    /// Open addressing, at most a quarter full. An entry has the code and the index (20 bits), then the code of both.
    private var slots = [UInt32](repeating: Self.empty, count: Self.size)
    private static let size = 1 << 14
    /// No entry has this value: index 255 after code 4,095 would have to be code 4,095.
    private static let empty = UInt32.max

    mutating func removeAll() { for slot in slots.indices { slots[slot] = Self.empty } }

    /// Returns the code of a string with one more index, if there is one, and otherwise the place for it.
    @inline(__always) func find(_ code: UInt32, _ index: UInt8) -> (slot: Int, code: UInt32?) {
        let key = code << 8 | UInt32(index)
        var slot = Int((key &* 0x9E37_79B1) >> 18)
        while true {
            let entry = slots[slot]
            if entry == Self.empty { return (slot, nil) }
            if entry >> 12 == key { return (slot, entry & 0xFFF) }
            slot = (slot + 1) & (Self.size - 1)
        }
    }

    @inline(__always) mutating func insert(_ code: UInt32, _ index: UInt8, as newCode: UInt32, at slot: Int) {
        slots[slot] = (code << 8 | UInt32(index)) << 12 | newCode
    }
}

/// Collects bits from the lowest to the highest.
private struct LZWBitWriter {
    private var bytes: [UInt8] = []
    private var bits: UInt32 = 0
    private var bitCount = 0

    mutating func append(_ code: UInt32, bits count: Int) {
        bits |= code << UInt32(bitCount)
        bitCount += count
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    /// Returns all bytes in sub-blocks, with the terminator.
    func subBlocks() -> [UInt8] {
        let all = bitCount > 0 ? bytes + [UInt8(truncatingIfNeeded: bits)] : bytes
        var blocks: [UInt8] = []
        blocks.reserveCapacity(all.count + all.count / 255 + 2)
        for start in stride(from: 0, to: all.count, by: 255) {
            let end = min(all.count, start + 255)
            blocks.append(UInt8(end - start))
            blocks += all[start..<end]
        }
        blocks.append(0)
        return blocks
    }
}
