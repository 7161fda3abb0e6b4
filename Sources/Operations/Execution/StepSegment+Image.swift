import Synchronization
package import TexelCore
package import TexelPixels

extension StepSegment {
    /// With fewer pixels, further threads cost more than they gain.
    package static let smallestShare = 1 << 17

    /// Replaces an image of the source's shape by the result.
    ///
    /// - Parameters:
    ///   - threads: the maximum number of threads, including the calling one; the result does not depend on it.
    ///   - smallestShare: the number of pixels from which on a thread is used.
    ///   - isStopped: polled during the work. Once it returns `true`, the rest of the result is undefined.
    /// - Throws: `outOfMemory`, `resultTooLarge`, and errors of the steps.
    package func apply(
        to image: inout PixelBuffer, threads: Int, smallestShare: Int = smallestShare,
        isStopped: @Sendable () -> Bool = { false }
    ) throws(TexelError) {
        precondition(image.size == source.size && image.alphaMode == source.alphaMode, "the image has another shape")
        if isCrop {
            image = try image.cropped(to: window)
            return
        }
        guard !parts.isEmpty else { return }
        let share = max(source.size.pixelCount ?? .max, result.size.pixelCount ?? .max) / smallestShare
        let bands = bands(threads: max(1, min(threads, share)))
        var passes: [SegmentPass] = []
        for _ in 0..<max(1, min(threads, share, bands.count)) { passes.append(try SegmentPass(self)) }
        // Writing another image is faster than copying a shared one and changing the copy.
        if runsInPlace && image.hasOwnMemory() {
            image.updateRaster(to: result.alphaMode) { Self.run(passes, bands, from: $0, to: $0, isStopped) }
            return
        }
        var output = try PixelBuffer(
            uninitialized: result.size, alphaMode: result.alphaMode, colorSpace: image.colorSpace)
        output.updateRaster(to: result.alphaMode) { destination in
            image.withRaster { Self.run(passes, bands, from: $0, to: destination, isStopped) }
        }
        image = output
    }

    /// The bands that threads take one after the other: a few for each thread, so that all finish at about the same
    /// time.
    private func bands(threads: Int) -> [Range<Int>] {
        let (height, smallest) = (result.size.height, bandHeight)
        let count = threads == 1 ? 8 * smallest : max(1, height / (4 * threads) / smallest) * smallest
        return stride(from: 0, to: height, by: count).map { $0..<min($0 + count, height) }
    }

    /// Runs the bands, each thread with a pass of its own.
    private static func run(
        _ passes: [SegmentPass], _ bands: [Range<Int>], from source: Raster, to destination: Raster,
        _ isStopped: @Sendable () -> Bool
    ) {
        // Each job uses the pass of its number, and each band writes rows of its own.
        nonisolated(unsafe) let (passes, source, destination) = (passes, source, destination)
        let next = Atomic(0)
        ParallelJobs.forEach(passes.count, threads: passes.count) { index in
            passes[index].begin(source)
            while true {
                let band = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard band < bands.count, !isStopped() else { return }
                passes[index].run(rows: bands[band], from: source, to: destination)
            }
        }
    }
}
