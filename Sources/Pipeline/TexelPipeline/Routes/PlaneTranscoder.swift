import TexelCodecs
import TexelCore
import TexelPixels

/// Planes to planes: luma and chroma are filtered, moved and encoded in the file's own colour space and
/// sampling. Nothing is converted to pixels, and chroma is never interpolated only to be averaged again.
struct PlaneTranscoder {
    private let load: PixelLoad
    private let moves: Orientation
    private let encoder: any PlaneEncoder
    private let needsWholeImage: Bool
    /// How much coarser the result's chroma is than its luma, along the displayed axes.
    private let factors: (horizontal: Int, vertical: Int)
    /// Whether only those rows of a filtered result are in memory that are not encoded yet.
    private let slides: Bool
    private let isParallel: Bool
    private let rowCounter: RowCounter?

    /// - Parameters:
    ///   - load: the part of the stored image that is read, and the resize.
    ///   - moves: the moves after the load.
    ///   - needsWholeImage: whether the encoder does.
    ///   - encodesRows: whether filtered rows are encoded as they are made, if the encoder can. A result that is in
    ///     memory as a whole need not be decoded again if it has no colour.
    init(
        _ load: PixelLoad, _ moves: Orientation, _ encoder: any PlaneEncoder, needsWholeImage: Bool, encodesRows: Bool,
        isParallel: Bool, rowCounter: RowCounter?
    ) {
        self.load = load
        self.moves = moves
        self.needsWholeImage = needsWholeImage
        slides = encodesRows && moves == .identity && !needsWholeImage
        self.isParallel = isParallel
        self.rowCounter = rowCounter
        self.encoder = encoder
        factors = encoder.chromaFactors
    }

    /// Decodes, filters and encodes.
    ///
    /// - Parameter decoder: opens the file; called a second time if the image turns out to be grey.
    func run(
        _ decoder: () throws(TexelError) -> any PlaneDecoder
    ) throws(TexelError) -> (bytes: EncodedBytes, notes: DecoderResult) {
        let first = try decoder()
        if let result = try run(first, isGray: first.layouts.count == 1) { return result }
        let second = try decoder()
        guard let result = try run(second, isGray: true) else {
            throw .cannotEncode("the image changed between two reads")
        }
        return result
    }

    /// Returns `nil` if the image has chroma planes, but all of them are neutral, so that it must be written as grey.
    private func run(
        _ decoder: any PlaneDecoder, isGray: Bool
    ) throws(TexelError) -> (bytes: EncodedBytes, notes: DecoderResult)? {
        let bytes =
            canStream(decoder) ? try streamed(decoder, isGray: isGray) : try filtered(decoder, isGray: isGray)
        guard let bytes else { return nil }
        return (bytes, try decoder.finish())
    }

    // MARK: Without filters

    /// Whether every band can be encoded as it arrives: whole image, same size, same sampling, at most mirrored
    /// horizontally.
    private func canStream(_ decoder: any PlaneDecoder) -> Bool {
        guard load == .decode(PixelRectangle(covering: decoder.layouts[0].size)), !needsWholeImage
        else { return false }
        guard moves == .identity || moves == .flippedHorizontally else { return false }
        let width = decoder.layouts[0].size.width
        return decoder.layouts.enumerated().allSatisfy { index, layout in
            let (across, down) = index == 0 || decoder.layouts.count == 1 ? (1, 1) : factors
            // A mirrored image begins with its last samples, so these must not be partly outside.
            let isWhole = moves == .identity || layout.size.width * across == width
            return layout.horizontalDensity * Double(across) == 1 && layout.verticalDensity * Double(down) == 1
                && isWhole
        }
    }

    private func streamed(_ decoder: any PlaneDecoder, isGray: Bool) throws(TexelError) -> EncodedBytes? {
        let layouts = isGray ? Array(decoder.layouts.prefix(1)) : decoder.layouts
        let writer = try encoder.writer(layouts[0].size, isGray: isGray, colorSpace: decoder.colorSpace)
        var isNeutral = !isGray && encoder.writesGray(decoder.colorSpace)
        try BandRelay.run(
            try bands(of: decoder), isParallel: isParallel,
            fill: { band throws(TexelError) in try read(band, from: decoder) }
        ) { band throws(TexelError) in
            isNeutral = isNeutral && band.isNeutral(layouts)
            if moves == .flippedHorizontally {
                for (plane, layout) in zip(band.planes, layouts) {
                    plane.mirrorRows(columns: layout.size.width, rows: layout.size.height)
                }
            }
            // Each band holds a whole number of the encoder's block rows, except the last.
            let planes = Array(band.planes.prefix(layouts.count))
            let heights = Array(band.rowCounts.prefix(layouts.count))
            for row in 0..<encoder.blockRowCount(heights: heights) {
                try writer.write(encoder.rows(ofBlockRow: row, heights: heights), of: planes)
            }
        }
        return isNeutral ? nil : try writer.finish()
    }

