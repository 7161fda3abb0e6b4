import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes an image band by band with Texel's own quantiser, in memory that does not grow with the image.
///
/// Each band is a restart interval. It is quantised by its own statistics, and kept as a small file. When the symbols
/// of all bands are counted, every band is coded again with the Huffman tables that fit them all.
final class JPEGBandEncoder {
    /// The rows of the bands.
    let intervals: RestartIntervals
    private let size: PixelSize
    private let quality: Double
    private let metadata: WrittenMetadata
    private let profile: ICCProfile?
    private let stop: StopToken?
    private let overflow: OutputOverflow?

    /// The files of the bands so far, one after another.
    private let files: OutputSink
    private var ends: [Int] = []
    private var counts: [SequentialCounts] = []

    /// The number of bands that are in memory at a time, at most.
    private static let groupLimit = 8

    /// - Parameters:
    ///   - intervals: the bands.
    ///   - overflow: where many bytes of the file, and of the bands before they are coded again, go.
    /// - Throws: `cannotEncode` if the format does not support the quality or the size.
    init(
        _ size: PixelSize, _ intervals: RestartIntervals, options: JPEGOptions, metadata: WrittenMetadata,
        profile: ICCProfile?, stop: StopToken?, overflow: OutputOverflow?
    ) throws(TexelError) {
        try JPEGFileWriter.check(size, options)
        self.size = size
        self.intervals = intervals
        quality = options.exactQuality
        self.metadata = metadata
        self.profile = profile
        self.stop = stop
        self.overflow = overflow
        files = OutputSink(overflow)
    }

    /// Returns the memory that the encoder takes besides the file, in bytes: for each band its pixels, coefficients,
    /// their bit masks, and reduced chroma.
    static func workingBytes(bandPixels: Int) -> Double { Double(groupLimit * bandPixels * 24) }

    /// Returns the number of bands to append at a time.
    static func groupSize(_ parallelism: Int) -> Int { min(max(parallelism, 1), groupLimit) }

    /// Quantises the next bands, each on a thread of its own.
    ///
    /// - Parameter band: returns the coefficients of the band with an index in 0..<`count`.
    /// - Throws: `outOfMemory`, `stopped`.
    func append(
        _ count: Int, parallelism: Int,
        _ band: @Sendable (_ index: Int, _ rows: BlockRows) throws(TexelError) -> ImageCoefficients
    ) throws(TexelError) {
        let (quality, stop) = (quality, stop)
        let parts = try BlockRows(parallelism: parallelism, stop: stop).map(count) { index throws(TexelError) in
            let rows = BlockRows(parallelism: 1, stop: stop)
            return try TrellisJPEGEncoder(
                try band(index, rows), isProgressive: false, metadata: WrittenMetadata(), profile: nil, rows
            ).encodeBand(quality: quality)
        }
        for part in parts {
            try files.append(part.bytes)
            ends.append(files.count)
            counts = counts.isEmpty ? part.counts : zip(counts, part.counts).map { $0 + $1 }
        }
    }

    /// Ends the file after the last band.
    ///
    /// - Throws: `stopped`, `outOfMemory`.
    func finish(parallelism: Int) throws(TexelError) -> EncodedBytes {
        let tables = counts.map(\.tables)
        let (files, ends, intervals) = (files.finish(), ends, intervals)
        let (metadata, profile, stop) = (metadata, profile, stop)
        var joiner = JPEGIntervalJoiner(imageHeight: size.height, to: OutputSink(overflow))
        // Enough at a time that threads rarely wait for each other, and few results are in memory.
        let step = 8 * Self.groupSize(parallelism)
        for first in stride(from: 0, to: ends.count, by: step) {
            let rows = BlockRows(parallelism: parallelism, stop: stop)
            let parts = try rows.map(min(step, ends.count - first)) { part throws(TexelError) in
                let index = first + part
                let bytes = files.bytes((index == 0 ? 0 : ends[index - 1])..<ends[index])
                let isFirst = index == 0
                return try JPEGFileWriter(
                    try Self.coefficients(of: bytes, stop), scans: [], tables: tables,
                    intervals: isFirst ? intervals : nil,
                    metadata: isFirst ? metadata : WrittenMetadata(), profile: isFirst ? profile : nil, stop: stop
                ).finish().inMemory
            }
            for part in parts { try joiner.append(part) }
        }
        return try joiner.finish()
    }

    private static func coefficients(of bytes: [UInt8], _ stop: StopToken?) throws(TexelError) -> JPEGCoefficients {
        let file = try JPEGFile(InputBytes(bytes))
        var options = DecodeOptions()
        options.stop = stop
        let transcoder = JPEGTranscoder(file: file, frame: try file.frame(), options: options)
        guard let coefficients = try transcoder.coefficients() else {
            throw .cannotEncode("a band of the image cannot be read again")
        }
        return coefficients
    }
}
