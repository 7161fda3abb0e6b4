import CPixelKernels
import TexelCore
import TexelPixels

/// The most recent of many rows of words, each made when it is first needed.
final class WordRing {
    private let rows: [WordRow]
    /// The row that each place holds; `nil` if none.
    private var held: [Int?]
    private let addresses: PixelStorage

    /// Allocates rows of `width` pixels.
    ///
    /// - Parameter count: the number of consecutive rows that are used at once.
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    init(count: Int, width: Int) throws(TexelError) {
        var rows: [WordRow] = []
        for _ in 0..<count { rows.append(try WordRow(width: width)) }
        self.rows = rows
        held = [Int?](repeating: nil, count: count)
        addresses = try PixelStorage(byteCount: count * MemoryLayout<UnsafeRawPointer>.stride, zeroed: true)
    }

    /// Forgets all rows.
    func restart() {
        for index in held.indices { held[index] = nil }
    }

    /// Returns the addresses of consecutive rows, valid until the next call.
    ///
    /// - Parameters:
    ///   - limits: outside them the nearest row is repeated.
    ///   - make: writes a row that the ring does not hold.
    func window(
        _ indices: ClosedRange<Int>, clampedTo limits: ClosedRange<Int> = Int.min...Int.max,
        _ make: (UnsafeMutablePointer<Int16>, Int) -> Void
    ) -> UnsafePointer<UnsafePointer<Int16>> {
        precondition(indices.count <= rows.count, "a window has at most \(rows.count) rows")
        let table = addresses.base.assumingMemoryBound(to: UnsafePointer<Int16>.self)
        for (place, index) in indices.enumerated() {
            let index = min(max(index, limits.lowerBound), limits.upperBound)
            // The index may be negative.
            let slot = (index % rows.count + rows.count) % rows.count
            if held[slot] != index {
                make(rows[slot].base, index)
                held[slot] = index
            }
            table[place] = UnsafePointer(rows[slot].base)
        }
        return UnsafePointer(table)
    }
}

/// A horizontal filter of words: where the window of each output pixel begins, and its weights in 1/32,768.
struct HorizontalWeights {
    /// The pixels that each window reads.
    let taps: Int
    private let starts: [Int32]
    private let weights: [Int16]

    /// - Parameters:
    ///   - starts: the first pixel of each window.
    ///   - weights: the weights of a window, equally many for all.
    init(starts: [Int], weights: (_ index: Int) -> [Int16]) {
        let multiple = Int(texel_horizontal_tap_multiple)
        let taps = (weights(0).count + multiple - 1) / multiple * multiple
        self.taps = taps
        self.starts = starts.map { Int32($0) }
        self.weights = starts.indices.flatMap { index in
            let window = weights(index)
            return window + [Int16](repeating: 0, count: taps - window.count)
        }
    }

    /// Filters a row. The last window ends `taps` pixels after its start.
    func run(
        _ kernels: texel_kernels, from source: UnsafePointer<Int16>, into destination: UnsafeMutablePointer<Int16>
    ) {
        starts.withUnsafeBufferPointer { starts in
            weights.withUnsafeBufferPointer { weights in
                guard let firstStart = starts.baseAddress, let weights = weights.baseAddress else { return }
                kernels.resample_horizontal_u16(destination, source, starts.count, firstStart, weights, taps, 15)
            }
        }
    }
}
