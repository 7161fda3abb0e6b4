/// The zigzag order of coefficients (ITU-T T.81, figure 5).
enum Zigzag {
    /// The index in a block, stored row by row, of each coefficient in zigzag order.
    static let places: [Int] = (0..<15).flatMap { diagonal in
        let rows = max(0, diagonal - 7)...min(diagonal, 7)
        let upwards = rows.reversed().map { $0 * 8 + diagonal - $0 }
        return diagonal % 2 == 0 ? upwards : upwards.reversed()
    }
}

/// ``Zigzag/places`` as bytes, for inner loops.
enum ZigzagPlaces {
    /// Allocated once per process and never freed.
    nonisolated(unsafe) static let bytes: UnsafePointer<UInt8> = {
        let places = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
        for (index, place) in Zigzag.places.enumerated() { places[index] = UInt8(place) }
        return UnsafePointer(places)
    }()
}
