import CPixelKernels
package import TexelCore

/// Resizes an image, or one plane of it, row by row from top to bottom.
///
/// Rows are filtered horizontally, in bands where possible, and stored in a ring; with the other pass order they are
/// stored unfiltered, and rows that the vertical pass has made are filtered horizontally, in bands too. Some rows later
/// than the ring holds all rows of its window, an output row can be taken:
///
///     resampler.push(row: source)
///     while resampler.takeRow(into: destination) { … }
///
/// Rows are filtered premultiplied, or premultiplied in linear light, and returned in the alpha mode of the source. The
/// memory is the ring, ``FilterWeights/taps`` rows of the target's width (of the source's if the vertical pass comes
/// first), and one band. Nothing is allocated per row.
package final class RowResampler {
    package let target: PixelSize

    /// The source rows that any output row needs. Others may be pushed too, and are ignored.
    package var neededRows: Range<Int> { vertical.neededSamples }

    /// The number of rows pushed so far, which is the index of the next one.
    package private(set) var pushedRowCount = 0

    /// The number of rows taken so far, which is the index of the next one.
    package private(set) var takenRowCount = 0

    package var isFinished: Bool { takenRowCount == end }
    /// The row after the last one to take.
    private var end: Int

    /// The size of the ring, the band and the scratch rows, in bytes.
    package let workingByteCount: Int

    /// The largest sample of a plane of words.
    private static let largestWord = 1023

    private let kernels: texel_kernels
    private let horizontal: FilterWeights
    private let vertical: FilterWeights
    /// `horizontal.starts`, relative to the first needed column.
    private let columnStarts: [Int32]
    /// Whether the selected columns are exactly 0, 1, 2, … of the needed ones.
    private let copiesColumns: Bool
    private let sourceHeight: Int
    private let alphaMode: AlphaMode
    private let isLinear: Bool
    /// Whether samples are 16-bit words while they are filtered: linear light, or a plane of words.
    private let usesWords: Bool
    /// Whether straight pixels are premultiplied before and unpremultiplied after filtering.
    private let multipliesAlpha: Bool
    /// The bytes per pixel of source and target: four for BGRA, one or two for a plane.
    private let outerStride: Int
    /// The bytes per pixel while filtering.
    private let pixelStride: Int
    /// Whether the ring holds source rows, which are filtered horizontally when output rows are taken. False unless
    /// both passes are needed.
    private let isVerticalFirst: Bool
    /// Collects the rows for the horizontal pass: pushed ones or, if it comes first, those of the vertical pass; `nil`
    /// for words.
    private let band: FilterBand?
    private let ringRowPixels: Int
    private let ringRowBytes: Int
    /// The rows of a window, and those of a band that exceed it.
    private let ringRowCount: Int
    private let ring: PixelStorage
    /// The needed columns of one source row as bytes, at least `horizontal.taps` pixels.
    private let byteScratch: PixelStorage
    /// The same in linear light; also one output row before it is converted to bytes.
    private let linearScratch: PixelStorage
    /// The words of the vertical pass if it comes first: as many pixels as a row of the ring.
    private let intermediate: PixelStorage
    /// The result of a band if the vertical pass comes first.
    private let finished: PixelStorage
    /// The rows in ``finished``.
    private var finishedRows = 0..<0
    /// How many rows the vertical pass has made, if it comes first.
    private var filteredRowCount = 0
    /// The addresses of a window's rows.
    private let window: PixelStorage

    /// Creates a resampler for BGRA rows.
    ///
    /// - Parameters:
    ///   - region: the part of the source that becomes the target; all of it by default.
    ///   - alphaMode: the alpha mode of source and target rows.
    ///   - order: the order of the passes; `nil` decides by the sizes.
    ///   - rowsStay: whether pushed rows stay in place, unchanged, until the last row is taken; otherwise some are
    ///     copied.
    /// - Throws: `invalidSize` if a side is not positive, `invalidTransform` if the region is not inside the source,
    ///   `resultTooLarge`, `outOfMemory`.
    package convenience init(
        source: PixelSize, region: FractionalRectangle? = nil, target: PixelSize, filter: ResamplingFilter,
        linearLight: Bool = false, alphaMode: AlphaMode, order: PassOrder? = nil, rowsStay: Bool = false
    ) throws(TexelError) {
        try self.init(
            source: source, region: region ?? FractionalRectangle(covering: source), target: target, filter: filter,
            linearLight: linearLight, alphaMode: alphaMode, outerStride: PixelBuffer.bytesPerPixel,
            order: order, rowsStay: rowsStay)
    }

    /// Creates a resampler for rows of a plane.
    ///
    /// - Parameters:
    ///   - region: may exceed the source by less than an output sample, as for a chroma plane whose last sample is half
    ///     outside the image.
    ///   - bytesPerSample: one; or two for 10-bit samples, of which larger ones count as 1023.
    package convenience init(
        plane source: PixelSize, region: FractionalRectangle, target: PixelSize, filter: ResamplingFilter,
        bytesPerSample: Int = 1
    ) throws(TexelError) {
        // The ring is small with either order; vertical first is faster for most sampling factors.
        try self.init(
            source: source, region: region, target: target, filter: filter, linearLight: false, alphaMode: .opaque,
            outerStride: bytesPerSample, order: .verticalFirst, rowsStay: false)
    }

    private init(
        source: PixelSize, region: FractionalRectangle, target: PixelSize, filter: ResamplingFilter,
        linearLight: Bool, alphaMode: AlphaMode, outerStride: Int, order: PassOrder?, rowsStay: Bool
    ) throws(TexelError) {
        guard source.isPositive else { throw .invalidSize(source) }
        guard target.isPositive else { throw .invalidSize(target) }
        let isWordPlane = outerStride == 2
        let maximumSample = linearLight ? LinearLight.maximum : isWordPlane ? Self.largestWord : 255
        let tapMultiple = linearLight ? texel_horizontal_tap_multiple : isWordPlane ? texel_word_tap_multiple : 1
        let horizontal = try FilterWeightsCache.weights(
            for: FilterWeightsCache.Request(
                sourceLength: source.width, interval: SourceInterval(start: region.x, length: region.width),
                outputLength: target.width, filter: filter, maximumSample: maximumSample,
                tapMultiple: Int(tapMultiple)))
        let vertical = try FilterWeightsCache.weights(
            for: FilterWeightsCache.Request(
                sourceLength: source.height, interval: SourceInterval(start: region.y, length: region.height),
                outputLength: target.height, filter: filter, maximumSample: maximumSample, tapMultiple: 1))
        // If pixels are only moved, neither light nor alpha needs converting.
        let mixesPixels = !horizontal.isSelection || !vertical.isSelection
        self.isLinear = linearLight && mixesPixels
        self.usesWords = isLinear || isWordPlane
        self.multipliesAlpha = alphaMode == .straight && mixesPixels && !linearLight
        self.horizontal = horizontal
        self.vertical = vertical
        self.target = target
        self.sourceHeight = source.height
        self.alphaMode = alphaMode
        self.kernels = texel_kernels_in_use().pointee
        let firstColumn = Int32(horizontal.neededSamples.lowerBound)
        self.columnStarts = horizontal.starts.map { $0 - firstColumn }
        self.copiesColumns = horizontal.isSelection && columnStarts.elementsEqual(0..<Int32(target.width))
        self.outerStride = outerStride
        self.pixelStride = isLinear ? 4 * MemoryLayout<Int16>.stride : outerStride

        let scratchPixels = max(horizontal.neededSamples.count, horizontal.taps)
        let order = order ?? PassOrder(source: source, target: target)
        self.isVerticalFirst = order == .verticalFirst && !horizontal.isSelection && !vertical.isSelection
        let isBanded = !horizontal.isSelection && !usesWords
        let bandCapacity = isBanded ? FilterBand.capacity(bytesPerPixel: outerStride) : 1
        self.ringRowPixels = isVerticalFirst ? scratchPixels : target.width
        let ringRowCount = vertical.taps + (isVerticalFirst ? 0 : bandCapacity - 1)
        let (rowBytes, rowOverflow) = ringRowPixels.multipliedReportingOverflow(by: pixelStride)
        let (ringBytes, ringOverflow) = rowBytes.multipliedReportingOverflow(by: ringRowCount)
        let (linearBytes, linearOverflow) = max(scratchPixels, target.width).multipliedReportingOverflow(by: 8)
        guard !rowOverflow, !ringOverflow, !linearOverflow, ringBytes < Int.max / 4 else { throw .resultTooLarge }
        self.ringRowBytes = rowBytes
        self.ringRowCount = ringRowCount
        self.ring = try PixelStorage(byteCount: ringBytes, zeroed: false)
        // Zeroed, because samples past the end of a narrow source are read, with a weight of 0.
        self.byteScratch = try PixelStorage(byteCount: scratchPixels * outerStride, zeroed: true)
        self.linearScratch = try PixelStorage(byteCount: isLinear ? linearBytes : 8, zeroed: true)
        self.intermediate = try PixelStorage(byteCount: isVerticalFirst && usesWords ? rowBytes : 8, zeroed: true)
        let finishedBytes = isVerticalFirst && isBanded ? bandCapacity * target.width * outerStride : 8
        self.finished = try PixelStorage(byteCount: finishedBytes, zeroed: false)
        self.window = try PixelStorage(
            byteCount: vertical.taps * MemoryLayout<UnsafeRawPointer>.stride, zeroed: true)
        var band: FilterBand?
        if isBanded {
            // Rows of the vertical pass are premultiplied already.
            band = try FilterBand(
                horizontal: horizontal, columnStarts: columnStarts,
                width: isVerticalFirst ? scratchPixels : horizontal.neededSamples.count, bytesPerPixel: outerStride,
                multipliesAlpha: multipliesAlpha && !isVerticalFirst, rowsStay: rowsStay && !isVerticalFirst,
                kernels: kernels)
        }
        self.band = band
        self.end = target.height
        let storages = [ring, byteScratch, linearScratch, intermediate, finished, window]
        self.workingByteCount = storages.reduce(band?.byteCount ?? 0) { $0 + $1.byteCount }
    }

    /// Restarts with another image of the same size.
    ///
    /// - Parameter rows: the target rows that will be taken; all of them by default. The source row to push next is
    ///   then ``pushedRowCount``.
    package func restart(rows: Range<Int>? = nil) {
        let rows = rows ?? 0..<target.height
        end = rows.upperBound
        takenRowCount = rows.lowerBound
        filteredRowCount = rows.lowerBound
        finishedRows = rows.lowerBound..<rows.lowerBound
        pushedRowCount = rows.lowerBound == 0 || isFinished ? 0 : Int(vertical.starts[rows.lowerBound])
        band?.empty()
    }

    // MARK: Pushing rows

    /// Processes the next source row: as many pixels as the source is wide. BGRA rows must be aligned to four bytes.
    ///
    /// Every finished row must have been taken before; otherwise traps.
    package func push(row: UnsafeRawPointer) {
        precondition(!hasFinishedRow, "row \(takenRowCount) must be taken before another is pushed")
        precondition(pushedRowCount < sourceHeight, "the source has only \(sourceHeight) rows")
        let index = pushedRowCount
        pushedRowCount += 1
        // Rows above the next window, and rows after the last window, are not needed.
        guard !isFinished, index >= Int(vertical.starts[takenRowCount]) else { return }
        let columns = row + horizontal.neededSamples.lowerBound * outerStride
        if let band, !isVerticalFirst {
            band.append(columns)
            if band.isFull || pushedRowCount >= neededRows.upperBound {
                let first = pushedRowCount - band.count
                band.filter { ringRow(first + $0) }
            }
            return
        }
        let slot = ringRow(index)
        let pixels = prepared(columns)
        if isVerticalFirst {
            // `prepared` returns at least as many pixels as a row of the ring has: the needed columns, or the taps.
            slot.copyMemory(from: pixels, byteCount: ringRowBytes)
            if let band { filterRows(with: band) }
        } else if horizontal.isSelection {
            gather(from: pixels, into: slot)
        } else {
            filterHorizontally(from: pixels, into: slot)
        }
    }

    /// Returns the place of a source row in the ring.
    private func ringRow(_ index: Int) -> UnsafeMutableRawPointer { ring.base + index % ringRowCount * ringRowBytes }

    /// Returns the needed columns of a row as the filter requires them: premultiplied, or linear, and never fewer than
    /// its taps.
    private func prepared(_ columns: UnsafeRawPointer) -> UnsafeRawPointer {
        let width = horizontal.neededSamples.count
        let bytes = columns.assumingMemoryBound(to: UInt8.self)
        // Both scratch rows hold at least `width` pixels.
        let byteScratch = byteScratch.base.assumingMemoryBound(to: UInt8.self)
        if isLinear {
            let linear = linearScratch.base.assumingMemoryBound(to: Int16.self)
            var straight = bytes
            if alphaMode == .premultiplied {
                kernels.unpremultiply_row(byteScratch, bytes, width)
                straight = UnsafePointer(byteScratch)
            }
            LinearLight.fromByte.withUnsafeBufferPointer { curve in
                guard let curve = curve.baseAddress else { return }
                kernels.linearise_row(linear, straight, width, curve)
            }
            // Clear the padding: an output row may have been computed here since the last row.
            let padding = horizontal.taps - width
            if padding > 0 { (linear + width * 4).update(repeating: 0, count: padding * 4) }
            return UnsafeRawPointer(linear)
        }
        if multipliesAlpha {
            kernels.premultiply_row(byteScratch, bytes, width)
            return UnsafeRawPointer(byteScratch)
        }
        if outerStride == 2 {
            let words = UnsafeMutableRawPointer(byteScratch).assumingMemoryBound(to: Int16.self)
            kernels.limit_words_row(words, bytes, width, Int32(Self.largestWord))
            return UnsafeRawPointer(words)
        }
        guard width < horizontal.taps else { return columns }
        byteScratch.update(from: bytes, count: width * outerStride)
        return UnsafeRawPointer(byteScratch)
    }

    /// Copies one source pixel for each output pixel. All `columnStarts` are less than the number of needed columns.
    private func gather(from pixels: UnsafeRawPointer, into slot: UnsafeMutableRawPointer) {
        if copiesColumns {
            slot.copyMemory(from: pixels, byteCount: ringRowBytes)
            return
        }
        columnStarts.withUnsafeBufferPointer { starts in
            switch pixelStride {
            case 1: gather(UInt8.self, starts, from: pixels, into: slot)
            case 2: gather(UInt16.self, starts, from: pixels, into: slot)
            case 4: gather(UInt32.self, starts, from: pixels, into: slot)
            default: gather(UInt64.self, starts, from: pixels, into: slot)
            }
        }
    }

    private func gather<Pixel: BitwiseCopyable>(
        _ type: Pixel.Type, _ starts: UnsafeBufferPointer<Int32>, from pixels: UnsafeRawPointer,
        into slot: UnsafeMutableRawPointer
    ) {
        let from = pixels.assumingMemoryBound(to: type)
        let to = slot.assumingMemoryBound(to: type)
        for x in starts.indices { to[x] = from[Int(starts[x])] }
    }

    /// Filters prepared words. Every window is inside them: `FilterWeights` keeps it inside the needed
    /// columns or, if the source is narrower than the taps, starts it at 0 of a scratch row that is `taps` pixels wide.
    private func filterHorizontally(from pixels: UnsafeRawPointer, into slot: UnsafeMutableRawPointer) {
        columnStarts.withUnsafeBufferPointer { starts in
            horizontal.weights.withUnsafeBufferPointer { weights in
                guard let starts = starts.baseAddress, let weights = weights.baseAddress else { return }
                let filter = isLinear ? kernels.resample_horizontal_u16 : kernels.resample_horizontal_words
                filter(
                    slot.assumingMemoryBound(to: Int16.self), pixels.assumingMemoryBound(to: Int16.self),
                    target.width, starts, weights, horizontal.taps, Int32(horizontal.shift))
            }
        }
    }

    /// Makes the rows whose windows the ring holds: the vertical pass, and the horizontal one for a full band or the
    /// last one. The rows of the band before must have been taken.
    private func filterRows(with band: FilterBand) {
        while !band.isFull, filteredRowCount < end,
            pushedRowCount >= Int(vertical.starts[filteredRowCount]) + vertical.taps
        {
            band.append(writtenBy: { filterVertically(row: filteredRowCount, into: $0) })
            filteredRowCount += 1
        }
        guard band.isFull || filteredRowCount == end, band.count > 0 else { return }
        finishedRows = (filteredRowCount - band.count)..<filteredRowCount
        band.filter { finished.base + $0 * target.width * outerStride }
    }

    // MARK: Taking rows

    /// Whether a row can be taken now.
    package var hasFinishedRow: Bool {
        if band != nil, isVerticalFirst { return finishedRows.contains(takenRowCount) }
        return !isFinished && pushedRowCount - (band?.count ?? 0) >= Int(vertical.starts[takenRowCount]) + vertical.taps
    }

    /// Writes the next finished row, `target.width` pixels. Returns false if no row is finished.
    package func takeRow(into destination: UnsafeMutableRawPointer) -> Bool {
        guard hasFinishedRow else { return false }
        let bytes = destination.assumingMemoryBound(to: UInt8.self)
        if isLinear {
            let linear = linearScratch.base.assumingMemoryBound(to: Int16.self)
            filterWindow(into: linearScratch.base)
            kernels.writeLight(linear, into: bytes, width: target.width)
            if alphaMode == .premultiplied { kernels.premultiply_row(bytes, bytes, target.width) }
        } else {
            filterWindow(into: destination)
            if multipliesAlpha { kernels.unpremultiply_row(bytes, bytes, target.width) }
            if alphaMode == .premultiplied { kernels.limit_to_alpha_row(bytes, bytes, target.width) }
        }
        takenRowCount += 1
        if let band, isVerticalFirst, takenRowCount == finishedRows.upperBound { filterRows(with: band) }
        return true
    }

    /// Computes the next row from the ring: the vertical pass, and the horizontal one if it comes last and has not been
    /// done for a whole band.
    private func filterWindow(into destination: UnsafeMutableRawPointer) {
        guard isVerticalFirst else { return filterVertically(row: takenRowCount, into: destination) }
        guard band == nil else {
            let rowBytes = target.width * outerStride
            let place = finished.base + (takenRowCount - finishedRows.lowerBound) * rowBytes
            destination.copyMemory(from: place, byteCount: rowBytes)
            return
        }
        filterVertically(row: takenRowCount, into: intermediate.base)
        filterHorizontally(from: intermediate.base, into: destination)
    }

    /// Filters the window of a row. The ring still holds all of its rows: a band begins before the window's end,
    /// so it exceeds the window by at most its rows less one, for which the ring has room.
    private func filterVertically(row: Int, into destination: UnsafeMutableRawPointer) {
        let start = Int(vertical.starts[row])
        if vertical.isSelection {
            destination.copyMemory(from: ringRow(start), byteCount: ringRowBytes)
            return
        }
        let addresses = window.base.assumingMemoryBound(to: UnsafeRawPointer.self)
        for tap in 0..<vertical.taps {
            addresses[tap] = UnsafeRawPointer(ringRow(start + tap))
        }
        vertical.weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            let weights = base + row * vertical.taps
            if usesWords {
                kernels.resample_vertical_u16(
                    destination.assumingMemoryBound(to: Int16.self),
                    window.base.assumingMemoryBound(to: UnsafePointer<Int16>.self), weights, vertical.taps,
                    ringRowBytes / MemoryLayout<Int16>.stride, Int32(vertical.shift))
            } else {
                kernels.resample_vertical_u8(
                    destination.assumingMemoryBound(to: UInt8.self),
                    window.base.assumingMemoryBound(to: UnsafePointer<UInt8>.self), weights, vertical.taps,
                    ringRowBytes, Int32(vertical.shift))
            }
        }
    }
}
