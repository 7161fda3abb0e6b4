/// The inner loops of a ``Warp``: render one row of the canvas at a time.
///
/// Bounds: taps are read in place only if the whole set is inside the source. Otherwise the pixels of the set are
/// copied with every coordinate clamped to the source, and the taps are read from the copy.
struct WarpRenderer<Format: WarpFormat> {
    /// The pixels and weights of one sample along one axis.
    struct Axis {
        var first: Int
        var count: Int
        var weights: UnsafePointer<Float>
    }

    let warp: Warp
    let source: UnsafePointer<UInt32>
    let stride: Int
    let sets: UnsafePointer<Float>
    let curve: UnsafeBufferPointer<Float>
    let weightsX: UnsafeMutablePointer<Float>
    let weightsY: UnsafeMutablePointer<Float>
    let patch: UnsafeMutablePointer<UInt32>

    private let width: Int
    private let height: Int
    private let map: ProjectiveMap
    private let isAffine: Bool
    /// Whether the image may be reduced somewhere; an affine map has the same scale everywhere.
    private let mayRecede: Bool
    private let radius: Int
    private let background: WarpPixel
    private let left: WarpEdge
    private let right: WarpEdge
    private let top: WarpEdge
    private let bottom: WarpEdge

    init(
        warp: Warp, source: UnsafePointer<UInt32>, stride: Int, sets: UnsafePointer<Float>,
        curve: UnsafeBufferPointer<Float>, weightsX: UnsafeMutablePointer<Float>,
        weightsY: UnsafeMutablePointer<Float>, patch: UnsafeMutablePointer<UInt32>
    ) {
        self.warp = warp
        self.source = source
        self.stride = stride
        self.sets = sets
        self.curve = curve
        self.weightsX = weightsX
        self.weightsY = weightsY
        self.patch = patch
        width = warp.sourceSize.width
        height = warp.sourceSize.height
        map = warp.map
        isAffine = warp.map.w.x == 0 && warp.map.w.y == 0
        func isLong(_ linear: ProjectiveMap.Linear) -> Bool {
            linear.x * linear.x + linear.y * linear.y > WarpTaps.unwidened * WarpTaps.unwidened
        }
        mayRecede = !isAffine || isLong(warp.map.u) || isLong(warp.map.v)
        radius = warp.taps.radius
        background = WarpPixel(warp.background)
        // An edge of the image, such as u = 0, is the line U = 0 on the canvas, also in perspective.
        left = WarpEdge(map.u)
        right = WarpEdge(Double(width) * map.w - map.u)
        top = WarpEdge(map.v)
        bottom = WarpEdge(Double(height) * map.w - map.v)
    }

    func renderRow(_ row: Int, into pixels: UnsafeMutablePointer<UInt32>) {
        let y = Double(row) + 0.5
        let all = 0..<warp.canvasSize.width
        let touched = columns(within: all, y: y, inside: -1)
        let inner = columns(within: touched, y: y, inside: 1)
        let empty = Format.write(warp.background)
        pixels.update(repeating: empty, count: touched.lowerBound)
        (pixels + touched.upperBound).update(repeating: empty, count: all.upperBound - touched.upperBound)

        for column in touched.lowerBound..<inner.lowerBound {
            pixels[column] = edgePixel(Double(column) + 0.5, y, empty)
        }
        for column in inner { pixels[column] = Format.write(sample(Double(column) + 0.5, y)) }
        for column in inner.upperBound..<touched.upperBound {
            pixels[column] = edgePixel(Double(column) + 0.5, y, empty)
        }
    }

    // MARK: Edges

    /// Returns the columns whose pixels are entirely inside all four edges (`inside` = 1), or that touch the image
    /// (-1). The range is one column smaller, or larger, than necessary at both ends, so that rounding errors have no
    /// effect.
    private func columns(within all: Range<Int>, y: Double, inside: Double) -> Range<Int> {
        var (lower, upper) = (Double(all.lowerBound), Double(all.upperBound))
        for edge in [left, right, top, bottom] {
            // slope * (column + 0.5) + atZero >= distance
            let distance = inside * edge.reach
            let (slope, atZero) = (edge.distance.x, edge.distance(0, y))
            if abs(slope) < 1e-12 {
                if atZero < distance { upper = lower }
            } else {
                let column = (distance - atZero) / slope - 0.5
                if slope > 0 {
                    lower = max(lower, (column + inside).rounded(.up))
                } else {
                    upper = min(upper, (column - inside).rounded(.down) + 1)
                }
            }
        }
        guard lower < upper else { return all.lowerBound..<all.lowerBound }
        return Int(lower)..<Int(upper)
    }

    /// Returns how much of the pixel around (x, y) the image covers, 0…1: the product of the parts that the two edges
    /// of each axis leave. Exact except at corners.
    private func coverage(_ x: Double, _ y: Double) -> Float {
        let across = max(0, left.coverage(x, y) + right.coverage(x, y) - 1)
        let down = max(0, top.coverage(x, y) + bottom.coverage(x, y) - 1)
        return Float(across * down)
    }

