/// Gives each pixel a colour of a palette, and what is wrong with it to its neighbours (Floyd and Steinberg), where that
/// helps: areas of one colour stay areas of one colour, colours that the palette has stay what they are, and faults are
/// not carried over edges.
struct ErrorDiffusion {
    private let palette: Palette
    private let translucent: NearestColor
    private let opaque: NearestColor
    /// The errors that the rows above and this one have left, with one pixel more on both sides.
    private var current: [SIMD4<Float>]
    private var below: [SIMD4<Float>]

    /// How much of an error is passed on, where it is passed on at all.
    private static let share: Float = 0.9
    /// Longer ones come from colours that the palette cannot mix.
    private static let longest: Float = 0.06

    init(_ palette: Palette, width: Int) {
        self.palette = palette
        translucent = NearestColor(palette.translucent.map(PerceptualPoint.point))
        opaque = NearestColor(palette.opaque.map(PerceptualPoint.point))
        current = Array(repeating: .zero, count: width + 2)
        below = current
    }

    /// Gives the pixels of `picture`, straight or opaque, to `result`.
    mutating func run(_ picture: PixelBuffer, into result: UnsafeMutablePointer<UInt32>, pixelsPerRow: Int) {
        for y in 0..<picture.height {
            picture.withUnsafePixels { pixels in
                guard let base = pixels.baseAddress else { return }
                let row = base + y * picture.pixelsPerRow
                let above = y > 0 ? row - picture.pixelsPerRow : nil
                diffuse(
                    row, above: above, width: picture.width, isBackwards: y % 2 == 1, into: result + y * pixelsPerRow)
            }
            swap(&current, &below)
            for index in below.indices { below[index] = .zero }
        }
    }

    private mutating func diffuse(
        _ row: UnsafePointer<UInt32>, above: UnsafePointer<UInt32>?, width: Int, isBackwards: Bool,
        into result: UnsafeMutablePointer<UInt32>
    ) {
        var (lastTranslucent, lastOpaque) = (0, 0)
        let step = isBackwards ? -1 : 1
        current.withUnsafeMutableBufferPointer { current in
            below.withUnsafeMutableBufferPointer { below in
                var x = isBackwards ? width - 1 : 0
                for _ in 0..<width {
                    defer { x += step }
                    let pixel = row[x]
                    guard pixel >> 24 != 0 else {
                        result[x] = 0
                        continue
                    }
                    let isOpaque = pixel >> 24 == 255
                    let search = isOpaque ? opaque : translucent
                    let wanted = PerceptualPoint.point(pixel)
                    let own = search.find(wanted, from: isOpaque ? lastOpaque : lastTranslucent)
                    var index = own.index
                    let color = isOpaque ? palette.opaque[index] : palette.translucent[index]
                    if color == pixel {
                        result[x] = pixel
                    } else if Self.isFlat(row, above, x, width) {
                        result[x] = color
                    } else {
                        let target = wanted + Self.limited(current[x + 1])
                        index = search.find(target, from: index).index
                        result[x] = isOpaque ? palette.opaque[index] : palette.translucent[index]
                        let error = Self.limited(target - search.points[index]) * Self.share
                        current[x + 1 + step] += error * (7 / 16)
                        below[x + 1 - step] += error * (3 / 16)
                        below[x + 1] += error * (5 / 16)
                        below[x + 1 + step] += error * (1 / 16)
                    }
                    if isOpaque { lastOpaque = index } else { lastTranslucent = index }
                }
            }
        }
    }

    /// Whether the pixel is that of its neighbours.
    private static func isFlat(
        _ row: UnsafePointer<UInt32>, _ above: UnsafePointer<UInt32>?, _ x: Int, _ width: Int
    ) -> Bool {
        let pixel = row[x]
        let isWide = (x > 0 && row[x - 1] == pixel) || (x + 1 < width && row[x + 1] == pixel)
        return isWide && above.map { $0[x] == pixel } ?? true
    }

    private static func limited(_ error: SIMD4<Float>) -> SIMD4<Float> {
        let length = PerceptualPoint.distance(error, .zero)
        return length > longest * longest ? error * (longest / length.squareRoot()) : error
    }
}
