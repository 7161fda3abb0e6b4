/// The symbols of a scan's Huffman code, and the bits between them.
struct ScanCounts: Sendable {
    /// How often each symbol occurs.
    private(set) var symbols = [Int](repeating: 0, count: 256)
    private(set) var otherBits = 0

    static func + (a: ScanCounts, b: ScanCounts) -> ScanCounts {
        var sum = a
        for symbol in 0..<256 { sum.symbols[symbol] += b.symbols[symbol] }
        sum.otherBits += b.otherBits
        return sum
    }

    /// Bits of the scan, and bytes of its Huffman table's segment.
    var size: (bits: Int, tableBytes: Int) {
        let code = HuffmanLengths(symbols)
        return (code.bitCount + otherBits, Self.segmentBytes(symbolCount: code.symbolCount))
    }

    /// Marker, length, class and the numbers of codes (ITU-T T.81, B.2.4.2), then the symbols.
    static func segmentBytes(symbolCount: Int) -> Int { 2 + 2 + 1 + 16 + symbolCount }

    /// Bits of a number's magnitude.
    @inline(__always) private static func category(_ value: Int) -> Int {
        Int.bitWidth - value.magnitude.leadingZeroBitCount
    }
}

// MARK: Means

extension ScanCounts {
    /// The means of a component, each as its difference from the one before (ITU-T T.81, F.1.2.1), where the scan has this
    /// component alone, or where each group of components has one of its blocks.
    static func means(_ blocks: BlockPlane, lowBit: Int) -> ScanCounts {
        means(blocks, lowBit: lowBit, groupedBy: (1, 1), groups: (blocks.width, blocks.height))
    }

    /// The same where every group has several blocks, across and down. Where the last groups go beyond the picture, a
    /// mean is repeated.
    ///
    /// - Parameter groups: how many there are across and down.
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
                        // Beyond the picture a difference is 0, and so is its category.
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

// MARK: Frequencies

extension ScanCounts {
    /// A band of coefficients in a file with a single scan: runs of zeros and values, block by block (ITU-T T.81,
    /// F.1.2.2).
    ///
    /// - Parameter emptyBlocks: those beyond the picture.
    static func sequential(_ masks: CoefficientMasks, emptyBlocks: Int) -> ScanCounts {
        var counts = ScanCounts()
        counts.symbols[0] = emptyBlocks
        counts.addBlocks(masks, 1...63, lowBit: 0) { symbols, _ in symbols[0] += 1 }
        return counts
    }

    /// The first scan of a band: ends of blocks in succession become one symbol (ITU-T T.81, G.1.2.2).
    static func first(_ masks: CoefficientMasks, _ band: ClosedRange<Int>, lowBit: Int) -> ScanCounts {
        var counts = ScanCounts()
        var ends = BlockEnds()
        counts.addBlocks(masks, band, lowBit: lowBit, beforeSymbols: { ends.flush(&$0, &$1) }) { symbols, bits in
            ends.add(&symbols, &bits)
        }
        counts.finish(&ends)
        return counts
    }

    /// A scan that sends one more bit of a band (ITU-T T.81, G.1.2.3).
    static func refinement(_ masks: CoefficientMasks, _ band: ClosedRange<Int>, lowBit: Int) -> ScanCounts {
        var counts = ScanCounts()
        var ends = BlockEnds()
        let (known, all) = (masks.level(lowBit + 1), masks.level(lowBit))
        let whole = bits(band)
        counts.symbols.withUnsafeMutableBufferPointer { symbols in
            var otherBits = 0
            for block in 0..<masks.blocks.count {
                let old = known[block] & whole
                var new = all[block] & whole & ~old
                otherBits += old.nonzeroBitCount
                // Known coefficients do not count in a run.
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

    private static func bits(_ band: ClosedRange<Int>) -> UInt64 {
        (UInt64.max << UInt64(band.lowerBound)) & (UInt64.max >> UInt64(63 - band.upperBound))
    }

    /// Adds runs and values of all blocks.
    ///
    /// - Parameters:
    ///   - beforeSymbols: called before those of a block that has some.
    ///   - atEnd: called for blocks that end in zeros.
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
                        // A mask's bit stands for a coefficient that is not 0 without its lowest bits.
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

    private mutating func finish(_ ends: inout BlockEnds) {
        var bits = 0
        symbols.withUnsafeMutableBufferPointer { ends.flush(&$0, &bits) }
        otherBits += bits
    }
}

/// Ends of blocks in succession, as libjpeg puts them together.
private struct BlockEnds {
    private var count = 0
    private var pendingBits = 0

    /// The longest run that a symbol has (ITU-T T.81, table G.1).
    private static let longest = 0x7FFF
    /// libjpeg holds back a thousand correction bits, of which a block may add 63 (`MAX_CORR_BITS`).
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
