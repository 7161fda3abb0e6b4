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

    /// The indices that a pixel may have.
    struct Choice {
        var index: UInt8
        var other: UInt8
    }
}

/// Compressed indices.
struct LZWData {
    /// The minimum code size, the sub-blocks and the terminator.
    var bytes: [UInt8]
    /// Whether all codes were defined at some time, so that the clearing matters.
    var filledTable: Bool
}

/// Compresses indices with LZW (GIF89a specification, appendix F).
struct LZWEncoder: ~Copyable {
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
    private let lookahead: Int
    private let clearCode: UInt32
    private let minimumSize: Int
    private let codes = LZWCodeTable()
    private var nextCode: UInt32
    private var codeSize: Int
    private var output = LZWBitWriter()
    private var filledTable = false

    /// The lengths of the strings, for `whenWorse`.
    private var window = LZWRunWindow()

    private init(colorCount: Int, clearing: Clearing, lookahead: Int, stop: StopToken?) {
        self.stop = stop
        (self.clearing, self.lookahead) = (clearing, lookahead)
        minimumSize = max(2, GIFBlockWriter.tableBits(colorCount))
        clearCode = 1 << UInt32(minimumSize)
        nextCode = clearCode + 2
        codeSize = minimumSize + 1
    }

    /// Compresses indices.
    ///
    /// - Parameters:
    ///   - input: at least one pixel.
    ///   - lookahead: by how many pixels a string may be shorter than the longest; less than `LZWMatcher.depth`.
    /// - Throws: `stopped`.
    static func encode(
        _ input: LZWInput, clearing: Clearing, lookahead: Int = 0, stop: StopToken?
    ) throws(TexelError) -> LZWData {
        var encoder = LZWEncoder(colorCount: input.colorCount, clearing: clearing, lookahead: lookahead, stop: stop)
        encoder.output.append(encoder.clearCode, bits: encoder.codeSize)
        if input.alternatives.isEmpty, lookahead == 0 {
            try input.indices.withUnsafeBufferPointer { indices throws(TexelError) in try encoder.encode(indices) }
        } else {
            let others = input.alternatives.isEmpty ? input.indices : input.alternatives
            let pixels = zip(input.indices, others).map { LZWInput.Choice(index: $0, other: $1) }
            try pixels.withUnsafeBufferPointer { pixels throws(TexelError) in try encoder.encode(pixels) }
        }
        encoder.output.append(encoder.clearCode + 1, bits: encoder.codeSize)
        return LZWData(
            bytes: [UInt8(encoder.minimumSize)] + encoder.output.subBlocks(), filledTable: encoder.filledTable)
    }

    // MARK: The longest strings

    private mutating func encode(_ indices: UnsafeBufferPointer<UInt8>) throws(TexelError) {
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
        defineLast()
    }

    // MARK: Chosen strings

    /// At each step the longest string is taken that any choice of indices allows, or a shorter one if the next string
    /// then ends later.
    private mutating func encode(_ pixels: UnsafeBufferPointer<LZWInput.Choice>) throws(TexelError) {
        var (matcher, next) = (LZWMatcher(), LZWMatcher())
        var position = 0
        var lastCheck = 0
        var first: UInt8?
        while true {
            if position - lastCheck >= 1 << 14 {
                lastCheck = position
                try stop?.check()
            }
            let longest = matcher.longest(in: codes, pixels, from: position, first: first).length
            guard position + longest < pixels.count else {
                write(matcher.code(ofLength: longest), length: longest)
                return defineLast()
            }
            // The new string ends with the first index of the next one, so that index must be chosen now. It is the one
            // with which the table, as it is, has the longest string; this string may then use the new one.
            var following = next.longest(in: codes, pixels, from: position + longest, first: nil)
            var length = longest
            // A shorter string has a longer one in the table already, so that no new one is defined: that is worth a
            // pixel as long as there is room for new ones.
            var reach = longest + following.length + (nextCode < Self.tableSize ? 1 : 0)
            for shorter in stride(from: longest - 1, through: max(1, longest - lookahead), by: -1) {
                let match = next.longest(in: codes, pixels, from: position + shorter, first: nil)
                guard shorter + match.length > reach else { continue }
                (length, following, reach) = (shorter, match, shorter + match.length)
            }
            let code = matcher.code(ofLength: length)
            write(code, length: length)
            define(code, following.first)
            position += length
            first = following.first
        }
    }

    // MARK: Codes

    private mutating func write(_ code: UInt32, length: Int) {
        output.append(code, bits: codeSize)
        window.add(length, bits: codeSize)
    }

    /// Defines the next code as the string of `code` with another index, unless it has a code.
    private mutating func define(_ code: UInt32, _ index: UInt8) {
        let (slot, known) = codes.find(code, index)
        define(code, index, at: known == nil ? slot : nil)
    }

    /// Defines the next code as the string of `code` with another index.
    ///
    /// - Parameter slot: the place for it; `nil` if the string has a code already, which is shorter or as long.
    private mutating func define(_ code: UInt32, _ index: UInt8, at slot: Int?) {
        guard nextCode < Self.tableSize else {
            if clearing == .whenFull || window.isWorse { clear() }
            return
        }
        if let slot { codes.insert(code, index, as: nextCode, at: slot) }
        countCode()
    }

    /// After the last string, only the decoder still defines a code.
    private mutating func defineLast() {
        if nextCode < Self.tableSize { countCode() }
    }

    private mutating func countCode() {
        // The decoder defines each code one step later, so the first code of more bits is written after this one.
        if nextCode == 1 << UInt32(codeSize), codeSize < 12 { codeSize += 1 }
        nextCode += 1
        guard nextCode == Self.tableSize else { return }
        filledTable = true
        window.becomesFull()
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
struct LZWCodeTable: ~Copyable {
    private static let size = 1 << 14
    /// No entry has this value: index 255 after code 4,095 would have to be code 4,095.
    private static let empty = UInt32.max
    /// Open addressing, at most a quarter full. An entry has the code and the index (20 bits), then the code of both.
    private let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: size)

    init() { slots.initialize(repeating: Self.empty, count: Self.size) }

    deinit { slots.deallocate() }

    func removeAll() { slots.update(repeating: Self.empty, count: Self.size) }

    /// Returns the code of a string with one more index, if there is one, and otherwise the place for it.
    @inline(__always) func find(_ code: UInt32, _ index: UInt8) -> (slot: Int, code: UInt32?) {
        let key = code << 8 | UInt32(index)
        // 14 bits, which are below the size.
        var slot = Int((key &* 0x9E37_79B1) >> 18)
        while true {
            let entry = slots[slot]
            if entry == Self.empty { return (slot, nil) }
            if entry >> 12 == key { return (slot, entry & 0xFFF) }
            slot = (slot + 1) & (Self.size - 1)
        }
    }

    /// - Parameter slot: the place that ``find(_:_:)`` returned.
    @inline(__always) func insert(_ code: UInt32, _ index: UInt8, as newCode: UInt32, at slot: Int) {
        slots[slot & (Self.size - 1)] = (code << 8 | UInt32(index)) << 12 | newCode
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
