/// The colours of a picture, similar ones together where there are very many, and how much each of them matters.
struct ColorHistogram {
    struct Entry {
        var point: SIMD4<Float>
        var weight: Float
    }

    /// Of colours with some transparency, and of opaque ones. What is wholly transparent is in neither.
    private(set) var translucent: [Entry] = []
    private(set) var opaque: [Entry] = []
    private(set) var hasTransparency = false
    private(set) var isGray = true

    /// More colours than this are too slow to look at one by one.
    private static let limit = 1 << 16

    /// - Parameter picture: straight or opaque.
    init(_ picture: PixelBuffer) {
        for droppedBits in UInt32(0)...5 where fill(picture, droppedBits) { return }
    }

    /// How many colours a palette has at least in which transparent, translucent and opaque pixels stay what they are.
    var leastColors: Int { (hasTransparency ? 1 : 0) + (translucent.isEmpty ? 0 : 1) + (opaque.isEmpty ? 0 : 1) }

    private struct Slot {
        var key: UInt32 = 0
        var weight: UInt32 = 0
        var red: UInt64 = 0
        var green: UInt64 = 0
        var blue: UInt64 = 0
        var alpha: UInt64 = 0
    }

    /// Counts all pixels; `false` when there are too many colours with so many bits.
    private mutating func fill(_ picture: PixelBuffer, _ droppedBits: UInt32) -> Bool {
        let mask = ((0xFF >> droppedBits) << droppedBits) * 0x0101_0101 as UInt32
        let slotBits = 18
        var slots = [Slot](repeating: Slot(), count: 1 << slotBits)
        var used = 0
        hasTransparency = false
        isGray = true
        let fits = picture.withUnsafePixels { pixels in
            slots.withUnsafeMutableBufferPointer { slots in
                for y in 0..<picture.height {
                    let row = y * picture.pixelsPerRow
                    let above = y > 0 ? row - picture.pixelsPerRow : row
                    for x in 0..<picture.width {
                        let pixel = pixels[row + x]
                        guard pixel >> 24 != 0 else {
                            hasTransparency = true
                            continue
                        }
                        let weight = Self.weight(pixel, left: pixels[row + max(x, 1) - 1], above: pixels[above + x])
                        let key = pixel >> 24 == 255 ? pixel & mask | 0xFF00_0000 : pixel & mask
                        var slot = Int((key &* 0x9E37_79B1) >> UInt32(32 - slotBits))
                        while slots[slot].weight > 0, slots[slot].key != key {
                            slot = (slot + 1) & (1 << slotBits - 1)
                        }
                        if slots[slot].weight == 0 {
                            used += 1
                            if used > Self.limit { return false }
                            slots[slot].key = key
                        }
                        slots[slot].weight += weight
                        slots[slot].red += UInt64(weight * (pixel >> 16 & 255))
                        slots[slot].green += UInt64(weight * (pixel >> 8 & 255))
                        slots[slot].blue += UInt64(weight * (pixel & 255))
                        slots[slot].alpha += UInt64(weight * (pixel >> 24))
                    }
                }
                return true
            }
        }
        guard fits else { return false }
        for slot in slots where slot.weight > 0 {
            let (half, weight) = (UInt64(slot.weight / 2), UInt64(slot.weight))
            func mean(_ sum: UInt64) -> UInt32 { UInt32((sum + half) / weight) }
            let color = mean(slot.alpha) << 24 | mean(slot.red) << 16 | mean(slot.green) << 8 | mean(slot.blue)
            if color >> 16 & 255 != color & 255 || color >> 8 & 255 != color & 255 { isGray = false }
            let entry = Entry(point: PerceptualPoint.point(color), weight: Float(slot.weight))
            if slot.key >> 24 == 255 { opaque.append(entry) } else { translucent.append(entry) }
        }
        return true
    }

    /// Faults are seen where little happens.
    private static func weight(_ pixel: UInt32, left: UInt32, above: UInt32) -> UInt32 {
        func change(_ other: UInt32) -> UInt32 {
            let (a, b) = (Int32(pixel >> 8 & 255), Int32(other >> 8 & 255))
            return (a - b).magnitude
        }
        return 2 + 120 / (10 + change(left) + change(above))
    }
}
