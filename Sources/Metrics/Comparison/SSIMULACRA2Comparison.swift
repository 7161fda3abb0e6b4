import CPixelKernels
import TexelCore
import TexelPixels

/// One comparison of two opaque images, or of two on the same background.
///
/// Rows pass through all scales while they are in the cache. Threads divide the work by plane, not by rows, because the
/// blur's rounding errors accumulate from the first row to the last.
struct SSIMULACRA2Comparison {
    private let first: ComparisonImage
    private let second: ComparisonImage
    private let background: Float?
    /// The sizes of the scales, from the finest to the coarsest.
    let sizes: [PixelSize]

    /// Called for each row of each scale after its means have been computed.
    typealias Observer = (_ scale: Int, ComparisonScale, _ y: Int) -> Void
    typealias Errors = [[SSIMULACRA2Score.PlaneErrors]]

    /// Divides the planes among threads. Luma is about half of the work.
    private static func shares(_ threads: Int) -> [Set<Int>] {
        switch threads {
        case ...1: [[0, 1, 2]]
        case 2: [[1], [0, 2]]
        default: [[1], [0], [2]]
        }
    }

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - first, second: images of one size.
    ///   - background: the grey on which both are composited, 0…1; `nil` ignores alpha.
    init(_ first: ComparisonImage, _ second: ComparisonImage, background: Float?) {
        self.first = first
        self.second = second
        self.background = background
        sizes = Self.sizes(first.pixels.size)
    }

    /// Returns the sizes of the scales: halved, rounded up, until there are six or one is below eight pixels.
    static func sizes(_ size: PixelSize) -> [PixelSize] {
        var sizes = [size]
        while let last = sizes.last, sizes.count < SSIMULACRA2Score.largestScaleCount,
            min(last.width, last.height) >= ComparisonImage.smallestSide
        {
            sizes.append(PixelSize(width: (last.width + 1) / 2, height: (last.height + 1) / 2))
        }
        return sizes
    }

    /// Computes the score; returns `nil` if `isStopped` returned true.
    func score(threads: Int, isStopped: @Sendable () -> Bool) throws(TexelError) -> Double? {
        let shares = Self.shares(threads)
        let results = try ParallelJobs.map(shares.count, threads: shares.count) { index throws(TexelError) in
            try errors(of: shares[index], isStopped)
        }
        var total = sizes.map { _ in Array(repeating: SSIMULACRA2Score.PlaneErrors(), count: 3) }
        for (share, errors) in zip(shares, results) {
            guard let errors else { return nil }
            for plane in share {
                for scale in sizes.indices { total[scale][plane] = errors[scale][plane] }
            }
        }
        return SSIMULACRA2Score.score(total, pixelCounts: sizes.map { $0.width * $0.height })
    }

    /// Computes the errors of some of the planes, by scale; returns `nil` if `isStopped` returned true.
    func errors(
        of planes: Set<Int>, _ isStopped: () -> Bool, observer: Observer? = nil
    ) throws(TexelError) -> Errors? {
        let scales = try scales(planes, observer)
        let kernels = texel_kernels_in_use().pointee
        let finest = scales[0]
        for y in 0..<finest.size.height {
            if y % 32 == 0, isStopped() { return nil }
            for (index, image) in [first, second].enumerated() {
                image.light(
                    y, on: background, red: finest.lightRow(index, 0, y), green: finest.lightRow(index, 1, y),
                    blue: finest.lightRow(index, 2, y), kernels)
            }
            finest.add(y)
        }
        return scales.map(\.errors)
    }

    /// Creates scales that pass their rows on to the next one, the finest first.
    private func scales(_ planes: Set<Int>, _ observer: Observer?) throws(TexelError) -> [ComparisonScale] {
        var scales: [ComparisonScale] = []
        for index in sizes.indices.reversed() {
            let weights = (0..<SSIMULACRA2Score.planeCount).map { plane in
                planes.contains(plane)
                    ? SSIMULACRA2Score.weights(plane: plane, scale: index, scaleCount: sizes.count) : .none
            }
            let scale = try ComparisonScale(
                sizes[index], weights: weights, coarser: scales.first,
                observer: observer.map { observer in { observer(index, $0, $1) } })
            scales.insert(scale, at: 0)
        }
        return scales
    }
}
