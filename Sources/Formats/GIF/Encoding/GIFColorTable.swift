import TexelPixels

/// Colours (0xFFRRGGBB) with their indices.
struct GIFColorTable {
    static let capacity = 256

    /// Open addressing, at most half full; 0 marks an empty slot.
    private var keys = [UInt32](repeating: 0, count: 512)
    private var values = [UInt8](repeating: 0, count: 512)
    /// The colours in the order of their indices.
    private(set) var colors: [UInt32] = []

    var count: Int { colors.count }

    /// Returns the index of an opaque colour; `nil` if the table does not have it.
    @inline(__always) func index(of color: UInt32) -> UInt8? {
        let slot = slot(of: color)
        return keys[slot] == color ? values[slot] : nil
    }

    /// Adds an opaque colour; returns false if there is no room for it.
    @discardableResult mutating func insert(_ color: UInt32) -> Bool {
        let slot = slot(of: color)
        if keys[slot] == color { return true }
        guard colors.count < Self.capacity else { return false }
        (keys[slot], values[slot]) = (color, UInt8(colors.count))
        colors.append(color)
        return true
    }

    /// Returns whether an image, whose pixels are opaque or 0, has at most `limit` colours, including the transparent
    /// one.
    static func hasRoom(for image: PixelBuffer, count limit: Int) -> Bool {
        image.withUnsafePixels { pixels in
            var table = GIFColorTable()
            var (hasTransparency, last): (Bool, UInt32) = (false, 0)
            for y in 0..<image.height {
                for index in (y * image.pixelsPerRow)..<(y * image.pixelsPerRow + image.width) {
                    let color = pixels[index]
                    if color == 0 {
                        hasTransparency = true
                    } else if color != last {
                        last = color
                        guard table.insert(color) else { return false }
                    }
                }
                guard table.count + (hasTransparency ? 1 : 0) <= limit else { return false }
            }
            return true
        }
    }

    /// Adds all colours of another table, if there is room for all.
    mutating func insertAll(of other: GIFColorTable) -> Bool {
        guard count + other.colors.count(where: { index(of: $0) == nil }) <= Self.capacity else { return false }
        for color in other.colors { insert(color) }
        return true
    }

    @inline(__always) private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 23)
        while keys[slot] != 0, keys[slot] != color { slot = (slot + 1) & 511 }
        return slot
    }
}
