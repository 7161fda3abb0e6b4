import CPixelKernels
import TexelCodecs
import TexelCore
import TexelPixels

/// Decides whether 4:2:0 or 4:4:4 takes fewer bytes at equal quality.
///
/// 4:2:0 saves the bits of three quarters of the chroma samples, and loses colour that no quality brings back. To look
/// as good, its other errors would have to be smaller, which takes bits. How many depends on the ratio of the lost
/// colour to the rounding errors of luma, and on the share of pixels that have a wrong colour. The constants were
/// fitted to 28 images (photographs, screenshots, drawings) at six qualities: bytes at equal quality by the mean of
/// SSIMULACRA2, Butteraugli and HaarPSI. The choice costs 0.15 % more bytes there than the right one; always 4:2:0
/// costs 3.4 %.
struct SubsamplingChoice: Sendable {
    let loss: ChromaLoss
    let settings: QuantizationSettings
    let rows: BlockRows

    /// The worth of the lost colour, as a natural logarithm of bytes: base + slope × ln(1 + ratio / knee) + visible ×
    /// the share of visibly wrong pixels.
    private static let base = 0.03, slope = 0.26, knee = 9.0, visible = 100.0
    /// The part of the estimated cost of whole chroma that is left after the trellis.
    private static let cost = 0.8
    /// The least cost of whole chroma in images with colours, as a natural logarithm of bytes.
    private static let leastCost = 0.07
    /// Errors of luma smaller than this, in squared 8-bit steps, do not matter.
    private static let unseen = 0.05

    /// Returns whether 4:4:4 would take fewer bytes.
    ///
    /// - Parameters:
    ///   - luma: the unquantised coefficients.
    ///   - halved: those of chroma at half the resolution.
    ///   - whole: makes those of a chroma component at full resolution.
    /// - Throws: `outOfMemory`, `stopped`.
    func prefersAllColors(
        luma: BlockPlane, halved: [BlockPlane], whole: (_ component: Int) throws(TexelError) -> BlockPlane
    ) throws(TexelError) -> Bool {
        let ratio = loss.blockNorm / (try roundingNorm(of: luma) + Self.unseen)
        let worth =
            Self.base + Self.slope * Self.naturalLogarithm(1 + ratio / Self.knee) + Self.visible * loss.visibleShare
        guard worth > Self.leastCost else { return false }
        let lumaBits = try bits(of: luma, isLuma: true)
        var (few, all) = (lumaBits, lumaBits)
        for component in halved.indices {
            few += try bits(of: halved[component], isLuma: false)
            all += try bits(of: whole(component), isLuma: false)
        }
        return Self.cost * Self.naturalLogarithm(all / few) < worth
    }

    /// The square root of the mean square of the blocks' mean squared errors after rounding, in squared 8-bit steps; as
    /// ``ChromaLoss/blockNorm``.
    private func roundingNorm(of luma: BlockPlane) throws(TexelError) -> Double {
        let plain = RoundingQuantizer(settings.luma.table)
        let steps = settings.luma.table.steps.map { Float($0) }
        let kernel = texel_kernels_in_use().pointee.trellis.rounding_errors
        let sums = RowSums(count: luma.height)
        try rows.forEach(luma.height) { row in
            var squares = 0.0
            for block in 0..<luma.width {
                let words = luma.row(row) + block * 64
                var error = SIMD8<Float>()
                plain.withRounded(words) { rounded in
                    withUnsafeMutablePointer(to: &error) { sums in
                        // The kernel writes eight sums.
                        kernel(UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Float.self), words, rounded, steps)
                    }
                }
                let mean = Double(error.sum()) / 64
                squares += mean * mean
            }
            sums.set(row, SIMD2(squares, 0))
        }
        return (sums.total[0] / (Double(luma.height) * Double(luma.width))).squareRoot()
    }

    private func bits(of blocks: BlockPlane, isLuma: Bool) throws(TexelError) -> Double {
        let component = isLuma ? settings.luma : settings.chroma
        return try ComponentQuantizer(isLuma: isLuma, settings: component, rows: rows)
            .counts(of: blocks, RoundingQuantizer(component.table)).bits
    }

    private static func naturalLogarithm(_ value: Double) -> Double {
        BinaryLogarithm.logarithm(value) * 0.6931471805599453
    }
}
