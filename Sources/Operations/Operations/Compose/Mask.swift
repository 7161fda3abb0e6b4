import CPixelKernels
package import TexelCore
public import TexelPixels

extension PixelOperation {
    /// Multiplies the alpha of the image by that of a mask.
    ///
    /// - Parameters:
    ///   - image: the mask. If it is opaque, its luma of ITU-R BT.601 replaces its alpha: white keeps the image.
    ///   - fit: how the mask is fitted to the size of the image. What it does not cover becomes transparent.
    public static func mask(_ image: OverlayImage, fit: Fit = .fill) -> PixelOperation {
        PixelOperation(MaskOperation(image: image, fit: fit))
    }
}

/// Multiplies the alpha of the image by that of a mask.
package struct MaskOperation: OperationDescription {
    package static let name = "mask"

    package let image: OverlayImage
    package let fit: Fit

    init(image: OverlayImage, fit: Fit) {
        self.image = image
        self.fit = fit
    }

    package func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep] {
        // `inside` and `outside` are the sizes of `contain` and `cover` with other canvases; here the canvas is given.
        let fit: Fit =
            switch self.fit {
            case .inside: .contain
            case .outside: .cover
            default: self.fit
            }
        let rule = ResizeRule(.box(width: size.width, height: size.height, fit: fit), enlarges: true)
        let plan = try rule.plan(for: image.size)
        return image.keepsEverything && !plan.isPadded ? [] : [MaskStep(image: image, plan: plan)]
    }
}

extension OverlayImage {
    /// Whether the image as a mask changes nothing: it is opaque and white.
    fileprivate var keepsEverything: Bool {
        pixels.alphaMode == .opaque
            && (0..<size.height).allSatisfy { y in
                pixels.row(y).withUnsafeBufferPointer { $0.allSatisfy { $0 == .max } }
            }
    }
}

/// Multiplies the alpha of rows by that of a mask, in place.
package struct MaskStep: RowStep {
    let image: OverlayImage
    /// How the mask is resized.
    let plan: ResizePlan

    package var summary: String { "mask" }

    package var note: String? {
        guard isDistorted else { return nil }
        return "the mask of \(image.size) was stretched to \(plan.imageSize), without its aspect ratio"
    }

    /// Whether the aspect ratio of the mask changes by more than the rounding of a side.
    private var isDistorted: Bool {
        let (sampled, size) = (plan.sampledRectangle, plan.imageSize)
        let (width, height) = (Double(size.width), Double(size.height))
        return abs(sampled.width * height / sampled.height - width) > 1
            && abs(sampled.height * width / sampled.width - height) > 1
    }

    package var runsInPlace: Bool { true }

    package func alphaMode(of source: AlphaMode) -> AlphaMode { source == .opaque ? .straight : source }

    package func sourceRows(for rows: Range<Int>, of source: PixelSize) -> Range<Int> { rows }

    package func pass(for source: RasterShape) throws(TexelError) -> any StepPass {
        guard plan.canvasSize == source.size else { throw .sizesDiffer(plan.canvasSize, source.size) }
        return Pass(try coverage(), width: source.size.width)
    }

    /// Returns a byte for each pixel of the image.
    private func coverage() throws(TexelError) -> [UInt8] {
        let mask = try image.pixels.resized(from: plan.sampledRectangle, to: plan.imageSize)
        let bytes =
            mask.alphaMode == .opaque
            ? mask.bytes(in: .gray) : mask.pixels.map { UInt8(truncatingIfNeeded: $0 >> 24) }
        guard plan.isPadded else { return bytes }
        let (place, width) = (plan.imageRectangle, plan.canvasSize.width)
        var padded = [UInt8](repeating: 0, count: width * plan.canvasSize.height)
        for y in 0..<place.height {
            let first = (place.y + y) * width + place.x
            padded.replaceSubrange(first..<(first + place.width), with: bytes[(y * place.width)...].prefix(place.width))
        }
        return padded
    }

    private final class Pass: StepPass {
        private let coverage: [UInt8]
        private let width: Int

        init(_ coverage: [UInt8], width: Int) {
            self.coverage = coverage
            self.width = width
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            let kernels = texel_kernels_in_use().pointee
            coverage.withUnsafeBufferPointer { coverage in
                guard let coverage = coverage.baseAddress else { return }
                for y in rows {
                    kernels.cover_row(
                        destination.row(y).assumingMemoryBound(to: UInt8.self),
                        source.row(y).assumingMemoryBound(to: UInt8.self), coverage + y * width, width,
                        source.alphaMode == .premultiplied)
                }
            }
        }
    }
}
