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

    /// Adds symbols that are each followed by the same number of bits.
    mutating func add(_ count: Int, of symbol: Int, bits: Int) {
        symbols[symbol] += count
        otherBits += count * bits
    }

    /// Adds a table of 256 counts.
    mutating func add(_ counts: UnsafePointer<Int>, bits: Int) {
        for symbol in 0..<256 { symbols[symbol] &+= counts[symbol] }
        otherBits += bits
    }

    /// The size of the scan's data in bits, and of its Huffman table segment in bytes.
    var size: (bits: Int, tableBytes: Int) {
        let code = HuffmanLengths(symbols)
        return (code.bitCount + otherBits, Self.segmentBytes(symbolCount: code.symbolCount))
    }

    /// Returns the size of a DHT segment: marker, length, class and code counts (ITU-T T.81, B.2.4.2), then the
    /// symbols.
    static func segmentBytes(symbolCount: Int) -> Int { 2 + 2 + 1 + 16 + symbolCount }
}

// MARK: DC coefficients

extension ScanCounts {
    /// Counts the DC differences (ITU-T T.81, F.1.2.1) of a component in a scan of its own.
    static func means(_ masks: CoefficientMasks, lowBit: Int) -> ScanCounts {
        means(masks, lowBit: lowBit, groupedBy: (1, 1), groups: (masks.blocks.width, masks.blocks.height))
    }

    /// Counts the DC differences of a component in an interleaved scan with several of its blocks per MCU. Blocks
    /// outside the image repeat the previous DC coefficient.
    ///
    /// - Parameters:
    ///   - factors: the number of blocks per MCU in each direction.
    ///   - groups: the number of MCUs in each direction.
    static func means(
        _ masks: CoefficientMasks, lowBit: Int, groupedBy factors: (horizontal: Int, vertical: Int),
        groups: (across: Int, down: Int)
    ) -> ScanCounts {
        var counts = ScanCounts()
        let (width, height) = (masks.blocks.width, masks.blocks.height)
        counts.symbols.withUnsafeMutableBufferPointer { symbols in
            var (last, bits) = (0, 0)
            for top in stride(from: 0, to: groups.down * factors.vertical, by: factors.vertical) {
                for left in stride(from: 0, to: groups.across * factors.horizontal, by: factors.horizontal) {
                    for y in top..<(top + factors.vertical) {
                        for x in left..<(left + factors.horizontal) {
                            // Outside the image the difference is 0, which is category 0.
                            guard x < width, y < height else {
                                symbols[0] += 1
                                continue
                            }
                            let mean = Int(masks.means[y * width + x]) >> lowBit
                            let category = Int.bitWidth - (mean - last).magnitude.leadingZeroBitCount
                            symbols[category] += 1
                            bits += category
                            last = mean
                        }
                    }
                }
            }
            counts.otherBits += bits
        }
        return counts
    }
}
