import TexelCodecs

/// The Huffman symbols of a scan, and the number of additional bits.
struct ScanCounts: Sendable {
    /// The number of occurrences of each symbol.
    private(set) var symbols = [Int](repeating: 0, count: 256)
    /// The number of bits besides the Huffman codes.
    private(set) var otherBits = 0

    static func + (a: ScanCounts, b: ScanCounts) -> ScanCounts {
        var sum = a
        for symbol in 0..<256 { sum.symbols[symbol] += b.symbols[symbol] }
        sum.otherBits += b.otherBits
        return sum
    }

    /// The size of the scan's data in bits, and of its Huffman table segment in bytes.
    var size: (bits: Int, tableBytes: Int) {
        let code = HuffmanLengths(symbols)
        return (code.bitCount + otherBits, Self.segmentBytes(symbolCount: code.symbolCount))
    }

    /// Returns the size of a DHT segment: marker, length, class and code counts (ITU-T T.81, B.2.4.2), then the
    /// symbols.
    static func segmentBytes(symbolCount: Int) -> Int { 2 + 2 + 1 + 16 + symbolCount }

    /// The magnitude category of a value (ITU-T T.81, tables F.1 and F.2): its number of bits.
    @inline(__always) private static func category(_ value: Int) -> Int {
        Int.bitWidth - value.magnitude.leadingZeroBitCount
    }
}

// MARK: DC coefficients

extension ScanCounts {
    /// Counts the DC differences (ITU-T T.81, F.1.2.1) of a component in a scan of its own, or in an interleaved scan
    /// with one block of it per MCU.
    static func means(_ blocks: BlockPlane, lowBit: Int) -> ScanCounts {
        means(blocks, lowBit: lowBit, groupedBy: (1, 1), groups: (blocks.width, blocks.height))
    }

    /// Counts the DC differences of a component in an interleaved scan with several of its blocks per MCU. Blocks
    /// outside the image repeat the previous DC coefficient.
    ///
    /// - Parameters:
    ///   - factors: the number of blocks per MCU in each direction.
    ///   - groups: the number of MCUs in each direction.
    static func means(
        _ blocks: BlockPlane, lowBit: Int, groupedBy factors: (horizontal: Int, vertical: Int),
        groups: (across: Int, down: Int)
    ) -> ScanCounts {
        var counts = ScanCounts()
        counts.symbols.withUnsafeMutableBufferPointer { symbols in
            var last = 0
            for group in 0..<(groups.across * groups.down) {
                let (left, top) = (group % groups.across * factors.horizontal, group / groups.across * factors.vertical)
                for y in top..<(top + factors.vertical) {
                    for x in left..<(left + factors.horizontal) {
                        // Outside the image the difference is 0, which is category 0.
                        guard x < blocks.width, y < blocks.height else {
                            symbols[0] += 1
                            continue
                        }
                        let mean = Int(blocks.base[(y * blocks.width + x) * 64]) >> lowBit
                        let category = category(mean - last)
                        symbols[category] += 1
                        counts.otherBits += category
                        last = mean
                    }
                }
            }
        }
        return counts
    }
}

// MARK: AC coefficients

extension ScanCounts {
    /// Counts the AC symbols of a sequential file: runs of zeros with values, block by block (ITU-T T.81, F.1.2.2).
    ///
    /// - Parameter emptyBlocks: the number of blocks outside the image.
    static func sequential(_ masks: CoefficientMasks, emptyBlocks: Int) -> ScanCounts {
        var counts = ScanCounts()
        counts.symbols[0] = emptyBlocks
        counts.addBlocks(masks, 1...63, lowBit: 0) { symbols, _ in symbols[0] += 1 }
        return counts
    }

    /// Counts the first scan of a band, in which the ends of consecutive blocks are joined to runs (ITU-T T.81,
    /// G.1.2.2).
    static func first(_ masks: CoefficientMasks, _ band: ClosedRange<Int>, lowBit: Int) -> ScanCounts {
        var counts = ScanCounts()
        var ends = EndOfBlockRun()
        counts.addBlocks(masks, band, lowBit: lowBit, beforeSymbols: { ends.flush(&$0, &$1) }) { symbols, bits in
            ends.add(&symbols, &bits)
        }
        counts.finish(&ends)
        return counts
    }

