/// Maps pixels to the colours of a palette and distributes the errors to their neighbours (Floyd and Steinberg), but
/// only where that helps: areas of one colour stay uniform, colours in the palette stay exact, and errors are not
/// carried across edges.
struct ErrorDiffusion {
    private let palette: Palette
    private let translucent: NearestColor
    private let opaque: NearestColor
    /// For each class of similar pixels the index found last: a good start for the next search.
    private var translucentGuesses: [UInt8]
    private var opaqueGuesses: [UInt8]
    private let exact: ExactColors
    /// The accumulated errors of this row and the next, with one more pixel on both sides.
    private var current: [SIMD4<Float>]
    private var below: [SIMD4<Float>]

    /// In each column the last pixel above that differs from this row's; transparent if there is none.
    private var columnsBefore: [UInt32]

    /// The part of an error that is distributed.
    private static let share: Float = 0.85
    /// Errors are limited to this length: larger ones come from colours that the palette cannot mix.
    private static let longest: Float = 0.14

    init(_ palette: Palette, width: Int) {
        self.palette = palette
        translucent = NearestColor(palette.translucent.map(PerceptualPoint.point))
        opaque = NearestColor(palette.opaque.map(PerceptualPoint.point))
        translucentGuesses = Array(repeating: 0, count: 1 << 12)
        opaqueGuesses = translucentGuesses
        exact = ExactColors(palette.translucent + palette.opaque)
        current = Array(repeating: .zero, count: width + 2)
        below = current
        columnsBefore = Array(repeating: 0, count: width)
    }

    /// Maps the pixels of `image`, straight or opaque, to `result`.
    ///
    /// - Returns: false if `continues` returned false.
    mutating func run(
        _ image: PixelBuffer, into result: UnsafeMutablePointer<UInt32>, pixelsPerRow: Int,
        while continues: () -> Bool
    ) -> Bool {
        image.withUnsafePixels { pixels in
            guard let base = pixels.baseAddress else { return true }
            for y in 0..<image.height {
                if y % 16 == 0, !continues() { return false }
                let row = base + y * image.pixelsPerRow
                let above = y > 0 ? row - image.pixelsPerRow : nil
                diffuse(
                    row, above: above, width: image.width, isBackwards: y % 2 == 1, into: result + y * pixelsPerRow)
                swap(&current, &below)
                for index in below.indices { below[index] = .zero }
            }
            return true
        }
    }

    private mutating func diffuse(
        _ row: UnsafePointer<UInt32>, above: UnsafePointer<UInt32>?, width: Int, isBackwards: Bool,
        into result: UnsafeMutablePointer<UInt32>
    ) {
        let step = isBackwards ? -1 : 1
        var x = isBackwards ? width - 1 : 0
        // The rest of a run of equal pixels, and whether the run is a step of a gradient.
        var (runLength, runIsStep) = (0, false)
        for position in 0..<width {
            defer { x += step }
            let pixel = row[x]
            if let above, above[x] != pixel { columnsBefore[x] = above[x] }
            if runLength == 0 {
                runLength = 1
                while position + runLength < width, row[x + runLength * step] == pixel { runLength += 1 }
                runIsStep =
                    position > 0 && Self.isStep(row[x - step], pixel)
                    || position + runLength < width && Self.isStep(row[x + runLength * step], pixel)
            }
            runLength -= 1
            // Transparent pixels, and colours of the palette.
            if pixel >> 24 == 0 || exact.contains(pixel) {
                result[x] = pixel >> 24 == 0 ? 0 : pixel
                continue
            }
            let wanted = PerceptualPoint.point(pixel)
            if !runIsStep, Self.isFlat(row, above, x, width), !Self.isStep(columnsBefore[x], pixel) {
                result[x] = nearest(to: wanted, for: pixel).color
                continue
            }
            let target = wanted + Self.limited(current[x + 1])
            let (color, point) = nearest(to: target, for: pixel)
            result[x] = color
            let error = Self.limited(target - point) * Self.share
            current[x + 1 + step] += error * (7 / 16)
            below[x + 1 - step] += error * (3 / 16)
            below[x + 1] += error * (5 / 16)
            below[x + 1 + step] += error * (1 / 16)
        }
    }

    /// Returns the nearest opaque or translucent colour, as the pixel is.
    private mutating func nearest(
        to point: SIMD4<Float>, for pixel: UInt32
    ) -> (color: UInt32, point: SIMD4<Float>) {
        let (red, green, blue) = (pixel >> 20 & 15, pixel >> 12 & 15, pixel >> 4 & 15)
        let kind = Int(red << 8 | green << 4 | blue)
        if pixel >> 24 == 255 {
            let index = opaque.find(point, from: Int(opaqueGuesses[kind])).index
            opaqueGuesses[kind] = UInt8(index)
            return (palette.opaque[index], opaque.points[index])
        }
        let index = translucent.find(point, from: Int(translucentGuesses[kind])).index
        translucentGuesses[kind] = UInt8(index)
        return (palette.translucent[index], translucent.points[index])
    }

    /// Returns whether the pixel equals a neighbour in its row and the pixel above.
    private static func isFlat(
        _ row: UnsafePointer<UInt32>, _ above: UnsafePointer<UInt32>?, _ x: Int, _ width: Int
    ) -> Bool {
        let pixel = row[x]
        let isWide = (x > 0 && row[x - 1] == pixel) || (x + 1 < width && row[x + 1] == pixel)
        return isWide && above.map { $0[x] == pixel } ?? true
    }

    /// Returns whether two different colours are so similar that they are steps of a gradient, not separate areas.
    private static func isStep(_ a: UInt32, _ b: UInt32) -> Bool {
        [0, 8, 16, 24].allSatisfy { (shift: UInt32) in
            let (first, second) = (Int32(a >> shift & 255), Int32(b >> shift & 255))
            return (first - second).magnitude <= 3
        }
    }

    private static func limited(_ error: SIMD4<Float>) -> SIMD4<Float> {
        let length = PerceptualPoint.distance(error, .zero)
        return length > longest * longest ? error * (longest / length.squareRoot()) : error
    }
}

/// The set of a palette's colours; a lookup takes one multiplication.
private struct ExactColors {
    /// Open addressing with at least four slots per colour. Zero, which is transparent, marks an empty slot.
    private var slots = [UInt32](repeating: 0, count: 1024)

    /// Creates the set.
    ///
    /// - Parameter colors: at most 256.
    init(_ colors: [UInt32]) {
        for color in colors { slots[slot(of: color)] = color }
    }

    func contains(_ color: UInt32) -> Bool { slots[slot(of: color)] == color }

    /// Returns the slot of a colour, or the empty slot for it.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while slots[slot] != 0, slots[slot] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}
