import TexelCodecs

/// Up to 256 different pixels with their indices in insertion order; a hash table with multiplicative hashing.
struct ColorTable {
    static let capacity = 256

    /// The pixels in insertion order.
    private(set) var colors: [UInt32] = []

    /// Open addressing with at least four slots per colour; −1 is free.
    private var slots = [Int16](repeating: -1, count: 1024)

    init() {}

    init(_ colors: [UInt32]) {
        for color in colors { _ = insert(color) }
    }

    /// Returns the index of `color`, and inserts it if it is new; `nil` if the table is full.
    mutating func insert(_ color: UInt32) -> Int? {
        let slot = slot(of: color)
        if slots[slot] >= 0 { return Int(slots[slot]) }
        guard colors.count < Self.capacity else { return nil }
        slots[slot] = Int16(colors.count)
        colors.append(color)
        return colors.count - 1
    }

    /// Returns the index of `color`; `nil` if it has not been inserted.
    func index(of color: UInt32) -> Int? {
        let index = slots[slot(of: color)]
        return index >= 0 ? Int(index) : nil
    }

    /// Returns the slot of `color`, or the free slot for it. Terminates because at most a quarter of the slots is used.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while slots[slot] >= 0, colors[Int(slots[slot])] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}
