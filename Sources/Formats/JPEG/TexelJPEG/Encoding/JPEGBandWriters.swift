import TexelCodecs
import TexelCore
import TexelPixels

/// Gives a ``JPEGBandEncoder`` opaque pixels.
final class JPEGBandRowWriter: JPEGRowWriter {
    private let encoder: JPEGBandEncoder
    private let sampling: (horizontal: Int, vertical: Int)
    /// Whole bands that are not encoded yet.
    private var pending: [PixelBuffer] = []

    init(_ encoder: JPEGBandEncoder, sampling: (horizontal: Int, vertical: Int)) {
        self.encoder = encoder
        self.sampling = sampling
    }

    var bandHeight: Int { encoder.intervals.rows(0).count }

    func write(_ rows: consuming PixelBuffer, isGray: Bool, parallelism: Int) throws(TexelError) {
        pending.append(rows)
        if pending.count >= JPEGBandEncoder.groupSize(parallelism) { try encode(isGray: isGray, parallelism) }
    }

    func finish(isGray: Bool, parallelism: Int) throws(TexelError) -> EncodedBytes {
        try encode(isGray: isGray, parallelism)
        return try encoder.finish(parallelism: parallelism)
    }

    private func encode(isGray: Bool, _ parallelism: Int) throws(TexelError) {
        let (bands, sampling) = (pending, sampling)
        pending = []
        try encoder.append(bands.count, parallelism: parallelism) { index, rows throws(TexelError) in
            try ImageCoefficients(bands[index], isGray: isGray, sampling: sampling, rows)
        }
    }
}

/// Gives a ``JPEGBandEncoder`` planes.
final class JPEGBandPlaneWriter: PlaneWriter {
    private let encoder: JPEGBandEncoder
    private let sampling: (horizontal: Int, vertical: Int)
    private let widths: [Int]
    private let parallelism: Int

    /// Whole bands that are not encoded yet.
    private var pending: [[Plane]] = []
    /// The band to which rows are added, and how many of each plane it has.
    private var current: [Plane] = []
    private var rowCounts: [Int] = []
    private var bandCount = 0

    /// - Parameters:
    ///   - size: of the luma plane.
    ///   - isGray: whether luma is the only plane.
    init(
        _ encoder: JPEGBandEncoder, sampling: (horizontal: Int, vertical: Int), size: PixelSize, isGray: Bool,
        parallelism: Int
    ) {
        self.encoder = encoder
        self.sampling = sampling
        let chromaWidth = (size.width + sampling.horizontal - 1) / sampling.horizontal
        widths = isGray ? [size.width] : [size.width, chromaWidth, chromaWidth]
        self.parallelism = parallelism
    }

    func write(_ rows: [Range<Int>], of planes: [Plane]) throws(TexelError) {
        if current.isEmpty { try beginBand() }
        for (index, rows) in rows.enumerated() {
            let (source, band) = (planes[index], current[index])
            source.withUnsafeSamples { samples in
                band.withUnsafeSamples { copies in
                    for row in 0..<min(rows.count, band.height - rowCounts[index]) {
                        (copies + (rowCounts[index] + row) * band.bytesPerRow).update(
                            from: samples + (rows.lowerBound + row) * source.bytesPerRow, count: band.width)
                    }
                }
            }
            rowCounts[index] += rows.count
        }
        guard rowCounts[0] >= current[0].height else { return }
        pending.append(current)
        current = []
        if pending.count >= JPEGBandEncoder.groupSize(parallelism) { try encode() }
    }

    func finish() throws(TexelError) -> EncodedBytes {
        try encode()
        return try encoder.finish(parallelism: parallelism)
    }

    private func beginBand() throws(TexelError) {
        let height = encoder.intervals.rows(bandCount).count
        bandCount += 1
        current = try widths.enumerated().map { index, width throws(TexelError) in
            let factor = index == 0 ? 1 : sampling.vertical
            return try Plane(PixelSize(width: width, height: (height + factor - 1) / factor))
        }
        rowCounts = widths.map { _ in 0 }
    }

    private func encode() throws(TexelError) {
        // Each band is read by one thread, and not written any more.
        nonisolated(unsafe) let bands = pending
        let sampling = sampling
        pending = []
        try encoder.append(bands.count, parallelism: parallelism) { index, rows throws(TexelError) in
            try ImageCoefficients(bands[index], sampling: sampling, rows)
        }
    }
}
