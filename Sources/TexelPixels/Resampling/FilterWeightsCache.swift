import Synchronization

/// The weights that were made last: the planes of one picture ask for the same, and so do a camera's photographs one
/// after the other. Making them takes a thirtieth of such a photograph's time.
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
    /// Longer tables are seldom asked for again, and would keep megabytes.
    private static let largestCount = 1 << 17

    /// The latest first.
    private static let entries = Mutex<[(request: Request, weights: FilterWeights)]>([])

    /// - Throws: what ``FilterWeights`` throws.
    static func weights(for request: Request) throws(PixelBufferError) -> FilterWeights {
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
