import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes images as JPEG files: with `fast` effort row by row through ``JPEGFileWriter``, otherwise as whole images
/// through ``TrellisJPEGEncoder`` or, if they are very large, band by band through ``JPEGBandEncoder``.
struct JPEGEncoder {
    private let options: JPEGOptions
    private let metadata: WrittenMetadata
    private let stop: StopToken?
    private let parallelism: Int
    private let progress: EncodingProgress?
    private let overflow: OutputOverflow?

    /// - Parameters:
    ///   - parallelism: the maximum number of threads; the result does not depend on it.
    ///   - progress: receives the progress of the encoding.
    ///   - overflow: where many bytes of an image that is encoded row by row go.
    init(
        _ options: JPEGOptions, metadata: WrittenMetadata, stop: StopToken?, parallelism: Int = 1,
        progress: EncodingProgress? = nil, overflow: OutputOverflow? = nil
    ) {
        self.options = options
        self.metadata = metadata
        self.stop = stop
        self.parallelism = parallelism
        self.progress = progress
        self.overflow = overflow
    }

    // MARK: Pixels

    func encode(_ image: consuming PixelBuffer, background: PixelColor) throws(TexelError) -> [UInt8] {
        if options.needsWholeImage(image.size) {
            progress?.begin(partCount: partCount(image.size))
            return try candidates(of: image, background: background)
                .encodeOnce(quality: options.exactQuality, options.subsampling)
        }
        let (prepared, profile, isGray) = try prepare(image, background: background)
        if options.encodesInBands(prepared.size) { return try encodeBands(of: prepared, profile, isGray: isGray) }
        let (bandHeight, progress) = (JPEGFileWriter.bandHeight, progress)
        let layout = isGray ? JPEGFileWriter.Layout.gray : .bgra
        if let intervals = intervals(prepared.size, isGray: isGray) {
            let bandCounts = (0..<intervals.count).map { (intervals.rows($0).count + bandHeight - 1) / bandHeight }
            progress?.begin(partCount: bandCounts.reduce(0, +))
            return try encode(intervals, prepared.size, layout, profile) { writer, rows throws(TexelError) in
                try writer.writeRows(of: prepared, rows, isGray: isGray, progress)
            }.inMemory
        }
        progress?.begin(partCount: (prepared.height + bandHeight - 1) / bandHeight)
        let writer = try writer(prepared.size, layout, profile)
        try writer.writeRows(of: prepared, isGray: isGray, progress)
        return try writer.finish().inMemory
    }

    private func encodeBands(
        of image: PixelBuffer, _ profile: ICCProfile?, isGray: Bool
    ) throws(TexelError) -> [UInt8] {
        let sampling = isGray ? (1, 1) : options.chromaFactorsOfRows
        let encoder = try bandEncoder(image.size, sampling: sampling, profile)
        let writer = JPEGBandRowWriter(encoder, sampling: sampling)
        progress?.begin(partCount: encoder.intervals.count)
        for index in 0..<encoder.intervals.count {
            let rows = encoder.intervals.rows(index)
            let band = try image.cropped(
                to: PixelRectangle(x: 0, y: rows.lowerBound, width: image.width, height: rows.count))
            try writer.write(band, isGray: isGray, parallelism: parallelism)
            progress?.advance()
        }
        return try writer.finish(isGray: isGray, parallelism: parallelism).inMemory
    }

    /// Returns an encoder that encodes an image repeatedly, at different qualities. Not for `fast` effort, which has
    /// nothing to reuse.
    ///
    /// - Throws: `cannotEncode` if the format does not support the quality or the size.
    func candidates(
        of image: consuming PixelBuffer, background: PixelColor
    ) throws(TexelError) -> JPEGCandidateEncoder {
        let (prepared, profile, isGray) = try prepare(image, background: background)
        try JPEGFileWriter.check(prepared.size, options)
        return JPEGCandidateEncoder(prepared, isGray: isGray, profile, options, metadata: metadata, rows)
    }

    /// Makes the pixels opaque and selects the profile to write, and whether to write greyscale. A profile that does
    /// not fit the pixels is applied instead.
    private func prepare(
        _ image: consuming PixelBuffer, background: PixelColor
    ) throws(TexelError) -> (PixelBuffer, ICCProfile?, isGray: Bool) {
        var opaque = consume image
        opaque.flatten(on: background)
        // No ICC profile can describe these colours.
        if !opaque.colorSpace.hasProfile { opaque = try opaque.convertedToSRGB() }
        var profile = try opaque.colorSpace.embeddableProfile()
        if profile?.colorModel == .gray, !opaque.isGray {
            opaque = try opaque.convertedToSRGB()
            profile = nil
        }
        // A grey profile is valid only for greyscale.
        let isReduced = options.reducesLosslessly || profile?.colorModel == .gray
        return (opaque, profile, isReduced && profile?.colorModel != .rgb && opaque.isGray)
    }

