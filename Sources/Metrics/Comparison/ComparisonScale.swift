import CPixelKernels
import TexelCore
import TexelPixels

/// One of the scales at which SSIMULACRA2 compares two images: takes rows of linear light from top to bottom, adds up
/// the errors, and passes rows of half the size to the next coarser scale.
///
/// For use on one thread. Keeps only as many rows as a blur needs.
final class ComparisonScale {
    let size: PixelSize
    /// The errors per plane of the rows so far.
    private(set) var errors: [SSIMULACRA2Score.PlaneErrors]

    private let coarser: ComparisonScale?
    private let planes: [BlurredPlane]
    private let weights: [SSIMULACRA2Score.PlaneWeights]
    /// Two rows of each channel of both images.
    private let light: FloatRows
    private let kernels: texel_kernels
    /// Called for each row after its means have been computed.
    private let observer: ((ComparisonScale, _ y: Int) -> Void)?
    private var sources: [UnsafePointer<Float>] = []
    private var destinations: [UnsafeMutablePointer<Float>] = []

    private static let lightRows = 6

    /// Creates a scale.
    ///
    /// - Parameters:
    ///   - weights: the weights of the three planes' errors; errors without a weight are not computed.
    ///   - coarser: receives the halved rows.
    /// - Throws: `outOfMemory`, `resultTooLarge`.
    init(
        _ size: PixelSize, weights: [SSIMULACRA2Score.PlaneWeights], coarser: ComparisonScale?,
        observer: ((ComparisonScale, _ y: Int) -> Void)?
    ) throws(TexelError) {
        self.size = size
        self.weights = weights
        self.coarser = coarser
        self.observer = observer
        errors = weights.map { _ in SSIMULACRA2Score.PlaneErrors() }
        kernels = texel_kernels_in_use().pointee
        light = try FloatRows(rows: 2 * Self.lightRows, width: size.width)
        var planes: [BlurredPlane] = []
        for weight in weights { planes.append(try BlurredPlane(size, hasProducts: weight.needsStructure)) }
        self.planes = planes
    }

    /// Returns the memory for row `y` of an image's light. Channels are red, green and blue.
    func lightRow(_ image: Int, _ channel: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
        light[y % 2 * Self.lightRows + image * 3 + channel]
    }

    func plane(_ index: Int) -> BlurredPlane { planes[index] }

    /// Processes row `y`, whose light has been written.
    func add(_ y: Int) {
        convert(y, of: 0) { $0.first(y) }
        convert(y, of: 1) { $0.second(y) }
        sources.removeAll(keepingCapacity: true)
        destinations.removeAll(keepingCapacity: true)
        for (plane, weights) in zip(planes, weights) where weights.isNeeded {
            plane.appendBlurs(y, sources: &sources, destinations: &destinations)
        }
        if !sources.isEmpty {
            kernels.metric_blur_across(destinations, sources, sources.count, size.width, [.sigmaOneAndAHalf])
        }
        look(below: y)
        if y == size.height - 1 {
            for row in size.height..<(size.height + BlurredPlane.rowsBelow) { look(below: row) }
        }
        if let coarser, y % 2 == 1 || y == size.height - 1 {
            halve(y, for: coarser)
            coarser.add(y / 2)
        }
    }

    private func convert(_ y: Int, of image: Int, to row: (BlurredPlane) -> UnsafeMutablePointer<Float>) {
        kernels.metric_xyb_row(
            row(planes[0]), row(planes[1]), row(planes[2]), lightRow(image, 0, y), lightRow(image, 1, y),
            lightRow(image, 2, y), size.width)
    }

    /// Averages the last two rows; if the height is odd, the last row counts twice.
    private func halve(_ y: Int, for coarser: ComparisonScale) {
        for image in 0..<2 {
            for channel in 0..<3 {
                kernels.metric_halve_rows(
                    coarser.lightRow(image, channel, y / 2), lightRow(image, channel, y - y % 2),
                    lightRow(image, channel, y), size.width)
            }
        }
    }

    /// Adds the errors of the row whose vertical blur needs rows up to `y`.
    private func look(below y: Int) {
        let center = y - BlurredPlane.rowsBelow
        for (index, (plane, weights)) in zip(planes, weights).enumerated() where weights.isNeeded {
            plane.blurDown(y)
            guard center >= 0 else { continue }
            if weights.needsStructure {
                kernels.metric_structure_errors(
                    &errors[index].structure, plane.means(.first), plane.means(.second), plane.means(.firstSquares),
                    plane.means(.secondSquares), plane.means(.products), size.width)
            }
            if weights.needsEdges {
                kernels.metric_edge_errors(
                    &errors[index].edges, plane.first(center), plane.means(.first), plane.second(center),
                    plane.means(.second), size.width)
            }
        }
        if center >= 0 { observer?(self, center) }
    }
}
