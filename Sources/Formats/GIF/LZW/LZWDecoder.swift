import TexelCodecs

/// Decompresses the LZW data of an image (GIF89a specification, appendix F).
///
/// Each code stands for a string of indices. A string is stored as its last one to eight indices and the code of what
/// precedes them, so that it is written in steps of eight bytes.
///
/// ## Bounds
/// Codes have at most 12 bits, so tables of 4,096 entries hold all of them. After a clear code at most 4,094 codes are
/// defined, and each string is one index longer than another: no string is longer than 4,096 indices, and writing it in
/// steps of eight bytes touches at most 7 more. `room` reserves both.
final class LZWDecoder {
    private static let tableSize = 1 << 12
    /// The most bytes that one code may write after the position of its string.
    private static let room = tableSize + 8
    /// The indices to decode in advance.
    private static let stepSize = 1 << 14

    private let bytes: InputBytes
    private let data: UnsafeRawBufferPointer
    private let suffixes: UnsafeMutablePointer<UInt64>
    private let prefixes: UnsafeMutablePointer<UInt16>
    /// The lengths of the strings, less one.
    private let lengths: UnsafeMutablePointer<UInt16>
    private let firstIndices: UnsafeMutablePointer<UInt8>
    private let output: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    /// The decoded indices that were not returned.
    private var pending = 0..<0

    private let clearCode: Int
    private var codeSize: Int
    private var nextCode: Int
    /// The code before; -1 after a clear code.
    private var previousCode = -1
    /// The position in `data`, and the rest of the sub-block there.
    private var position = 1
    private var blockRest = 0
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var isAtEnd = false
    /// Whether the first code was a clear code, as it must be.
    private var beginsWithClear = false
    private var hasEndCode = false
    /// Why the data end before their end code; `nil` if they do not, or if only bytes are missing.
    private(set) var defect: FormatDefect?

    /// - Parameters:
    ///   - range: from the minimum code size to the end of the sub-blocks; all of it has arrived.
    ///   - width: the most indices that are requested at once.
    init(_ bytes: InputBytes, _ range: Range<Int>, width: Int) {
        self.bytes = bytes
        data = bytes.rawBytes(range)
        let minimumSize = data.isEmpty ? 2 : Int(data[0])
        suffixes = .allocate(capacity: Self.tableSize)
        prefixes = .allocate(capacity: Self.tableSize)
        lengths = .allocate(capacity: Self.tableSize)
        firstIndices = .allocate(capacity: Self.tableSize)
        suffixes.initialize(repeating: 0, count: Self.tableSize)
        prefixes.initialize(repeating: 0, count: Self.tableSize)
        lengths.initialize(repeating: 0, count: Self.tableSize)
        firstIndices.initialize(repeating: 0, count: Self.tableSize)
        capacity = max(width, Self.stepSize) + Self.room
        output = .allocate(capacity: capacity)
        // The specification allows 2 to 8. Browsers read what leaves room for codes of 12 bits.
        if !(1...11).contains(minimumSize) {
            defect = .invalidValue(minimumSize, of: "LZW minimum code size")
            isAtEnd = true
        }
        let size = min(max(minimumSize, 1), 11)
        clearCode = 1 << size
        codeSize = size + 1
        nextCode = clearCode + 2
        for index in 0..<clearCode {
            suffixes[index] = UInt64(index & 255)
            firstIndices[index] = UInt8(index & 255)
        }
        if data.isEmpty { isAtEnd = true }
    }

    deinit {
        suffixes.deallocate()
        prefixes.deallocate()
        lengths.deallocate()
        firstIndices.deallocate()
        output.deallocate()
    }

    /// Returns the next `count` indices, or fewer at the end of the data. They are valid until the next call.
    ///
    /// - Parameter count: at most the width that was announced.
    func next(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        if pending.count < count, !isAtEnd {
            output.update(from: output + pending.lowerBound, count: pending.count)
            pending = 0..<pending.count
            fill()
        }
        let result = UnsafeBufferPointer(start: output + pending.lowerBound, count: min(count, pending.count))
        pending = (pending.lowerBound + result.count)..<pending.upperBound
        return result
    }

