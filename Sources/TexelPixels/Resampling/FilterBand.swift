import CPixelKernels

/// Collects rows and filters them horizontally in bands, which is much faster than row by row.
///
/// The caller gives the destination of each row when the band is filtered.
final class FilterBand {
    /// The most rows of a band.
    static let capacity = Int(texel_band_rows)

    /// The number of rows collected.
    private(set) var count = 0

    var isFull: Bool { count == Self.capacity }
    var byteCount: Int { [rows, stash, places, scratch].reduce(0) { $0 + $1.byteCount } }

    private let kernels: texel_kernels
    private let weights: BandWeights
    private let width: Int
    private let targetWidth: Int
    private let multipliesAlpha: Bool
    private let copiesRows: Bool
    /// The addresses of the collected rows.
    private let rows: PixelStorage
    /// Copies of the collected rows, if the caller's memory may change.
    private let stash: PixelStorage
    /// The addresses of the destinations.
    private let places: PixelStorage
    private let scratch: PixelStorage

    /// Allocates memory for one band.
    ///
    /// - Parameters:
    ///   - horizontal: the weights; not a selection.
    ///   - columnStarts: `horizontal.starts`, relative to the first needed column.
    ///   - width: the pixels of a row, from the first needed column on.
    ///   - multipliesAlpha: whether rows are straight and must be premultiplied before filtering.
    ///   - rowsStay: whether the rows stay in place, unchanged, until the band is filtered; otherwise they are copied.
    init(
        horizontal: FilterWeights, columnStarts: [Int32], width: Int, multipliesAlpha: Bool, rowsStay: Bool,
        kernels: texel_kernels
    ) throws(PixelBufferError) {
        self.kernels = kernels
        self.weights = BandWeights(horizontal, columnStarts: columnStarts)
        self.width = width
        self.targetWidth = columnStarts.count
        self.multipliesAlpha = multipliesAlpha
        self.copiesRows = !rowsStay
        let addressBytes = Self.capacity * MemoryLayout<UnsafeRawPointer>.stride
        self.rows = try PixelStorage(byteCount: addressBytes, zeroed: true)
        self.places = try PixelStorage(byteCount: addressBytes, zeroed: true)
        self.stash = try PixelStorage(
            byteCount: copiesRows ? Self.capacity * width * PixelBuffer.bytesPerPixel : 8, zeroed: false)
        self.scratch = try PixelStorage(
            byteCount: texel_band_scratch(weights.taps) * MemoryLayout<Int16>.stride, zeroed: false)
    }

    /// Adds a row of `width` pixels. The band must not be full.
    func append(_ row: UnsafeRawPointer) {
        precondition(!isFull, "a band of \(Self.capacity) rows is full")
        var address = row
        if copiesRows {
            let bytes = width * PixelBuffer.bytesPerPixel
            let copy = stash.base + count * bytes
            copy.copyMemory(from: row, byteCount: bytes)
            address = UnsafeRawPointer(copy)
        }
        rows.base.assumingMemoryBound(to: UnsafeRawPointer.self)[count] = address
        count += 1
    }

    /// Discards the collected rows.
    func empty() { count = 0 }

    /// Filters all collected rows, the `index`-th into `place(index)`, and empties the band.
    func filter(into place: (_ index: Int) -> UnsafeMutableRawPointer) {
        guard count > 0 else { return }
        let sources = rows.base.assumingMemoryBound(to: UnsafePointer<UInt8>.self)
        let destinations = places.base.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>.self)
        // Repeat the last row if the band is not full.
        for index in 0..<Self.capacity {
            sources[index] = sources[min(index, count - 1)]
            destinations[index] = place(min(index, count - 1)).assumingMemoryBound(to: UInt8.self)
        }
        // Rows that stay in place are evenly spaced in an image, so the distance to the next band is known.
        let nextBand = copiesRows ? 0 : (sources[count - 1] - sources[0]) / max(1, count - 1) * Self.capacity
        count = 0
        weights.starts.withUnsafeBufferPointer { starts in
            weights.weights.withUnsafeBufferPointer { values in
                guard let starts = starts.baseAddress, let values = values.baseAddress else { return }
                kernels.resample_horizontal_band(
                    destinations, sources, nextBand, width, targetWidth, starts, values, weights.taps,
                    Int32(weights.shift), scratch.base.assumingMemoryBound(to: Int16.self), multipliesAlpha ? 1 : 0)
            }
        }
    }
}

/// Filter weights with windows that begin at even pixels, and as few taps as that allows.
private struct BandWeights {
    let starts: [Int32]
    let weights: [Int16]
    let taps: Int
    let shift: Int

    init(_ filter: FilterWeights, columnStarts: [Int32]) {
        let multiple = Int(texel_band_tap_multiple)
        let windows = columnStarts.indices.map { filter.weights[($0 * filter.taps)..<(($0 + 1) * filter.taps)] }
        let offsets = columnStarts.map { Int($0) % multiple }
        let widest = zip(windows, offsets).reduce(1) { widest, window in
            let last = window.0.lastIndex { $0 != 0 } ?? window.0.startIndex
            return max(widest, window.1 + last - window.0.startIndex + 1)
        }
        let taps = (widest + multiple - 1) / multiple * multiple
        var weights = [Int16](repeating: 0, count: columnStarts.count * taps)
        for (index, window) in windows.enumerated() {
            let begin = index * taps + offsets[index]
            for (tap, weight) in window.enumerated() where weight != 0 { weights[begin + tap] = weight }
        }
        self.starts = zip(columnStarts, offsets).map { $0 - Int32($1) }
        self.weights = weights
        self.taps = taps
        self.shift = filter.shift
    }
}
