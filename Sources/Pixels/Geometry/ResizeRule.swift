public import TexelCore

/// A requested size that applies to any image; ``plan(for:gravity:)`` computes the result for one image.
///
/// Sizes are computed with 128-bit integers, so they are the same on every machine and nothing overflows.
public struct ResizeRule: Sendable, Hashable, Codable {
    /// The kind of size that is requested.
    public enum Target: Sendable, Hashable, Codable {
        /// A box in pixels. If only one side is given, the other follows from the aspect ratio and all fits are
        /// equivalent; if none is given, the size stays.
        case box(width: Int?, height: Int?, fit: Fit)
        /// Both sides multiplied by `numerator / denominator`, rounded to nearest: 50 % is 50 / 100.
        case scale(numerator: Int, denominator: Int)
        /// A minimum for both sides, as in flutter_image_compress: with `scale = max(1, min(w / width, h / height))`
        /// the result is `w / scale` by `h / scale`, truncated. Sides that are `nil` are ignored.
        case minimum(width: Int?, height: Int?)
    }

    /// The size.
    public var target: Target
    /// Whether images smaller than the target are enlarged. If false, no side of an image ever grows.
    public var enlarges: Bool

    /// Creates a rule that does not enlarge by default.
    public init(_ target: Target, enlarges: Bool = false) {
        self.target = target
        self.enlarges = enlarges
    }

    /// Computes the plan for an image of `source` pixels. Every side of the result is at least one pixel.
    ///
    /// - Parameters:
    ///   - source: the size of the image in pixels.
    ///   - gravity: which part of the image the fit `cover` keeps.
    /// - Throws: `invalidSize` if the source or the box has a side below one, `invalidTransform` for a scale that is
    ///   not positive, `resultTooLarge` if the number of bytes of the result overflows an `Int`.
    public func plan(for source: PixelSize, gravity: Gravity = .center) throws(TexelError) -> ResizePlan {
        guard source.isPositive else { throw .invalidSize(source) }
        let plan =
            switch target {
            case .box(let width, let height, let fit):
                try planForBox(width: width, height: height, fit: fit, gravity: gravity, source: source)
            case .scale(let numerator, let denominator):
                ResizePlan(source, to: try scaled(source, by: numerator, over: denominator))
            case .minimum(let width, let height):
                ResizePlan(source, to: try reaching(width: width, height: height, from: source))
            }
        guard let pixels = plan.canvasSize.pixelCount, pixels <= Int.max / PixelBuffer.bytesPerPixel else {
            throw .resultTooLarge
        }
        return plan
    }

    // MARK: A box

    private func planForBox(
        width: Int?, height: Int?, fit: Fit, gravity: Gravity, source: PixelSize
    ) throws(TexelError) -> ResizePlan {
        guard let width, let height else {
            return ResizePlan(source, to: try following(width: width, height: height, from: source))
        }
        let box = PixelSize(width: width, height: height)
        guard box.isPositive else { throw .invalidSize(box) }
        switch fit {
        case .inside:
            return ResizePlan(source, to: try inside(box, from: source))
        case .outside:
            return ResizePlan(source, to: try outside(box, from: source))
        case .cover:
            return try cover(box, from: source, gravity)
        case .contain:
            return ResizePlan(source, to: try inside(box, from: source), onCanvas: box)
        case .fill:
            return ResizePlan(source, to: enlarges ? box : box.limited(to: source))
        }
    }

    /// Returns the size with one side given; the other follows from the aspect ratio.
    private func following(width: Int?, height: Int?, from source: PixelSize) throws(TexelError) -> PixelSize {
        if let width {
            guard width > 0 else { throw .invalidSize(PixelSize(width: width, height: source.height)) }
            guard enlarges || width < source.width else { return source }
            return PixelSize(
                width: width, height: try proportion(source.height, times: width, over: source.width, .nearest))
        }
        if let height {
            return try following(width: height, height: nil, from: source.transposed).transposed
        }
        return source
    }

    private func inside(_ box: PixelSize, from source: PixelSize) throws(TexelError) -> PixelSize {
        if !enlarges && box.width >= source.width && box.height >= source.height { return source }
        // The axis with the smaller ratio of box to source decides. The other is clamped: rounding may exceed the box.
        if product(box.width, source.height) <= product(box.height, source.width) {
            let height = try proportion(source.height, times: box.width, over: source.width, .nearest)
            return PixelSize(width: box.width, height: min(height, box.height))
        }
        let width = try proportion(source.width, times: box.height, over: source.height, .nearest)
        return PixelSize(width: min(width, box.width), height: box.height)
    }

    private func outside(_ box: PixelSize, from source: PixelSize) throws(TexelError) -> PixelSize {
        if !enlarges && (box.width >= source.width || box.height >= source.height) { return source }
        // The axis with the larger ratio decides. The other is at least the box's before rounding, and so also after
        // it.
        if product(box.width, source.height) >= product(box.height, source.width) {
            let height = try proportion(source.height, times: box.width, over: source.width, .nearest)
            return PixelSize(width: box.width, height: height)
        }
        let width = try proportion(source.width, times: box.height, over: source.height, .nearest)
        return PixelSize(width: width, height: box.height)
    }

