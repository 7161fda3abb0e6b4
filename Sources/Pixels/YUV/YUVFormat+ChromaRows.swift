extension ChromaSampling {
    /// The number of columns and rows that share a chroma sample.
    package var pixelsPerSample: (x: Int, y: Int) {
        switch self {
        case .yuv420: (2, 2)
        case .yuv422: (2, 1)
        case .yuv444, .none: (1, 1)
        }
    }
}

extension YUVFormat {
    /// Returns the chroma rows that rows of pixels need, including those under the filter.
    ///
    /// - Parameters:
    ///   - rows: rows of the image.
    ///   - size: the size of the image.
    public func chromaRows(for rows: Range<Int>, of size: PixelSize) -> Range<Int> {
        guard sampling != .none, !rows.isEmpty else { return 0..<0 }
        guard sampling == .yuv420 else { return rows }
        // Both rows between two chroma rows are computed from these two and their neighbours.
        let first = (rows.lowerBound - 1) >> 1 - 1
        let last = (rows.upperBound - 2) >> 1 + 2
        return max(0, first)..<min(sampling.chromaSize(of: size).height, last + 1)
    }
}
