import CPixelKernels

/// Filters rows one after the other, from any row on.
struct RowFilter: ~Copyable {
    private let rows: PNGRows
    private let filter: PNGOptions.Filter
    private let kernels = texel_kernels_in_use().pointee
    /// The row before the next one, and the next one; both with zeros before their first byte.
    private var (above, current): (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>)
    private let memory: UnsafeMutablePointer<UInt8>
    private var y: Int

    /// At least the bytes of a pixel.
    private static let margin = 64

    /// - Parameter first: the row to begin with.
    init(_ rows: PNGRows, filter: PNGOptions.Filter, from first: Int) {
        self.rows = rows
        self.filter = filter
        y = first
        let size = Self.margin + rows.bytesPerRow
        memory = .allocate(capacity: 2 * size)
        memory.initialize(repeating: 0, count: 2 * size)
        above = memory + Self.margin
        current = above + size
        if first > 0 { rows.pack(first - 1, into: above) }
    }

    deinit { memory.deallocate() }

    /// Writes the filter's number and the filtered row.
    mutating func next(into destination: UnsafeMutablePointer<UInt8>) {
        rows.pack(y, into: current)
        let type = filter.type ?? cheapest()
        destination[0] = type
        kernels.png_filter_row(destination + 1, current, above, rows.bytesPerRow, rows.bytesPerPixel, Int32(type))
        swap(&above, &current)
        y += 1
    }

    /// The filter whose row has the smallest sum of magnitudes (PNG specification, third edition, 12.7); the first of
    /// equals.
    private func cheapest() -> UInt8 {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 5) { costs in
            guard let base = costs.baseAddress else { return 0 }
            kernels.png_filter_costs(base, current, above, rows.bytesPerRow, rows.bytesPerPixel)
            var cheapest = 0
            for filter in 1..<5 where costs[filter] < costs[cheapest] { cheapest = filter }
            return UInt8(cheapest)
        }
    }
}

extension PNGOptions.Filter {
    /// The filter's number in the file; `nil` where it differs from row to row.
    var type: UInt8? {
        switch self {
        case .none: 0
        case .sub: 1
        case .up: 2
        case .average: 3
        case .paeth: 4
        case .adaptive: nil
        }
    }
}
