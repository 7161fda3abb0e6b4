/// Memory that stays where it is as long as somebody holds it.
final class Memory<Element> {
    let base: UnsafeMutablePointer<Element>
    private let count: Int

    init(_ elements: [Element]) {
        count = elements.count
        base = .allocate(capacity: count)
        elements.withUnsafeBufferPointer { source in
            // An array of elements that is not empty has an address.
            if let address = source.baseAddress { base.initialize(from: address, count: count) }
        }
    }

    convenience init(count: Int) where Element: BinaryInteger { self.init(Array(repeating: 0, count: count)) }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }
}

/// What the kernels read: a row of noise around smooth slopes, and room behind it for windows that begin later.
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

/// Where each output pixel of a filter begins, and its weights: here all the same, with the sum 1.
struct Windows {
    let target: Int
    let taps: Int
    let shift: Int32 = 14
    let starts: [Int32]
    let weights: [Int16]

    init(source: Int, target: Int, taps: Int) {
        self.target = target
        self.taps = taps
        starts = (0..<target).map { Int32($0 * (source - taps) / max(1, target - 1)) }
        weights = Array(repeating: Int16((1 << 14) / taps), count: target * taps)
    }
}