    /// Returns an encoder of rows that are opaque and whose colours a JPEG can describe.
    func rowEncoder(_ size: PixelSize, _ colorSpace: ColorSpace) throws(TexelError) -> JPEGRowEncoder {
        let profile = try profile(of: colorSpace)
        return try JPEGRowEncoder(reducesToGray: options.reducesLosslessly && profile?.colorModel != .rgb) {
            isGray throws(TexelError) in
            guard options.encodesInBands(size) else { return try self.writer(size, isGray ? .gray : .bgra, profile) }
            let sampling = isGray ? (1, 1) : options.chromaFactorsOfRows
            return JPEGBandRowWriter(try bandEncoder(size, sampling: sampling, profile), sampling: sampling)
        }
    }

    // MARK: Planes

    /// Whether planes in this colour space can be written without a conversion.
    static func canWritePlanes(_ colorSpace: ColorSpace, isGray: Bool) -> Bool {
        guard case .iccProfile(let profile) = colorSpace else { return true }
        return isGray ? profile.colorModel != .rgb : profile.colorModel == .rgb
    }

    private func profile(of colorSpace: ColorSpace) throws(TexelError) -> ICCProfile? {
        return try colorSpace.embeddableProfile()
    }

    // MARK: Optimising

    /// Returns the memory that encoding needs besides the pixels, in bytes.
    ///
    /// - Parameter isSearched: whether a search encodes the image repeatedly.
    static func workingBytes(_ options: JPEGOptions, pixels: Double, isSearched: Bool) -> Double {
        if !isSearched, options.boundsMemory, pixels > Double(options.largestWholeImage) {
            return JPEGBandEncoder.workingBytes(bandPixels: options.bandPixels)
        }
        guard options.optimizesCoefficients else {
            // libjpeg stores the coefficients, two bytes each, to count their symbols first.
            let isBuffered = options.quantization != nil && (options.effort != .fast || options.isProgressive == true)
            return isBuffered ? pixels * 6 : 0
        }
        // `auto` subsampling may choose 4:4:4.
        let factors = options.subsampling == .automatic ? (1, 1) : options.chromaFactors
        let words = 1 + 2 / Double(factors.0 * factors.1)
        // Two bytes per coefficient and four mask bits (CoefficientMasks); with repeated encoding, another two bytes
        // for the coefficients before quantisation.
        return pixels * words * (isSearched ? 4.5 : 2.5)
    }

    private var rows: BlockRows {
        BlockRows(parallelism: parallelism, stop: stop, progress: progress)
    }

    /// The number of parts of the progress: the rows of luma blocks to transform and to quantise.
    private func partCount(_ size: PixelSize) -> Int { (size.height + 7) / 8 * 2 }

    // MARK: Writers

    /// Returns an encoder of bands that are whole MCU rows.
    private func bandEncoder(
        _ size: PixelSize, sampling: (horizontal: Int, vertical: Int), _ profile: ICCProfile?
    ) throws(TexelError) -> JPEGBandEncoder {
        let mcu = PixelSize(width: 8 * sampling.horizontal, height: 8 * sampling.vertical)
        return try JPEGBandEncoder(
            size, RestartIntervals(size, mcu: mcu, pixels: options.bandPixels), options: options, metadata: metadata,
            profile: profile, stop: stop, overflow: overflow)
    }

    private func writer(
        _ size: PixelSize, _ layout: JPEGFileWriter.Layout, _ profile: ICCProfile?
    ) throws(TexelError) -> JPEGFileWriter {
        try JPEGFileWriter(
            size, layout, options: options, metadata: metadata, profile: profile,
            intervals: RestartIntervals(size, options, isGray: layout.isGray), to: OutputSink(overflow), stop: stop)
    }

    /// The restart intervals that threads can share; `nil` for one thread or a small image.
    private func intervals(_ size: PixelSize, isGray: Bool) -> RestartIntervals? {
        parallelism > 1 ? RestartIntervals(size, options, isGray: isGray) : nil
    }