    private func read(_ band: PlaneBand, from decoder: any PlaneDecoder) throws(TexelError) -> Bool {
        guard try decoder.read(into: band) else { return false }
        rowCounter?.advance(by: band.rowCounts[0])
        return true
    }

    /// A few block rows in each band make handing them over cheap; with three bands both threads stay busy.
    private func bands(of decoder: any PlaneDecoder) throws(TexelError) -> [PlaneBand] {
        var bands = [try decoder.makeBand(4)]
        if isParallel { bands += [try decoder.makeBand(4), try decoder.makeBand(4)] }
        return bands
    }

    // MARK: With filters

    /// Filters all planes, moves them as planned, and encodes them; while they are filtered, if nothing is moved and
    /// the encoder can.
    private func filtered(_ decoder: any PlaneDecoder, isGray: Bool) throws(TexelError) -> EncodedBytes? {
        var filters: [PlaneFilter] = []
        var stream: FilteredStream?
        try BandRelay.run(
            try bands(of: decoder), isParallel: isParallel,
            fill: { band throws(TexelError) in try read(band, from: decoder) }
        ) { band throws(TexelError) in
            if filters.isEmpty {
                // Created here, while the decoder reads the next band, because computing the weights takes time.
                filters = try makeFilters(for: isGray ? Array(decoder.layouts.prefix(1)) : decoder.layouts)
                if moves == .identity, !needsWholeImage {
                    stream = try FilteredStream(filters.map(\.result), encoder, decoder.colorSpace)
                }
            }
            for (index, filter) in filters.enumerated() {
                try filter.push(band.planes[index], rows: band.rowCounts[index])
            }
            try stream?.writeFinishedRows(keepsRows: !slides)
        }
        if let stream {
            if !stream.isNeutral { return try stream.writer.finish() }
            if slides { return nil }
        }
        let planes = try filters.map { filter throws(TexelError) in try filter.result.plane.oriented(moves) }
        return try encoder.encode(planes, colorSpace: decoder.colorSpace)
    }

    private func makeFilters(for layouts: [PlaneLayout]) throws(TexelError) -> [PlaneFilter] {
        try layouts.indices.map { index throws(TexelError) in
            try PlaneFilter(
                layouts[index], load, moves, factors: index == 0 || layouts.count == 1 ? (1, 1) : factors,
                capacity: slides ? 64 : nil)
        }
    }
}

/// Encodes filtered planes while they are made.
private struct FilteredStream {
    let writer: any PlaneWriter
    /// Whether the image is written as grey if it has no colour, and has none so far.
    private(set) var isNeutral: Bool
    private let windows: [PlaneWindow]
    private let encoder: any PlaneEncoder
    private let heights: [Int]
    private var blockRow = 0

    init(
        _ windows: [PlaneWindow], _ encoder: any PlaneEncoder, _ colorSpace: ColorSpace
    ) throws(TexelError) {
        self.windows = windows
        self.encoder = encoder
        heights = windows.map(\.size.height)
        isNeutral = windows.count > 1 && encoder.writesGray(colorSpace)
        writer = try encoder.writer(windows[0].size, isGray: windows.count == 1, colorSpace: colorSpace)
    }

    /// Encodes the block rows that all filters have finished.
    ///
    /// - Parameter keepsRows: whether their samples stay in memory.
    mutating func writeFinishedRows(keepsRows: Bool) throws(TexelError) {
        let count = encoder.blockRowCount(heights: heights)
        while blockRow < count {
            let rows = encoder.rows(ofBlockRow: blockRow, heights: heights)
            guard zip(rows, windows).allSatisfy({ $0.upperBound <= $1.rows.upperBound }) else { return }
            let held = zip(rows, windows).map { rows, window in
                (rows.lowerBound - window.rows.lowerBound)..<(rows.upperBound - window.rows.lowerBound)
            }
            isNeutral =
                isNeutral && zip(held, windows).dropFirst().allSatisfy { $1.plane.consists(of: 128, in: $0) }
            try writer.write(held, of: windows.map(\.plane))
            blockRow += 1
            if !keepsRows { for (rows, window) in zip(rows, windows) { window.release(before: rows.upperBound) } }
        }
    }
}

extension PlaneBand {
    /// Whether all chroma samples are neutral, which is stored as 128.
    fileprivate func isNeutral(_ layouts: [PlaneLayout]) -> Bool {
        layouts.indices.dropFirst().allSatisfy { index in
            planes[index].consists(of: 128, columns: layouts[index].size.width, in: 0..<rowCounts[index])
        }
    }
}
