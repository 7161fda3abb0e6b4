import TexelCodecs
import TexelPixels

/// A JPEG to a JPEG by its planes: brightness and colour differences are filtered, moved and encoded as the file has
/// them. Nothing is converted to pixels, and colour differences are never interpolated only to be averaged again.
struct PlanarRoute {
    private let plan: Plan
    private let encoder: JPEGEncoder
    /// How much coarser the colour differences of the result are, as it is displayed.
    private let factors: (horizontal: Int, vertical: Int)
    private let isParallel: Bool
    private let rowCounter: RowCounter?

    init(
        _ plan: Plan, _ options: JPEGOptions, metadata: WrittenMetadata, stopCheck: StopCheck?, parallelism: Int,
        rowCounter: RowCounter?, progress: EncodingProgress?
    ) {
        self.plan = plan
        isParallel = parallelism > 1
        self.rowCounter = rowCounter
        encoder = JPEGEncoder(
            options, metadata: metadata, stopCheck: stopCheck, parallelism: parallelism, progress: progress)
        factors = JPEGEncoder.chromaFactors(options)
    }

    /// - Parameter decoder: opens the file; called once more where the picture turns out to be grey.
    func run(
        _ decoder: () throws(CodecError) -> JPEGPlaneDecoder
    ) throws(CodecError) -> (bytes: [UInt8], notes: DecoderNotes) {
        let first = try decoder()
        guard canStream(first) else {
            let bytes = try filtered(first)
            return (bytes, try first.finish())
        }
        if let result = try streamed(first, isGray: first.layouts.count == 1) { return result }
        let second = try decoder()
        guard let result = try streamed(second, isGray: true) else { throw .cannotEncode("the picture changed") }
        return result
    }

    // MARK: Straight through

    /// Whether every band can be encoded as it comes: the whole picture, same size, same sampling, at most mirrored.
    private func canStream(_ decoder: JPEGPlaneDecoder) -> Bool {
        guard plan.load == .decode(PixelRectangle(covering: decoder.layouts[0].size)), !encoder.needsWholePicture
        else { return false }
        guard plan.moves == .identity || plan.moves == .flippedHorizontally else { return false }
        let width = decoder.layouts[0].size.width
        return decoder.layouts.enumerated().allSatisfy { index, layout in
            let (across, down) = index == 0 || decoder.layouts.count == 1 ? (1, 1) : factors
            // A mirrored picture begins with its last samples; they must be whole.
            let isWhole = plan.moves == .identity || layout.size.width * across == width
            return layout.horizontalDensity * Double(across) == 1 && layout.verticalDensity * Double(down) == 1
                && isWhole
        }
    }

    /// `nil` when the picture has colour differences, but all of them are neutral, so that it should be written grey.
    private func streamed(
        _ decoder: JPEGPlaneDecoder, isGray: Bool
    ) throws(CodecError) -> (bytes: [UInt8], notes: DecoderNotes)? {
        let layouts = isGray ? Array(decoder.layouts.prefix(1)) : decoder.layouts
        let writer = try encoder.planeWriter(layouts[0].size, isGray: isGray, colorSpace: decoder.colorSpace)
        let heights = encoder.blockHeights(count: layouts.count)
        var isNeutral = !isGray && encoder.writesGray(decoder.colorSpace)
        try BandRelay.run(
            try bands(of: decoder), isParallel: isParallel,
            fill: { band throws(CodecError) in try read(band, from: decoder) }
        ) { band throws(CodecError) in
            isNeutral = isNeutral && band.isNeutral(layouts)
            if plan.moves == .flippedHorizontally {
                for (plane, layout) in zip(band.planes, layouts) {
                    plane.mirrorRows(columns: layout.size.width, rows: layout.size.height)
                }
            }
            // The decoder's bands are as many whole rows of the encoder's blocks, except the last.
            let planes = Array(band.planes.prefix(layouts.count))
            var blockRow = 0
            while blockRow * heights[0] < band.rowCounts[0] {
                try encoder.write(blockRow: blockRow, of: planes, rowCounts: band.rowCounts, to: writer)
                blockRow += 1
            }
        }
        if isNeutral { return nil }
        return (try writer.finish(), try decoder.finish())
    }

