extension ChromaSampling {
    /// How many columns and rows share a sample of each colour difference.
    package var pixelsPerSample: (x: Int, y: Int) {
        switch self {
        case .yuv420: (2, 2)
        case .yuv422: (2, 1)
        case .yuv444, .none: (1, 1)
        }
    }
}

extension YUVFormat {
    /// The rows of colour differences that rows of pixels need, with those that a filter reaches.
    ///
    /// - Parameters:
    ///   - rows: rows of the picture.
    ///   - size: that of the picture.
    public func chromaRows(for rows: Range<Int>, of size: PixelSize) -> Range<Int> {
        guard sampling != .none, !rows.isEmpty else { return 0..<0 }
        guard sampling == .yuv420 else { return rows }
        // The row above the middle of two chroma rows, and the one below, are made of the two and their neighbours.
        let first = (rows.lowerBound - 1) >> 1 - 1
        let last = (rows.upperBound - 2) >> 1 + 2
        return max(0, first)..<min(sampling.chromaSize(of: size).height, last + 1)
    }
}
