/// A hash table of colours that are not transparent, with their weights. When it is full, colours that agree in their
/// higher bits are merged.
struct WeightedColors {
    /// An entry; empty if its weight is 0.
    private struct Slot {
        var key: UInt32 = 0
        var weight: UInt64 = 0
        var red: UInt64 = 0
        var green: UInt64 = 0
        var blue: UInt64 = 0
        var alpha: UInt64 = 0
    }

    /// The most colours: more would take too long to process.
    private static let limit = 1 << 15
    /// Open addressing, at most half full.
    private static let slotBits = 16

    private var slots = [Slot](repeating: Slot(), count: 1 << slotBits)
    private var used = 0
    /// The bits of a sample that distinguish colours, for all four samples.
    private var mask: UInt32 = .max

    mutating func add(_ color: UInt32, weight: UInt32) {
        let slot = slot(of: color)
        if slots[slot].weight == 0 {
            used += 1
            slots[slot].key = key(of: color)
        }
        slots[slot].weight += UInt64(weight)
        slots[slot].red += UInt64(weight * (color >> 16 & 255))
        slots[slot].green += UInt64(weight * (color >> 8 & 255))
        slots[slot].blue += UInt64(weight * (color & 255))
        slots[slot].alpha += UInt64(weight * (color >> 24))
        // With five bits dropped fewer than 5,000 colours are left.
        while used > Self.limit { dropBit() }
    }

    /// The weighted mean of each merged colour, and its weight.
    var means: [(color: UInt32, weight: UInt64)] {
        slots.filter { $0.weight > 0 }.map { slot in
            func mean(_ sum: UInt64) -> UInt32 { UInt32((sum + slot.weight / 2) / slot.weight) }
            // Merged translucent colours stay translucent: opaque ones are separate, and the mean of values in 1…254 is
            // in 1…254.
            let color = mean(slot.alpha) << 24 | mean(slot.red) << 16 | mean(slot.green) << 8 | mean(slot.blue)
            return (color, slot.weight)
        }
    }

    private mutating func dropBit() {
        let full = slots.filter { $0.weight > 0 }
        mask &= mask << 1 & 0xFEFE_FEFE
        used = 0
        for index in slots.indices { slots[index] = Slot() }
        for old in full {
            let slot = slot(of: old.key)
            if slots[slot].weight == 0 {
                used += 1
                slots[slot].key = key(of: old.key)
            }
            slots[slot].weight += old.weight
            slots[slot].red += old.red
            slots[slot].green += old.green
            slots[slot].blue += old.blue
            slots[slot].alpha += old.alpha
        }
    }

    /// Returns the key of a colour. Opaque colours never share a key with translucent ones.
    private func key(of color: UInt32) -> UInt32 {
        color >> 24 == 255 ? color & mask | 0xFF00_0000 : color & mask
    }

    /// Returns the slot of a colour, or the empty slot for it.
    private func slot(of color: UInt32) -> Int {
        let key = key(of: color)
        var slot = Int((key &* 0x9E37_79B1) >> UInt32(32 - Self.slotBits))
        while slots[slot].weight > 0, slots[slot].key != key { slot = (slot + 1) & (1 << Self.slotBits - 1) }
        return slot
    }
}