    private func read(_ band: PlaneBand, from decoder: JPEGPlaneDecoder) throws(CodecError) -> Bool {
        guard try decoder.read(into: band) else { return false }
        rowCounter?.advance(by: band.rowCounts[0])
        return true
    }

    /// Enough for both halves to be busy, each a few rows of blocks, so that handing them over costs nothing.
    private func bands(of decoder: JPEGPlaneDecoder) throws(CodecError) -> [PlaneBand] {
        var bands = [try decoder.makeBand(4)]
        if isParallel { bands += [try decoder.makeBand(4), try decoder.makeBand(4)] }
        return bands
    }

    // MARK: Through filters

    /// Filters all planes, moves them as the plan says, and encodes them: at once where nothing is moved, if the encoder
    /// can.
    private func filtered(_ decoder: JPEGPlaneDecoder) throws(CodecError) -> [UInt8] {
        switch try filteredPlanes(decoder) {
        case .file(let bytes): return bytes
        case .planes(let planes): return try encoder.encode(planes, colorSpace: decoder.colorSpace)
        }
    }

    private enum Filtered {
        case file([UInt8])
        case planes([Plane])
    }

    private func filteredPlanes(_ decoder: JPEGPlaneDecoder) throws(CodecError) -> Filtered {
        var filters: [PlaneFilter] = []
        var writer: JPEGFileWriter?
        var blockRows = 0
        try BandRelay.run(
            try bands(of: decoder), isParallel: isParallel,
            fill: { band throws(CodecError) in try read(band, from: decoder) }
        ) { band throws(CodecError) in
            if filters.isEmpty {
                // Made while the decoder is at the next band: weights take a while.
                filters = try makeFilters(for: decoder.layouts)
                if plan.moves == .identity, !encoder.needsWholePicture {
                    writer = try encoder.planeWriter(
                        filters[0].result.size, isGray: filters.count == 1, colorSpace: decoder.colorSpace)
                }
            }
            for (index, filter) in filters.enumerated() {
                filter.push(band.planes[index], rows: band.rowCounts[index])
            }
            if let writer { try encode(filters, from: &blockRows, to: writer) }
        }
        let planes = filters.map(\.result)
        if let writer, planes.count == 1 || !encoder.isWrittenGray(planes, decoder.colorSpace) {
            return .file(try writer.finish())
        }
        do {
            return .planes(try planes.map { plane throws(PixelBufferError) in try plane.oriented(plan.moves) })
        } catch {
            throw .pixels(error)
        }
    }

    /// Encodes the rows of blocks that all filters have finished.
    ///
    /// - Parameter blockRow: the next one.
    private func encode(
        _ filters: [PlaneFilter], from blockRow: inout Int, to writer: JPEGFileWriter
    ) throws(CodecError) {
        let planes = filters.map(\.result)
        let heights = encoder.blockHeights(count: planes.count)
        let count = encoder.blockRowCount(of: planes)
        while blockRow < count,
            filters.indices.allSatisfy({ filters[$0].hasRows((blockRow + 1) * heights[$0]) })
        {
            try encoder.write(blockRow: blockRow, of: planes, to: writer)
            blockRow += 1
        }
    }

    private func makeFilters(for layouts: [JPEGPlaneDecoder.Layout]) throws(CodecError) -> [PlaneFilter] {
        try layouts.indices.map { index throws(CodecError) in
            try PlaneFilter(layouts[index], plan, factors: index == 0 || layouts.count == 1 ? (1, 1) : factors)
        }
    }
}

extension PlaneBand {
    /// Whether all colour differences are 0, which files write as 128.
    fileprivate func isNeutral(_ layouts: [JPEGPlaneDecoder.Layout]) -> Bool {
        layouts.indices.dropFirst().allSatisfy { index in
            planes[index].consists(of: 128, columns: layouts[index].size.width, rows: rowCounts[index])
        }
    }
}
