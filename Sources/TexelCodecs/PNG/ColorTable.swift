/// Up to 256 different pixels, each with its index in the order of their arrival; one multiplication a look-up.
struct ColorTable {
    static let capacity = 256

    /// The pixels in the order of their arrival.
    private(set) var colors: [UInt32] = []

    /// Open addressing, four slots a colour at the fullest; −1 is free.
    private var slots = [Int16](repeating: -1, count: 1024)

    init() {}

    init(_ colors: [UInt32]) {
        for color in colors { _ = insert(color) }
    }

    /// The index of `color`, which is added if it is new; `nil` when the table is full.
    mutating func insert(_ color: UInt32) -> Int? {
        let slot = slot(of: color)
        if slots[slot] >= 0 { return Int(slots[slot]) }
        guard colors.count < Self.capacity else { return nil }
        slots[slot] = Int16(colors.count)
        colors.append(color)
        return colors.count - 1
    }

    /// The index of a colour that was inserted before.
    func index(of color: UInt32) -> Int? {
        let index = slots[slot(of: color)]
        return index >= 0 ? Int(index) : nil
    }

    /// Where `color` is or would be; ends because at most a quarter of the slots is taken.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while slots[slot] >= 0, colors[Int(slots[slot])] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}