    private func edgePixel(_ x: Double, _ y: Double, _ empty: UInt32) -> UInt32 {
        let coverage = coverage(x, y)
        guard coverage > 0 else { return empty }
        let pixel = sample(x, y)
        return Format.write(pixel * coverage + background * (1 - coverage))
    }

    // MARK: Sampling

    /// Samples the image at (x, y) of the canvas.
    @inline(__always)
    private func sample(_ x: Double, _ y: Double) -> WarpPixel {
        let scale = isAffine ? 1 : 1 / map.w(x, y)
        let u = min(max(map.u(x, y) * scale, -1), Double(width) + 1)
        let v = min(max(map.v(x, y) * scale, -1), Double(height) + 1)
        let (across, down) = (narrow(u), narrow(v))
        let pixel: WarpPixel
        if mayRecede && recedes(u, v, scale) {
            pixel = widenedSum(u, v, scale)
        } else if across.first >= 0 && across.first + across.count <= width
            && down.first >= 0 && down.first + down.count <= height
        {
            pixel = sum(source + (down.first * stride + across.first), stride, across, down)
        } else {
            copyClamped(across, down)
            pixel = sum(patch, across.count, across, down)
        }
        return Format.limited(pixel)
    }

    /// Returns the squares of the number of source pixels that one canvas pixel spans along each axis of the source,
    /// from the derivatives of U / W: (U' - u W') / W.
    @inline(__always)
    private func spansSquared(_ u: Double, _ v: Double, _ scale: Double) -> (Double, Double) {
        let alongU = lengthSquared(map.u.x - u * map.w.x, map.u.y - u * map.w.y)
        let alongV = lengthSquared(map.v.x - v * map.w.x, map.v.y - v * map.w.y)
        return (alongU * scale * scale, alongV * scale * scale)
    }

    /// Returns whether the image is reduced at this point, so that the kernel must be widened.
    @inline(__always)
    private func recedes(_ u: Double, _ v: Double, _ scale: Double) -> Bool {
        let (alongU, alongV) = spansSquared(u, v, scale)
        return warp.taps.widens && max(alongU, alongV) > WarpTaps.unwidened * WarpTaps.unwidened
    }

    @inline(__always)
    private func lengthSquared(_ x: Double, _ y: Double) -> Double { x * x + y * y }

    /// Returns the precomputed weights for a position, which must be at least -1.
    @inline(__always)
    private func narrow(_ position: Double) -> Axis {
        // Adding two makes truncation round down; half a pixel is subtracted because pixel 0 has its centre at 0.5.
        let fixed = Int((position + 1.5) * Double(WarpTaps.phases) + 0.5)
        let (pixel, phase) = (fixed / WarpTaps.phases - 2, fixed % WarpTaps.phases)
        return Axis(
            first: pixel - (radius - 1), count: 2 * radius,
            weights: sets + phase * 2 * radius)
    }

    @inline(never)
    private func widenedSum(_ u: Double, _ v: Double, _ scale: Double) -> WarpPixel {
        let (alongU, alongV) = spansSquared(u, v, scale)
        var scaleU = min(max(alongU.squareRoot(), 1), WarpTaps.widest)
        var scaleV = min(max(alongV.squareRoot(), 1), WarpTaps.widest)
        if scaleU * scaleV > WarpTaps.widestProduct {
            let excess = (scaleU * scaleV / WarpTaps.widestProduct).squareRoot()
            (scaleU, scaleV) = (max(1, scaleU / excess), max(1, scaleV / excess))
        }
        let (across, down) = (axis(u, scaleU, weightsX), axis(v, scaleV, weightsY))
        if across.first >= 0 && across.first + across.count <= width
            && down.first >= 0 && down.first + down.count <= height
        {
            return sum(source + (down.first * stride + across.first), stride, across, down)
        }
        copyClamped(across, down)
        return sum(patch, across.count, across, down)
    }

    private func axis(_ position: Double, _ scale: Double, _ weights: UnsafeMutablePointer<Float>) -> Axis {
        guard scale > WarpTaps.unwidened else { return narrow(position) }
        let taps = WarpTaps.widen(
            curve: curve, support: warp.taps.support, around: position - 0.5, by: scale, into: weights)
        return Axis(first: taps.first, count: taps.count, weights: UnsafePointer(weights))
    }

    @inline(never)
    private func copyClamped(_ across: Axis, _ down: Axis) {
        for y in 0..<down.count {
            let row = source + min(max(down.first + y, 0), height - 1) * stride
            for x in 0..<across.count {
                patch[y * across.count + x] = row[min(max(across.first + x, 0), width - 1)]
            }
        }
    }

    @inline(__always)
    private func sum(
        _ pixels: UnsafePointer<UInt32>, _ stride: Int, _ across: Axis, _ down: Axis
    ) -> WarpPixel {
        var total = WarpPixel(repeating: 0)
        var row = pixels
        for y in 0..<down.count {
            var line = WarpPixel(repeating: 0)
            for x in 0..<across.count { line += Format.read(row[x], times: across.weights[x]) }
            total += line * down.weights[y]
            row += stride
        }
        return total * (1 / Format.scale)
    }
}
