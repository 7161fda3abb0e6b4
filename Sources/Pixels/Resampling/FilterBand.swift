import CPixelKernels
import TexelCore

/// Collects rows, of BGRA pixels or of a plane, and filters them horizontally in bands, which is much faster than row
/// by row.
///
/// The caller gives the destination of each row when the band is filtered.
final class FilterBand {
    /// The most rows of a band.
    let capacity: Int

    /// The number of rows collected.
    private(set) var count = 0

    var isFull: Bool { count == capacity }
    var byteCount: Int { [rows, stash, places, scratch].reduce(0) { $0 + $1.byteCount } }

    private let kernels: texel_kernels
    private let weights: BandWeights
    private let width: Int
    private let targetWidth: Int
    private let rowBytes: Int
    private let multipliesAlpha: Bool
    private let copiesRows: Bool
    private let isPlane: Bool
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
    ///   - bytesPerPixel: four for BGRA, one for a plane.
    ///   - multipliesAlpha: whether rows are straight and must be premultiplied before filtering.
    ///   - rowsStay: whether the rows stay in place, unchanged, until the band is filtered; otherwise they are copied.
    init(
        horizontal: FilterWeights, columnStarts: [Int32], width: Int, bytesPerPixel: Int, multipliesAlpha: Bool,
        rowsStay: Bool, kernels: texel_kernels
    ) throws(TexelError) {
        self.kernels = kernels
        self.weights = BandWeights(horizontal, columnStarts: columnStarts)
        self.width = width
        self.targetWidth = columnStarts.count
        self.multipliesAlpha = multipliesAlpha
        self.copiesRows = !rowsStay
        self.rowBytes = width * bytesPerPixel
        self.isPlane = bytesPerPixel == 1
        self.capacity = Self.capacity(bytesPerPixel: bytesPerPixel)
        let addressBytes = capacity * MemoryLayout<UnsafeRawPointer>.stride
        self.rows = try PixelStorage(byteCount: addressBytes, zeroed: true)
        self.places = try PixelStorage(byteCount: addressBytes, zeroed: true)
        self.stash = try PixelStorage(byteCount: copiesRows ? capacity * rowBytes : 8, zeroed: false)
        let scratchSamples = isPlane ? texel_plane_band_scratch(weights.taps) : texel_band_scratch(weights.taps)
        self.scratch = try PixelStorage(byteCount: scratchSamples * MemoryLayout<Int16>.stride, zeroed: false)
    }

    /// The most rows of a band.
    static func capacity(bytesPerPixel: Int) -> Int {
        Int(bytesPerPixel == 1 ? texel_plane_band_rows : texel_band_rows)
    }

    /// Adds a row of `width` pixels. The band must not be full.
    func append(_ row: UnsafeRawPointer) {
        guard copiesRows else { return add(row) }
        append(writtenBy: { $0.copyMemory(from: row, byteCount: rowBytes) })
    }

    /// Adds a row of `width` pixels that `write` writes. The band must not be full, and copies rows.
    func append(writtenBy write: (UnsafeMutableRawPointer) -> Void) {
        precondition(copiesRows && !isFull, "no place for another row")
        let place = stash.base + count * rowBytes
        write(place)
        add(UnsafeRawPointer(place))
    }

    private func add(_ row: UnsafeRawPointer) {
        precondition(!isFull, "a band of \(capacity) rows is full")
        rows.base.assumingMemoryBound(to: UnsafeRawPointer.self)[count] = row
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
        for index in 0..<capacity {
            sources[index] = sources[min(index, count - 1)]
            destinations[index] = place(min(index, count - 1)).assumingMemoryBound(to: UInt8.self)
        }
        // Rows that stay in place are evenly spaced in an image, so the distance to the next band is known.
        let nextBand = copiesRows ? 0 : (sources[count - 1] - sources[0]) / max(1, count - 1) * capacity
        count = 0
        weights.starts.withUnsafeBufferPointer { starts in
            weights.weights.withUnsafeBufferPointer { values in
                guard let starts = starts.baseAddress, let values = values.baseAddress else { return }
                let (taps, shift) = (weights.taps, Int32(weights.shift))
                let scratch = scratch.base.assumingMemoryBound(to: Int16.self)
                if isPlane {
                    kernels.resample_horizontal_plane_band(
                        destinations, sources, width, targetWidth, starts, values, taps, shift, scratch)
                } else {
                    kernels.resample_horizontal_band(
                        destinations, sources, nextBand, width, targetWidth, starts, values, taps, shift, scratch,
                        multipliesAlpha ? 1 : 0)
                }
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
