/// An allocation with a stable address, freed with its owner.
final class Memory<Element> {
    let base: UnsafeMutablePointer<Element>
    private let count: Int

    init(_ elements: [Element]) {
        count = elements.count
        base = .allocate(capacity: count)
        elements.withUnsafeBufferPointer { source in
            // The base address is `nil` only for an empty array.
            if let address = source.baseAddress { base.initialize(from: address, count: count) }
        }
    }

    convenience init(count: Int) where Element: BinaryInteger { self.init(Array(repeating: 0, count: count)) }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }
}

/// The kernels' input: a row of noise on a gradient, with padding for windows that start near its end.
enum Rows {
    static let width = 4928

    static var bytes: Memory<UInt8> {
        var generator = SystemRandomNumberGenerator()
        return Memory(
            (0..<(width + 64) * 4).map { index in
                UInt8(truncatingIfNeeded: 60 + index / 200 + Int.random(in: 0...40, using: &generator))
            })
    }

    static var samples: Memory<Int16> {
        var generator = SystemRandomNumberGenerator()
        return Memory((0..<(width + 64) * 4).map { _ in Int16.random(in: 0...32767, using: &generator) })
    }
}

/// The start of each output pixel's filter window, and its weights, which are all equal with the sum 1.
struct Windows {
    let target: Int
    let taps: Int
    let shift: Int32 = 14
    let starts: [Int32]
    let weights: [Int16]

    init(source: Int, target: Int, taps: Int, startMultiple: Int = 1) {
        self.target = target
        self.taps = taps
        starts = (0..<target).map { Int32($0 * (source - taps) / max(1, target - 1) / startMultiple * startMultiple) }
        weights = Array(repeating: Int16((1 << 14) / taps), count: target * taps)
    }
}
