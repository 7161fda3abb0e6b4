import TexelCodecs
import TexelPixels

/// Planes to planes: luma and chroma are filtered, moved and encoded in the file's own colour space and
/// sampling. Nothing is converted to pixels, and chroma is never interpolated only to be averaged again.
struct PlaneTranscoder {
    private let load: PixelLoad
    private let moves: Orientation
    private let encoder: any PlaneEncoder
    /// How much coarser the result's chroma is than its luma, along the displayed axes.
    private let factors: (horizontal: Int, vertical: Int)
    private let isParallel: Bool
    private let rowCounter: RowCounter?

    /// - Parameters:
    ///   - load: the part of the stored image that is read, and the resize.
    ///   - moves: the moves after the load.
    init(
        _ load: PixelLoad, _ moves: Orientation, _ encoder: any PlaneEncoder, isParallel: Bool, rowCounter: RowCounter?
    ) {
        self.load = load
        self.moves = moves
        self.isParallel = isParallel
        self.rowCounter = rowCounter
        self.encoder = encoder
        factors = encoder.chromaFactors
    }

    /// Decodes, filters and encodes.
    ///
    /// - Parameter decoder: opens the file; called a second time if the image turns out to be grey.
    func run(
        _ decoder: () throws(CodecError) -> any PlaneDecoder
    ) throws(CodecError) -> (bytes: [UInt8], notes: DecoderResult) {
        let first = try decoder()
        guard canStream(first) else {
            let bytes = try filtered(first)
            return (bytes, try first.finish())
        }
        if let result = try streamed(first, isGray: first.layouts.count == 1) { return result }
        let second = try decoder()
        guard let result = try streamed(second, isGray: true) else {
            throw .cannotEncode("the image changed between two reads")
        }
        return result
    }

    // MARK: Without filters

    /// Whether every band can be encoded as it arrives: whole image, same size, same sampling, at most mirrored
    /// horizontally.
    private func canStream(_ decoder: any PlaneDecoder) -> Bool {
        guard load == .decode(PixelRectangle(covering: decoder.layouts[0].size)), !encoder.needsWholeImage
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

    /// Returns `nil` if the image has chroma planes, but all of them are neutral, so that it must be written as grey.
    private func streamed(
        _ decoder: any PlaneDecoder, isGray: Bool
    ) throws(CodecError) -> (bytes: [UInt8], notes: DecoderResult)? {
        let layouts = isGray ? Array(decoder.layouts.prefix(1)) : decoder.layouts
        let writer = try encoder.writer(layouts[0].size, isGray: isGray, colorSpace: decoder.colorSpace)
        let heights = encoder.blockHeights(count: layouts.count)
        var isNeutral = !isGray && encoder.writesGray(decoder.colorSpace)
        try BandRelay.run(
            try bands(of: decoder), isParallel: isParallel,
            fill: { band throws(CodecError) in try read(band, from: decoder) }
        ) { band throws(CodecError) in
            isNeutral = isNeutral && band.isNeutral(layouts)
            if moves == .flippedHorizontally {
                for (plane, layout) in zip(band.planes, layouts) {
                    plane.mirrorRows(columns: layout.size.width, rows: layout.size.height)
                }
            }
            // Each band holds a whole number of the encoder's block rows, except the last.
            let planes = Array(band.planes.prefix(layouts.count))
            var blockRow = 0
            while blockRow * heights[0] < band.rowCounts[0] {
                try writer.write(blockRow: blockRow, of: planes, rowCounts: band.rowCounts)
                blockRow += 1
            }
        }
        if isNeutral { return nil }
        return (try writer.finish(), try decoder.finish())
    }

    private func read(_ band: PlaneBand, from decoder: any PlaneDecoder) throws(CodecError) -> Bool {
        guard try decoder.read(into: band) else { return false }
        rowCounter?.advance(by: band.rowCounts[0])
        return true
    }

    /// A few block rows in each band make handing them over cheap; with three bands both threads stay busy.
    private func bands(of decoder: any PlaneDecoder) throws(CodecError) -> [PlaneBand] {
        var bands = [try decoder.makeBand(4)]
        if isParallel { bands += [try decoder.makeBand(4), try decoder.makeBand(4)] }
        return bands
    }

    // MARK: With filters

    /// Filters all planes, moves them as planned, and encodes them; while they are filtered, if nothing is moved and
    /// the encoder can.
    private func filtered(_ decoder: any PlaneDecoder) throws(CodecError) -> [UInt8] {
        switch try filteredPlanes(decoder) {
        case .file(let bytes): return bytes
        case .planes(let planes): return try encoder.encode(planes, colorSpace: decoder.colorSpace)
        }
    }

    private enum Filtered {
        case file([UInt8])
        case planes([Plane])
    }

    private func filteredPlanes(_ decoder: any PlaneDecoder) throws(CodecError) -> Filtered {
        var filters: [PlaneFilter] = []
        var writer: (any PlaneWriter)?
        var blockRows = 0
        try BandRelay.run(
            try bands(of: decoder), isParallel: isParallel,
            fill: { band throws(CodecError) in try read(band, from: decoder) }
        ) { band throws(CodecError) in
            if filters.isEmpty {
                // Created here, while the decoder reads the next band, because computing the weights takes time.
                filters = try makeFilters(for: decoder.layouts)
                if moves == .identity, !encoder.needsWholeImage {
                    writer = try encoder.writer(
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
            return .planes(try planes.map { plane throws(PixelBufferError) in try plane.oriented(moves) })
        } catch {
            throw .pixels(error)
        }
    }

    /// Encodes the block rows that all filters have finished.
    ///
    /// - Parameter blockRow: the next block row; advanced by those encoded.
    private func encode(
        _ filters: [PlaneFilter], from blockRow: inout Int, to writer: any PlaneWriter
    ) throws(CodecError) {
        let planes = filters.map(\.result)
        let heights = encoder.blockHeights(count: planes.count)
        let count = encoder.blockRowCount(of: planes)
        while blockRow < count,
            filters.indices.allSatisfy({ filters[$0].hasRows((blockRow + 1) * heights[$0]) })
        {
            try writer.write(blockRow: blockRow, of: planes, rowCounts: planes.map(\.height))
            blockRow += 1
        }
    }

    private func makeFilters(for layouts: [PlaneLayout]) throws(CodecError) -> [PlaneFilter] {
        try layouts.indices.map { index throws(CodecError) in
            try PlaneFilter(layouts[index], load, moves, factors: index == 0 || layouts.count == 1 ? (1, 1) : factors)
        }
    }
}

extension PlaneBand {
    /// Whether all chroma samples are neutral, which is stored as 128.
    fileprivate func isNeutral(_ layouts: [PlaneLayout]) -> Bool {
        layouts.indices.dropFirst().allSatisfy { index in
            planes[index].consists(of: 128, columns: layouts[index].size.width, rows: rowCounts[index])
        }
    }
}