    /// Encodes restart intervals in parallel. The file is that of a single writer.
    ///
    /// - Parameter write: writes rows of pixels, or those of planes, of the image.
    private func encode(
        _ intervals: RestartIntervals, _ size: PixelSize, _ layout: JPEGFileWriter.Layout, _ profile: ICCProfile?,
        _ write: @Sendable (_ writer: JPEGFileWriter, _ rows: Range<Int>) throws(TexelError) -> Void
    ) throws(TexelError) -> EncodedBytes {
        try JPEGFileWriter.check(size, options)
        var joiner = JPEGIntervalJoiner(imageHeight: size.height, to: OutputSink(overflow))
        let (options, metadata, stop) = (options, metadata, stop)
        // Enough at a time that threads rarely wait for each other, and few results are in memory.
        let step = 8 * parallelism
        for first in stride(from: 0, to: intervals.count, by: step) {
            let parts = try rows.map(min(step, intervals.count - first)) { part throws(TexelError) in
                let isFirst = first + part == 0
                let rows = intervals.rows(first + part)
                let writer = try JPEGFileWriter(
                    PixelSize(width: size.width, height: rows.count), layout, options: options,
                    metadata: isFirst ? metadata : WrittenMetadata(), profile: isFirst ? profile : nil,
                    intervals: isFirst ? intervals : nil, to: OutputSink(), stop: stop)
                try write(writer, rows)
                return try writer.finish().inMemory
            }
            for part in parts { try joiner.append(part) }
        }
        return try joiner.finish()
    }
}

// MARK: Planes

extension JPEGEncoder: PlaneEncoder {
    var chromaFactors: (horizontal: Int, vertical: Int) { options.chromaFactors }

    func writesGray(_ colorSpace: ColorSpace) -> Bool {
        guard case .iccProfile(let profile) = colorSpace else { return options.reducesLosslessly }
        return profile.colorModel == .gray || options.reducesLosslessly && profile.colorModel != .rgb
    }

    func blockHeights(count: Int) -> [Int] {
        // A single component is never subsampled, whatever its sampling factors.
        count == 1 ? [8] : [8 * chromaFactors.vertical, 8, 8]
    }

    func encode(_ planes: consuming [Plane], colorSpace: ColorSpace) throws(TexelError) -> EncodedBytes {
        guard let size = planes.first?.size else { throw .cannotEncode("it has no planes") }
        if isWrittenGray(planes, colorSpace) { planes.removeSubrange(1...) }
        if options.needsWholeImage(size) {
            try JPEGFileWriter.check(size, options)
            progress?.begin(partCount: partCount(size))
            let frequencies = try ImageCoefficients(consume planes, sampling: chromaFactors, rows)
            let encoder = TrellisJPEGEncoder(
                frequencies, isProgressive: options.isProgressive, metadata: metadata,
                profile: try profile(of: colorSpace), rows)
            return .memory(try encoder.encode(quality: options.exactQuality, isLast: true))
        }
        let isGray = planes.count == 1
        let heights = planes.map(\.height)
        let rowCount = blockRowCount(heights: heights)
        progress?.begin(partCount: rowCount)
        guard let intervals = intervals(size, isGray: isGray), !options.encodesInBands(size) else {
            let writer = try writer(size, isGray: isGray, colorSpace: colorSpace)
            for row in 0..<rowCount {
                try writer.write(rows(ofBlockRow: row, heights: heights), of: planes)
                progress?.advance()
            }
            return try writer.finish()
        }
        let (profile, encoder) = (try profile(of: colorSpace), self)
        // Each thread writes to the padding of its own rows only.
        nonisolated(unsafe) let held = planes
        let blockHeight = blockHeights(count: planes.count)[0]
        return try encode(intervals, size, .planes(isGray: isGray), profile) { writer, rows throws(TexelError) in
            let writer = JPEGPlaneWriter(writer)
            for row in rows.lowerBound / blockHeight..<(rows.upperBound + blockHeight - 1) / blockHeight {
                try writer.write(encoder.rows(ofBlockRow: row, heights: heights), of: held)
                encoder.progress?.advance()
            }
        }
    }

    func writer(_ size: PixelSize, isGray: Bool, colorSpace: ColorSpace) throws(TexelError) -> any PlaneWriter {
        let profile = try profile(of: colorSpace)
        guard options.encodesInBands(size) else {
            return JPEGPlaneWriter(try writer(size, .planes(isGray: isGray), profile))
        }
        let sampling = isGray ? (1, 1) : chromaFactors
        return JPEGBandPlaneWriter(
            try bandEncoder(size, sampling: sampling, profile), sampling: sampling, size: size, isGray: isGray,
            parallelism: parallelism)
    }
}

/// Writes the MCU rows of planes.
private final class JPEGPlaneWriter: PlaneWriter {
    private let writer: JPEGFileWriter

    init(_ writer: JPEGFileWriter) { self.writer = writer }

    func write(_ rows: [Range<Int>], of planes: [Plane]) throws(TexelError) {
        try writer.writePlanes(
            zip(planes, rows).map { plane, rows in
                plane.withUnsafeSamples { $0 + rows.lowerBound * plane.bytesPerRow }
            },
            bytesPerRow: planes.map(\.bytesPerRow), counts: rows.map(\.count))
    }

    func finish() throws(TexelError) -> EncodedBytes { try writer.finish() }
}