    /// Whether the data hold the indices that were returned and no others, as the specification demands.
    var isExact: Bool {
        guard next(1).isEmpty, hasEndCode, beginsWithClear, let size = data.first, 2...8 ~= size else { return false }
        // After the end code there are fewer than eight bits, and the terminator.
        return bitCount < 8 && blockRest == 0 && position == data.count - 1 && data[position] == 0
    }

    /// Decodes codes until there is no room for another one, or until the data end.
    private func fill() {
        // Copies, which stay in registers.
        var (position, blockRest, bits, bitCount) = (position, blockRest, bits, bitCount)
        var (codeSize, nextCode, previousCode, end) = (codeSize, nextCode, previousCode, pending.upperBound)
        let (suffixes, prefixes, lengths, firstIndices) = (suffixes, prefixes, lengths, firstIndices)
        let (output, limit, clearCode) = (output, capacity - Self.room, clearCode)
        decoding: while end <= limit {
            while bitCount < codeSize {
                if blockRest >= 8 {
                    // Bits above `bitCount` are those of bytes that are read again; they are the same.
                    let word = UInt64(littleEndian: data.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                    bits |= word << UInt64(bitCount)
                    let taken = (63 - bitCount) >> 3
                    position += taken
                    blockRest -= taken
                    bitCount += taken * 8
                } else {
                    if blockRest == 0 {
                        guard position < data.count, data[position] > 0 else {
                            isAtEnd = true
                            break decoding
                        }
                        blockRest = min(Int(data[position]), data.count - position - 1)
                        position += 1
                        if blockRest == 0 {
                            isAtEnd = true
                            break decoding
                        }
                        continue
                    }
                    bits |= UInt64(data[position]) << UInt64(bitCount)
                    position += 1
                    blockRest -= 1
                    bitCount += 8
                }
            }
            let code = Int(truncatingIfNeeded: bits) & (1 << codeSize &- 1)
            bits >>= UInt64(codeSize)
            bitCount -= codeSize
            if code == clearCode {
                if nextCode == clearCode + 2, end == 0 { beginsWithClear = true }
                (nextCode, previousCode) = (clearCode + 2, -1)
                codeSize = clearCode.trailingZeroBitCount + 1
                continue
            }
            if code == clearCode + 1 {
                (isAtEnd, hasEndCode) = (true, true)
                break
            }
            if previousCode < 0 {
                guard code < clearCode else {
                    defect = .invalidValue(code, of: "LZW code", context: "the start of a table")
                    isAtEnd = true
                    break
                }
                // With one bit for each index, the first code that is defined already has three bits.
                if nextCode == 1 << codeSize { codeSize += 1 }
            } else if nextCode < Self.tableSize {
                // `code` may be the one that is defined now.
                guard code <= nextCode else {
                    defect = .invalidValue(code, of: "LZW code", context: "a table of \(nextCode) codes")
                    isAtEnd = true
                    break
                }
                let first = firstIndices[code == nextCode ? previousCode : code]
                let length = Int(lengths[previousCode]) + 1
                let place = UInt64(length & 7)
                suffixes[nextCode] =
                    place == 0 ? UInt64(first) : suffixes[previousCode] | UInt64(first) << (place * 8)
                prefixes[nextCode] = place == 0 ? UInt16(previousCode) : prefixes[previousCode]
                lengths[nextCode] = UInt16(length)
                firstIndices[nextCode] = firstIndices[previousCode]
                nextCode += 1
                if nextCode == 1 << codeSize, codeSize < 12 { codeSize += 1 }
            }
            // A full table stays until a clear code; all codes of 12 bits are then defined.
            let last = Int(lengths[code])
            var (part, step) = (code, last & ~7)
            // `end` is at most `limit`, and a string and its overshoot fit into `room`.
            while true {
                UnsafeMutableRawPointer(output + end + step).storeBytes(
                    of: suffixes[part].littleEndian, as: UInt64.self)
                if step == 0 { break }
                step -= 8
                part = Int(prefixes[part])
            }
            end += last + 1
            previousCode = code
        }
        (self.position, self.blockRest, self.bits, self.bitCount) = (position, blockRest, bits, bitCount)
        (self.codeSize, self.nextCode, self.previousCode) = (codeSize, nextCode, previousCode)
        pending = pending.lowerBound..<end
        extendLifetime(bytes)
    }
}