    /// If filling the box would enlarge the image and that is not allowed, the box is reduced until it fits into the
    /// image. It keeps its aspect ratio, as with imgproxy's `fill-down`, and the image keeps its scale.
    private func cover(
        _ box: PixelSize, from source: PixelSize, _ gravity: Gravity
    ) throws(TexelError) -> ResizePlan {
        let box = enlarges ? box : try reduced(box, toFit: source)
        let fits = box.width <= source.width && box.height <= source.height
        if fits, box.width == source.width || box.height == source.height {
            // Whole offsets, so that pixels are copied and not blended.
            let kept = gravity.rectangle(of: box, in: source)
            let sampled = FractionalRectangle(
                x: Double(kept.x), y: Double(kept.y), width: Double(kept.width), height: Double(kept.height))
            return ResizePlan(source, to: box, sampling: sampled)
        }
        // `min` prevents rounding errors from exceeding the image.
        var sampled = FractionalRectangle(covering: source)
        if product(source.width, box.height) > product(box.width, source.height) {
            sampled.width = Double(source.height) * Double(box.width) / Double(box.height)
            sampled.x = gravity.offset(width: Double(source.width) - sampled.width, height: 0).x
            sampled.width = min(sampled.width, Double(source.width) - sampled.x)
        } else if product(source.width, box.height) < product(box.width, source.height) {
            sampled.height = Double(source.width) * Double(box.height) / Double(box.width)
            sampled.y = gravity.offset(width: 0, height: Double(source.height) - sampled.height).y
            sampled.height = min(sampled.height, Double(source.height) - sampled.y)
        }
        return ResizePlan(source, to: box, sampling: sampled)
    }

    /// Returns the largest size of the box's aspect ratio, at most the box, that fits into the image.
    private func reduced(_ box: PixelSize, toFit source: PixelSize) throws(TexelError) -> PixelSize {
        if box.width <= source.width, box.height <= source.height { return box }
        if product(box.width, source.height) >= product(box.height, source.width) {
            let height = try proportion(box.height, times: source.width, over: box.width, .nearest)
            return PixelSize(width: source.width, height: min(height, source.height))
        }
        let width = try proportion(box.width, times: source.height, over: box.height, .nearest)
        return PixelSize(width: min(width, source.width), height: source.height)
    }

    // MARK: A scale, a minimum

    private func scaled(
        _ source: PixelSize, by numerator: Int, over denominator: Int
    ) throws(TexelError) -> PixelSize {
        guard numerator > 0, denominator > 0 else {
            throw .invalidTransform("the scale must be positive; it is \(numerator)/\(denominator)")
        }
        guard enlarges || numerator < denominator else { return source }
        return PixelSize(
            width: try proportion(source.width, times: numerator, over: denominator, .nearest),
            height: try proportion(source.height, times: numerator, over: denominator, .nearest))
    }

    private func reaching(width: Int?, height: Int?, from source: PixelSize) throws(TexelError) -> PixelSize {
        guard width ?? 1 > 0, height ?? 1 > 0 else {
            throw .invalidSize(PixelSize(width: width ?? source.width, height: height ?? source.height))
        }
        // The scale is source / minimum on the axis where that is smaller, kept as a fraction.
        var scale: (numerator: Int, denominator: Int)
        switch (width, height) {
        case (let width?, let height?):
            let widthDecides = product(source.width, height) <= product(source.height, width)
            scale = widthDecides ? (source.width, width) : (source.height, height)
        case (let width?, nil): scale = (source.width, width)
        case (nil, let height?): scale = (source.height, height)
        case (nil, nil): return source
        }
        if !enlarges && scale.numerator <= scale.denominator { return source }
        return PixelSize(
            width: try proportion(source.width, times: scale.denominator, over: scale.numerator, .truncated),
            height: try proportion(source.height, times: scale.denominator, over: scale.numerator, .truncated))
    }
}

// MARK: Whole-number arithmetic

private enum Rounding {
    case nearest, truncated
}

private func product(_ a: Int, _ b: Int) -> Int128 { Int128(a) * Int128(b) }

/// Returns `value * numerator / denominator` of positive numbers, rounded (halves up) or truncated, at least 1.
private func proportion(
    _ value: Int, times numerator: Int, over denominator: Int, _ rounding: Rounding
) throws(TexelError) -> Int {
    let half = rounding == .nearest ? Int128(denominator) / 2 : 0
    let quotient = (product(value, numerator) + half) / Int128(denominator)
    guard let result = Int(exactly: quotient) else { throw .resultTooLarge }
    return max(1, result)
}

extension PixelSize {
    /// Returns the size with each side limited to `other`'s.
    fileprivate func limited(to other: PixelSize) -> PixelSize {
        PixelSize(width: min(width, other.width), height: min(height, other.height))
    }
}
