package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Scales the image.
    public static func resize(_ options: ResizeOptions) -> PixelOperation { PixelOperation(options) }
}

/// The target size of a resize, and how it is computed.
public struct ResizeOptions: Sendable, Hashable, Codable {
    /// How the target size follows from the image's.
    public var rule: ResizeRule
    /// The resampling filter.
    public var filter: ResamplingFilter
    /// Whether samples are filtered in linear light (with sRGB's transfer curve undone first) instead of as stored.
    public var usesLinearLight: Bool
    /// Which part of the image the fit `cover` keeps; other fits ignore it.
    public var anchor: CropAnchor

    /// Makes the options of a resize.
    public init(
        _ rule: ResizeRule, filter: ResamplingFilter = .lanczos3, usesLinearLight: Bool = false,
        anchor: CropAnchor = .center
    ) {
        self.rule = rule
        self.filter = filter
        self.usesLinearLight = usesLinearLight
        self.anchor = anchor
    }
}

extension ResizeOptions: OperationDescription {
    package static let name = "resize"

    package var usesBackground: Bool { if case .box(_?, _?, .contain) = rule.target { true } else { false } }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        let plan: ResizePlan
        if case .gravity(let gravity) = anchor {
            plan = try rule.plan(for: size, gravity: gravity)
        } else {
            plan = try rule.plan(for: size)
            if case .box(let width, let height, .cover) = rule.target, plan.isCropped {
                // The whole image is resized, because the part that is kept depends on its pixels.
                var whole = self
                whole.rule.target = .box(width: width, height: height, fit: .outside)
                let wholeSize = try whole.rule.plan(for: size).imageSize
                return try whole.steps(for: size, background: background)
                    + cropSteps(from: wholeSize, to: plan.imageSize, at: anchor)
            }
        }
        var steps: [any RowStep] = []
        if !plan.keepsScale || plan.isCropped {
            steps.append(
                ResizeStep(
                    Resampling(
                        bounds: PixelRectangle(covering: size), sampled: plan.sampledRectangle, target: plan.imageSize,
                        filter: filter, usesLinearLight: usesLinearLight,
                        order: PassOrder(source: size, target: plan.imageSize))))
        }
        if plan.isPadded {
            steps.append(PadStep(canvas: plan.canvasSize, place: plan.imageRectangle, color: background))
        }
        return steps
    }
}

/// Samples a part of the image at another size.
package struct ResizeStep: RowStep {
    package let resampling: Resampling

    package init(_ resampling: Resampling) { self.resampling = resampling }

    package var summary: String { "resize to \(resampling.target), \(resampling.filter.rawValue)" }

    package var mixesPixels: Bool { true }

    package func outputSize(of source: PixelSize) -> PixelSize { resampling.target }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        Pass(
            try RowResampler(
                source: source.size, region: resampling.sampled, target: resampling.target, filter: resampling.filter,
                linearLight: resampling.usesLinearLight, alphaMode: source.alphaMode, order: resampling.order,
                rowsStay: true))
    }

    private final class Pass: StepPass {
        private let resampler: RowResampler

        init(_ resampler: RowResampler) { self.resampler = resampler }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            resampler.run(rows: rows, from: source, to: destination)
        }
    }
}

/// A resize of a part of an image.
package struct Resampling: Sendable, Hashable {
    /// The pixels that the filter may read.
    package var bounds: PixelRectangle
    /// The part of them that is sampled, relative to the origin of `bounds`.
    package var sampled: FractionalRectangle
    /// The size of the result in pixels.
    package var target: PixelSize
    package var filter: ResamplingFilter
    package var usesLinearLight: Bool
    /// The order of the two passes, in the stored image.
    package var order: PassOrder

    package init(
        bounds: PixelRectangle, sampled: FractionalRectangle, target: PixelSize, filter: ResamplingFilter,
        usesLinearLight: Bool, order: PassOrder
    ) {
        self.bounds = bounds
        self.sampled = sampled
        self.target = target
        self.filter = filter
        self.usesLinearLight = usesLinearLight
        self.order = order
    }

    /// Whether pixels are only cropped.
    package var keepsScale: Bool {
        sampled.width == Double(target.width) && sampled.height == Double(target.height)
    }

    /// The filter, and how many source pixels it reads horizontally and vertically.
    ///
    /// - Parameter shrink: the factor by which the decoder divides both sides.
    package func summary(shrink: Int) -> String {
        func taps(_ source: Double, _ target: Int) -> Int {
            let scale = source / Double(shrink) / Double(target)
            return scale == 1 || filter == .nearest ? 1 : Int((2 * filter.support * max(1, scale)).rounded(.up))
        }
        let size = "\(taps(sampled.width, target.width))×\(taps(sampled.height, target.height)) taps"
        return "\(filter.rawValue), \(size)" + (usesLinearLight ? ", linear light" : "")
    }
}
