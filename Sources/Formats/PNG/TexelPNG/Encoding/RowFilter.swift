import CPixelKernels
import TexelCodecs
import TexelCore

/// Filters consecutive rows, starting at any row.
struct RowFilter: ~Copyable {
    private let rows: PNGRows
    private let strategy: FilterStrategy
    private let kernels = texel_kernels_in_use().pointee
    /// The previous row and the current one, both preceded by zeros.
    private var (above, current): (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>)
    private let memory: UnsafeMutablePointer<UInt8>
    private var y: Int
    /// The number of rows written so far.
    private var written = 0
    private let entropy: RowEntropy
    private var likelihood: RowLikelihood?
    private var matches: RowMatches?
    private let trial: RowTrial

    /// The zeros before each row; at least the bytes of a pixel.
    private static let margin = 64

    /// - Parameter first: the first row.
    init(_ rows: PNGRows, _ strategy: FilterStrategy, from first: Int) throws(TexelError) {
        entropy = RowEntropy(countsPairs: strategy == .pairs || strategy == .pairEntropy)
        likelihood = strategy == .likelihood ? RowLikelihood() : nil
        matches = strategy == .matches || strategy == .deflated ? try RowMatches() : nil
        trial = try RowTrial(bytesPerRow: strategy == .deflated ? rows.bytesPerRow : 0)
        self.rows = rows
        self.strategy = strategy
        y = first
        let size = Self.margin + rows.bytesPerRow
        memory = .allocate(capacity: 2 * size)
        memory.initialize(repeating: 0, count: 2 * size)
        above = memory + Self.margin
        current = above + size
        if first > 0 { rows.pack(first - 1, into: above) }
    }

    deinit { memory.deallocate() }

    /// Writes the filter type and the filtered row. Rows must be written one after the other to contiguous memory.
    mutating func next(into destination: UnsafeMutablePointer<UInt8>) {
        rows.pack(y, into: current)
        write(chosen(destination), into: destination)
        let count = bytesPerFilteredRow
        likelihood?.add(destination, count: count)
        matches?.add(destination - written * count, at: written * count, count: count)
        swap(&above, &current)
        y += 1
        written += 1
    }

    private var bytesPerFilteredRow: Int { rows.bytesPerRow + 1 }

    private func write(_ type: UInt8, into destination: UnsafeMutablePointer<UInt8>) {
        destination[0] = type
        kernels.png_filter_row(destination + 1, current, above, rows.bytesPerRow, rows.bytesPerPixel, Int32(type))
    }

    private func chosen(_ destination: UnsafeMutablePointer<UInt8>) -> UInt8 {
        let count = bytesPerFilteredRow
        switch strategy {
        case .fixed(let type): return type
        case .chosen(let types): return types[y]
        case .magnitudes: return smallestMagnitudes()
        case .entropy: return cheapest(destination) { entropy.ofBytes($0, count: count) }
        case .likelihood: return cheapest(destination) { likelihood?.cost(of: $0, count: count) ?? 0 }
        case .pairs: return cheapest(destination) { entropy.differentPairs($0, count: count) }
        case .pairEntropy: return cheapest(destination) { entropy.ofPairs($0, count: count) }
        case .matches:
            let types = promising(destination, within: 8) { matches?.literalsCost(of: $0, count: count) ?? 0 }
            return cheapest(destination, of: types) { matchesCost($0) }
        case .deflated:
            let types = promising(destination, within: 16) { matchesCost($0) }
            return cheapest(destination, of: types) { trial.size(of: $0, behind: written) }
        }
    }

    private func matchesCost(_ destination: UnsafePointer<UInt8>) -> Int {
        let count = bytesPerFilteredRow
        return matches?.cost(of: destination - written * count, at: written * count, count: count) ?? 0
    }

    /// Returns the filters whose costs exceed the smallest by at most one part in `share`.
    private func promising(
        _ destination: UnsafeMutablePointer<UInt8>, within share: Int, _ cost: (UnsafePointer<UInt8>) -> Int
    ) -> [UInt8] {
        let costs = (UInt8(0)..<5).map { type in
            write(type, into: destination)
            return cost(destination)
        }
        let least = costs.reduce(costs[0], min)
        return (UInt8(0)..<5).filter { costs[Int($0)] <= least + least / share }
    }

    /// Returns the filter with the smallest cost of its row, including the type byte; the lowest type among equals.
    private func cheapest(
        _ destination: UnsafeMutablePointer<UInt8>, of types: [UInt8] = [0, 1, 2, 3, 4],
        _ cost: (UnsafePointer<UInt8>) -> Int
    ) -> UInt8 {
        if types.count == 1 { return types[0] }
        var best = (type: UInt8(0), cost: Int.max)
        for type in types {
            write(type, into: destination)
            let cost = cost(destination)
            if cost < best.cost { best = (type, cost) }
        }
        return best.type
    }

    private func smallestMagnitudes() -> UInt8 {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 5) { costs in
            guard let base = costs.baseAddress else { return 0 }
            kernels.png_filter_costs(base, current, above, rows.bytesPerRow, rows.bytesPerPixel)
            var cheapest = 0
            for filter in 1..<5 where costs[filter] < costs[cheapest] { cheapest = filter }
            return UInt8(cheapest)
        }
    }
}

/// Measures how well a filtered row deflates after the filtered rows before it.
private struct RowTrial: ~Copyable {
    private let deflate: Deflate
    private let result: UnsafeMutableRawBufferPointer
    private let bytesPerFilteredRow: Int
    /// The maximum number of preceding rows that are deflated with a row.
    private let rows: Int

    private static let level = 5
    private static let contextBytes = 24 << 10
    private static let mostRows = 8

    init(bytesPerRow: Int) throws(TexelError) {
        deflate = try Deflate(level: Self.level)
        bytesPerFilteredRow = bytesPerRow + 1
        rows = max(1, min(Self.mostRows, Self.contextBytes / bytesPerFilteredRow))
        result = .allocate(byteCount: deflate.bound((rows + 1) * bytesPerFilteredRow), alignment: 64)
    }

    deinit { result.deallocate() }

    /// Returns the size of the row and its preceding rows after compression.
    ///
    /// - Parameter written: the number of filtered rows in memory before `row`.
    func size(of row: UnsafePointer<UInt8>, behind written: Int) -> Int {
        let before = min(rows, written)
        let bytes = UnsafeRawBufferPointer(
            start: row - before * bytesPerFilteredRow, count: (before + 1) * bytesPerFilteredRow)
        return deflate.compress(bytes, into: result)
    }
}
