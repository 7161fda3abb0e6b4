import TexelCodecs
import TexelCore
import TexelPixels

/// Encodes rows as they arrive, with the same bytes as ``PNGEncoder`` with `fast` effort.
///
/// The way to store the pixels depends on all of them, and the filter on the first ones (``PNGEffort/windowPixels``),
/// so these are held back. Then it is usually certain that the image is neither grey nor has few colours, and its rows
/// are written as they arrive. Otherwise the rows are only looked at, and written when they are given again.
final class PNGRowEncoder: RowEncoder {
    private enum Pass {
        /// Looks at the pixels.
        case survey
        /// Looks for opaque pixels in the colour of the transparent ones.
        case colorKey
        case writing
    }

    let bandHeight: Int
    private let shape: RasterShape
    private let colorSpace: ColorSpace
    private let options: PNGOptions
    private let context: EncodingContext
    private let encoder: PNGEncoder
    private var pass: Pass
    private var survey = PNGColorSurvey()
    private var window: PNGRowWindow
    /// Whether the window still begins with the first row.
    private var holdsBeginning = true
    private var output: Output?

    /// The file so far.
    private struct Output {
        let sink: OutputSink
        var file: PNGChunkWriter
        let search: PNGSearch
        let candidate: PNGSearch.Candidate
        /// The number of bands of the stream that are written.
        var bandCount = 0
        var checksum = Adler32()
    }

    init(
        _ options: PNGOptions, _ shape: RasterShape, _ colorSpace: ColorSpace, _ context: EncodingContext
    ) throws(TexelError) {
        self.options = options
        self.shape = shape
        self.colorSpace = colorSpace
        self.context = context
        encoder = PNGEncoder(
            options, metadata: context.metadata, stop: context.stop, parallelism: context.parallelism)
        try encoder.check(shape.size)
        // A few hundred kilobytes.
        bandHeight = max(8, (1 << 17) / shape.size.width)
        window = PNGRowWindow(shape.size, bandHeight: bandHeight)
        pass = options.reducesLosslessly ? .survey : .writing
    }

    // MARK: Rows

    func take(_ rows: consuming PixelBuffer, parallelism: Int) throws(TexelError) {
        try context.stop?.check()
        switch pass {
        case .survey:
            if !survey.isSettled(for: shape.alphaMode) { survey.add(rows) }
            guard holdsBeginning else { return }
            window.append(rows)
            guard window.end >= windowRows else { return }
            if survey.isSettled(for: shape.alphaMode) {
                pass = .writing
                try write(parallelism)
            } else if window.end < shape.size.height {
                holdsBeginning = false
                window = PNGRowWindow(shape.size, bandHeight: bandHeight)
            }
        case .colorKey:
            survey.checkColorKey(rows)
        case .writing:
            window.append(rows)
            if window.end >= windowRows { try write(parallelism) }
        }
    }

    func finish(parallelism: Int) throws(TexelError) -> EncodedBytes? {
        if pass == .survey, holdsBeginning {
            // All rows are in memory.
            if survey.needsColorKeyCheck {
                for y in window.rows { window.withBand(of: y) { band, row in survey.checkColorKey(band, row: row) } }
            }
            pass = .writing
        }
        switch pass {
        case .survey: pass = survey.needsColorKeyCheck ? .colorKey : .writing
        case .colorKey: pass = .writing
        case .writing:
            try write(parallelism, isLast: true)
            guard var output else { throw .cannotEncode("it has no rows") }
            output.file.append("IEND", [])
            try output.file.drain(to: output.sink)
            return output.sink.finish()
        }
        window = PNGRowWindow(shape.size, bandHeight: bandHeight)
        return nil
    }

    private var windowRows: Int { PNGEffort.windowRows(of: shape.size) }

    // MARK: Writing

    /// Writes the bands whose rows have arrived, a few at a time.
    private func write(_ parallelism: Int, isLast: Bool = false) throws(TexelError) {
        var output = if let output { output } else { try begun() }
        self.output = nil
        var candidate = output.candidate
        candidate.stream = output.candidate.stream.with(.window(window), candidate.reduction)
        let stream = candidate.stream
        let most = 2 * max(1, parallelism)
        while true {
            let available = isLast ? stream.bandCount : stream.bandCount(inFirst: window.end)
            let count = min(most, available - output.bandCount)
            guard count == most || isLast && count > 0 else { break }
            let (first, search) = (output.bandCount, output.search)
            let bands = try ParallelJobs.map(count, threads: parallelism) {
                [candidate] index throws(TexelError) in
                try search.compressed(candidate, band: first + index, isFinal: true)
            }
            for band in bands {
                output.checksum.append(band.checksum, count: band.count)
                var part = output.bandCount == 0 ? Zlib.header(options.effort) + band.bytes : band.bytes
                output.bandCount += 1
                if output.bandCount == stream.bandCount { part += output.checksum.bytes }
                output.file.append("IDAT", part)
                try output.file.drain(to: output.sink)
            }
        }
        // A filter needs the row above.
        window.release(before: stream.firstRow(ofBand: output.bandCount) - 1)
        self.output = output
    }

    /// Begins the file with the best format, and the best filter for the rows of the window.
    private func begun() throws(TexelError) -> Output {
        let formats =
            options.reducesLosslessly
            ? PNGPixelFormat.all(survey, shape, allowsGray: !colorSpace.isRGBProfile, allowsColor: true)
            : [PNGPixelFormat(unreduced: shape.alphaMode)]
        let search = PNGSearch(
            pixels: .window(window), reductions: formats, options: options, stop: context.stop,
            parallelism: context.parallelism)
        let candidate = try search.fastCandidate()
        return Output(
            sink: OutputSink(context.overflow), file: try encoder.begun(shape.size, candidate.reduction, colorSpace),
            search: search, candidate: candidate)
    }
}

extension ColorSpace {
    /// Whether the colours are those of an RGB profile, which a grey file cannot have.
    fileprivate var isRGBProfile: Bool {
        if case .iccProfile(let profile) = self { profile.colorModel != .gray } else { false }
    }
}
