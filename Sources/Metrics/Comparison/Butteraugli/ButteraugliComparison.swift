import CPixelKernels
import PlatformLibc
import TexelCore
import TexelPixels

/// One comparison of two images of the same size by Butteraugli. On several backgrounds, the largest difference of each
/// pixel counts.
struct ButteraugliComparison {
    private let first: ComparisonImage
    private let second: ComparisonImage
    private let backgrounds: [Float?]
    private let size: PixelSize
    private let bands: [Range<Int>]
    private let workspaces: ButteraugliWorkspaces

    /// The sums over the differences of some rows.
    private struct Sums {
        var powers: [Double] = [0, 0, 0]
        var maximum: Float = 0
    }

    private typealias Workspace = ButteraugliWorkspaces.Workspace

    /// - Parameter workspaces: those for the size of the images.
    init(
        _ first: ComparisonImage, _ second: ComparisonImage, backgrounds: [Float?], _ workspaces: ButteraugliWorkspaces
    ) {
        self.first = first
        self.second = second
        self.backgrounds = backgrounds
        self.workspaces = workspaces
        size = first.pixels.size
        let (height, bandHeight) = (size.height, workspaces.bandHeight)
        bands = stride(from: 0, to: height, by: bandHeight).map { $0..<min($0 + bandHeight, height) }
    }

    /// Computes the distance; returns `nil` if `isStopped` returned true.
    ///
    /// - Parameter observer: called with each row of differences, by any thread.
    func distance(
        threads: Int, isStopped: @Sendable () -> Bool,
        observer: (@Sendable (_ y: Int, UnsafePointer<Float>) -> Void)? = nil
    ) throws(TexelError) -> ButteraugliDistance? {
        let results = try ParallelJobs.map(bands.count, threads: threads) { index throws(TexelError) in
            if isStopped() { return nil as Sums? }
            return try workspaces.withOne { compare(bands[index], $0, observer) }
        }
        var total = Sums()
        for sums in results {
            guard let sums else { return nil }
            for index in total.powers.indices { total.powers[index] += sums.powers[index] }
            total.maximum = max(total.maximum, sums.maximum)
        }
        let pixelCount = Double(size.width) * Double(size.height)
        let norms = total.powers.enumerated().map { index, sum in pow(sum / pixelCount, 1 / Double(3 << index)) }
        return ButteraugliDistance(maximum: Double(total.maximum), norm3: norms.reduce(0, +) / 3)
    }

    private func compare(
        _ band: Range<Int>, _ workspace: Workspace, _ observer: ((Int, UnsafePointer<Float>) -> Void)?
    ) -> Sums {
        workspace.largest.first = band.lowerBound
        for (index, background) in backgrounds.enumerated() {
            compare(band, on: background, workspace)
            for y in band {
                let (largest, differences) = (workspace.largest[y], workspace.full.differences[y])
                for x in 0..<size.width {
                    largest[x] = index == 0 ? differences[x] : max(largest[x], differences[x])
                }
            }
        }
        let kernels = texel_kernels_in_use().pointee.butteraugli
        var sums = Sums()
        for y in band {
            sums.maximum = kernels.add_powers(&sums.powers, workspace.largest[y], sums.maximum, size.width)
            observer?(y, UnsafePointer(workspace.largest[y]))
        }
        return sums
    }

    private func compare(_ band: Range<Int>, on background: Float?, _ workspace: Workspace) {
        let kernels = texel_kernels_in_use().pointee
        func write(_ image: Int, _ y: Int, _ rows: (Int) -> UnsafeMutablePointer<Float>) {
            (image == 0 ? first : second).light(
                y, on: background, red: rows(0), green: rows(1), blue: rows(2), kernels)
        }
        workspace.full.compare(band) { image, y, channels in write(image, y) { channels[$0][y] } }
        guard let half = workspace.half else { return }
        half.compare((band.lowerBound / 2)..<((band.upperBound + 1) / 2)) { image, y, channels in
            let upper = 2 * y
            let lower = min(upper + 1, size.height - 1)
            write(image, upper) { workspace.light[$0] }
            write(image, lower) { workspace.light[3 + $0] }
            for channel in 0..<3 {
                kernels.metric_halve_rows(
                    channels[channel][y], workspace.light[channel], workspace.light[3 + channel], size.width)
            }
        }
        for y in band {
            kernels.butteraugli.add_half(workspace.full.differences[y], half.differences[y / 2], size.width)
        }
    }
}