    /// Counts a refinement scan, which adds one bit to the coefficients of a band (ITU-T T.81, G.1.2.3).
    static func refinement(_ masks: CoefficientMasks, _ band: ClosedRange<Int>, lowBit: Int) -> ScanCounts {
        var counts = ScanCounts()
        var ends = EndOfBlockRun()
        let (known, all) = (masks.level(lowBit + 1), masks.level(lowBit))
        let whole = bits(band)
        counts.symbols.withUnsafeMutableBufferPointer { symbols in
            var otherBits = 0
            for block in 0..<masks.blocks.count {
                let old = known[block] & whole
                var new = all[block] & whole & ~old
                otherBits += old.nonzeroBitCount
                // Coefficients that are already nonzero do not count in a run.
                var free = whole & ~old
                if new != 0 { ends.flush(&symbols, &otherBits) }
                var last = band.lowerBound - 1
                while new != 0 {
                    last = new.trailingZeroBitCount
                    let run = (free & ((1 << UInt64(last)) - 1)).nonzeroBitCount
                    symbols[0xF0] += run >> 4
                    symbols[(run & 15) << 4 | 1] += 1
                    otherBits += 1
                    new &= new - 1
                    free &= ~1 << UInt64(last)
                }
                if last < band.upperBound {
                    let pending = last < 63 ? old >> UInt64(last + 1) : 0
                    ends.add(&symbols, &otherBits, pendingBits: pending.nonzeroBitCount)
                }
            }
            counts.otherBits += otherBits
        }
        counts.finish(&ends)
        return counts
    }

    /// Returns a mask of the coefficients in a band.
    private static func bits(_ band: ClosedRange<Int>) -> UInt64 {
        (UInt64.max << UInt64(band.lowerBound)) & (UInt64.max >> UInt64(63 - band.upperBound))
    }

    /// Adds the runs and values of all blocks.
    ///
    /// - Parameters:
    ///   - beforeSymbols: called before the symbols of a block that has nonzero coefficients.
    ///   - atEnd: called for blocks that end with zeros.
    private mutating func addBlocks(
        _ masks: CoefficientMasks, _ band: ClosedRange<Int>, lowBit: Int,
        beforeSymbols: (inout UnsafeMutableBufferPointer<Int>, inout Int) -> Void = { _, _ in },
        atEnd: (inout UnsafeMutableBufferPointer<Int>, inout Int) -> Void
    ) {
        let whole = Self.bits(band)
        let level = masks.level(lowBit)
        let places = ZigzagPlaces.bytes
        var otherBits = 0
        symbols.withUnsafeMutableBufferPointer { symbols in
            for block in 0..<masks.blocks.count {
                var mask = level[block] & whole
                var last = band.lowerBound - 1
                if mask != 0 {
                    beforeSymbols(&symbols, &otherBits)
                    let coefficients = masks.blocks.base + block * 64
                    repeat {
                        let k = mask.trailingZeroBitCount
                        let run = k - last - 1
                        symbols[0xF0] += run >> 4
                        // The mask contains only coefficients that are nonzero after the shift.
                        let category = Self.category(Int(coefficients[Int(places[k])].magnitude) >> lowBit)
                        symbols[(run & 15) << 4 | category] += 1
                        otherBits += category
                        last = k
                        mask &= mask - 1
                    } while mask != 0
                }
                if last < band.upperBound { atEnd(&symbols, &otherBits) }
            }
        }
        self.otherBits += otherBits
    }

    private mutating func finish(_ ends: inout EndOfBlockRun) {
        var bits = 0
        symbols.withUnsafeMutableBufferPointer { ends.flush(&$0, &bits) }
        otherBits += bits
    }
}

/// Runs of end-of-block symbols (EOBn), joined in the same way as in libjpeg.
private struct EndOfBlockRun {
    private var count = 0
    private var pendingBits = 0

    /// The longest run that a symbol can code (ITU-T T.81, table G.1).
    private static let longest = 0x7FFF
    /// libjpeg buffers 1,000 correction bits; a block may add 63 (`MAX_CORR_BITS`).
    private static let pendingLimit = 1000 - 64 + 1

    @inline(__always) mutating func add(
        _ symbols: inout UnsafeMutableBufferPointer<Int>, _ bits: inout Int, pendingBits more: Int = 0
    ) {
        count += 1
        pendingBits += more
        if count == Self.longest || pendingBits > Self.pendingLimit { flush(&symbols, &bits) }
    }

    @inline(__always) mutating func flush(_ symbols: inout UnsafeMutableBufferPointer<Int>, _ bits: inout Int) {
        guard count > 0 else { return }
        let category = Int.bitWidth - 1 - count.leadingZeroBitCount
        symbols[category << 4] += 1
        bits += category
        count = 0
        pendingBits = 0
    }
}
