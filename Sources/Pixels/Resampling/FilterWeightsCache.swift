import Synchronization
import TexelCore

/// A cache of the most recent filter weights. The planes of one image use the same ones, and so do consecutive
/// photographs of one camera, for which computing them would take a thirtieth of the time.
enum FilterWeightsCache {
    struct Request: Hashable, Sendable {
        var sourceLength: Int
        var interval: SourceInterval
        var outputLength: Int
        var filter: ResamplingFilter
        var maximumSample: Int
        var tapMultiple: Int
    }

    /// Two axes of two kinds of planes, for a few sizes.
    private static let capacity = 16
    /// Larger tables are rarely requested again, and would take megabytes.
    private static let largestCount = 1 << 17

    /// The most recently used first.
    private static let entries = Mutex<[(request: Request, weights: FilterWeights)]>([])

    /// Returns the weights for a request, from the cache or computed.
    ///
    /// - Throws: `invalidTransform`, `resultTooLarge`.
    static func weights(for request: Request) throws(TexelError) -> FilterWeights {
        let found = entries.withLock { entries -> FilterWeights? in
            guard let index = entries.firstIndex(where: { $0.request == request }) else { return nil }
            let entry = entries.remove(at: index)
            entries.insert(entry, at: 0)
            return entry.weights
        }
        if let found { return found }
        let weights = try FilterWeights(
            sourceLength: request.sourceLength, interval: request.interval, outputLength: request.outputLength,
            filter: request.filter, maximumSample: request.maximumSample, tapMultiple: request.tapMultiple)
        guard weights.weights.count <= largestCount else { return weights }
        entries.withLock { entries in
            entries.insert((request, weights), at: 0)
            if entries.count > capacity { entries.removeLast() }
        }
        return weights
    }
}
