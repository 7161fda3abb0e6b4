import CPixelKernels

/// Resizes a picture, or one plane of it, that arrives row after row, from the top, and leaves row after row.
///
/// Each row is kept in a ring, filtered horizontally first unless the pass order is the other; as soon as the ring
/// holds all rows of an output row's window, that row can be taken. Rows that are filtered first wait until a band of
/// them is complete:
///
///     resampler.push(row: source)
///     while resampler.takeRow(into: destination) { … }
///
/// Rows are filtered premultiplied, or premultiplied in linear light, and leave in the alpha mode in which they came.
/// Memory is the ring, ``FilterWeights/taps`` rows of the target's width, or of the source's when the vertical pass
/// comes first; and the band that waits. Nothing is allocated per row.
package final class RowResampler {
    package let target: PixelSize

    /// The source rows that any output row needs. Others may be pushed too, and cost nothing.
    package var neededRows: Range<Int> { vertical.neededSamples }

    /// How many rows were pushed so far: the index of the next one.
    package private(set) var pushedRowCount = 0

    /// How many rows were taken so far: the index of the next one.
    package private(set) var takenRowCount = 0

    package var isFinished: Bool { takenRowCount == target.height }

    /// The bytes of the ring and of the scratch rows.
    package let workingByteCount: Int

    private let kernels: texel_kernels
    private let horizontal: FilterWeights
    private let vertical: FilterWeights
    /// `horizontal.starts`, counted from the first needed column.
    private let columnStarts: [Int32]
    /// Whether the columns are 0, 1, 2, … of the needed ones.
    private let copiesColumns: Bool
    private let sourceHeight: Int
    private let alphaMode: AlphaMode
    private let isLinear: Bool
    /// Whether straight pixels are premultiplied on the way in and divided on the way out.
    private let multipliesAlpha: Bool
    /// Bytes of a pixel outside: of BGRA, or of a plane's single sample.
    private let outerStride: Int
    /// Bytes of a pixel while it is filtered.
    private let pixelStride: Int
    /// Whether the ring holds source rows, filtered only when they leave. Without two passes there is no order.
    private let isVerticalFirst: Bool
    /// Collects the rows that are filtered horizontally as they come; bytes only.
    private let band: FilterBand?
    private let ringRowPixels: Int
    private let ringRowBytes: Int
    /// A window's rows, and those of a band that go beyond it.
    private let ringRowCount: Int
    private let ring: PixelStorage
    /// The needed columns of one source row as bytes, at least `horizontal.taps` pixels.
    private let byteScratch: PixelStorage
    /// The same in linear light; also one output row before it becomes bytes.
    private let linearScratch: PixelStorage
    /// Between the passes when the vertical one comes first: as many pixels as a row of the ring.
    private let intermediate: PixelStorage
    /// The addresses of a window's rows.
    private let window: PixelStorage

    /// - Parameters:
    ///   - region: what of the source becomes the target; all of it by default.
    ///   - alphaMode: of the rows that come and of those that leave.
    ///   - order: of the passes; `nil` decides by the sizes.
    ///   - rowsStay: whether pushed rows stay where they are until the last row is taken; else some are copied.
    /// - Throws: `invalidSize` when a side is not positive, `invalidTransform` when the region is not inside the
    ///   source, `resultTooLarge`, `outOfMemory`.
    package convenience init(
        source: PixelSize, region: FractionalRectangle? = nil, target: PixelSize, filter: ResamplingFilter,
        linearLight: Bool = false, alphaMode: AlphaMode, order: PassOrder? = nil, rowsStay: Bool = false
    ) throws(PixelBufferError) {
        try self.init(
            source: source, region: region ?? FractionalRectangle(covering: source), target: target, filter: filter,
            linearLight: linearLight, alphaMode: alphaMode, outerStride: PixelBuffer.bytesPerPixel,
            order: order, rowsStay: rowsStay)
    }

    /// For rows of one byte a pixel.
    ///
    /// - Parameter region: may reach beyond the source by less than an output sample, as a plane of colour differences
    ///   does whose last sample lies half outside.
    package convenience init(
        plane source: PixelSize, region: FractionalRectangle, target: PixelSize, filter: ResamplingFilter
    ) throws(PixelBufferError) {
        // The ring is narrow enough whichever pass comes first; the vertical one is the cheaper for most samples.
        try self.init(
            source: source, region: region, target: target, filter: filter, linearLight: false, alphaMode: .opaque,
            outerStride: 1, order: .verticalFirst, rowsStay: false)
    }

    private init(
        source: PixelSize, region: FractionalRectangle, target: PixelSize, filter: ResamplingFilter,
        linearLight: Bool, alphaMode: AlphaMode, outerStride: Int, order: PassOrder?, rowsStay: Bool
    ) throws(PixelBufferError) {
        guard source.isPositive else { throw .invalidSize(source) }
        guard target.isPositive else { throw .invalidSize(target) }
        let maximumSample = linearLight ? LinearLight.maximum : 255
        let horizontal = try FilterWeightsCache.weights(
            for: FilterWeightsCache.Request(
                sourceLength: source.width, interval: SourceInterval(start: region.x, length: region.width),
                outputLength: target.width, filter: filter, maximumSample: maximumSample,
                tapMultiple: Int(outerStride == 1 ? texel_plane_tap_multiple : texel_horizontal_tap_multiple)))
        let vertical = try FilterWeightsCache.weights(
            for: FilterWeightsCache.Request(
                sourceLength: source.height, interval: SourceInterval(start: region.y, length: region.height),
                outputLength: target.height, filter: filter, maximumSample: maximumSample, tapMultiple: 1))
        // Pixels that only move need neither light nor alpha to be looked at.
        let mixesPixels = !horizontal.isSelection || !vertical.isSelection
        self.isLinear = linearLight && mixesPixels
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
        let isBanded = !isVerticalFirst && !horizontal.isSelection && !isLinear && outerStride != 1
        self.ringRowPixels = isVerticalFirst ? scratchPixels : target.width
        let ringRowCount = vertical.taps + (isBanded ? FilterBand.capacity - 1 : 0)
        let (rowBytes, rowOverflow) = ringRowPixels.multipliedReportingOverflow(by: pixelStride)
        let (ringBytes, ringOverflow) = rowBytes.multipliedReportingOverflow(by: ringRowCount)
        let (linearBytes, linearOverflow) = max(scratchPixels, target.width).multipliedReportingOverflow(by: 8)
        guard !rowOverflow, !ringOverflow, !linearOverflow, ringBytes < Int.max / 4 else { throw .resultTooLarge }
        self.ringRowBytes = rowBytes
        self.ringRowCount = ringRowCount
        self.ring = try PixelStorage(byteCount: ringBytes, zeroed: false)
        // Zeroed, because pixels beyond a narrow source are read, though with no weight.
        self.byteScratch = try PixelStorage(byteCount: scratchPixels * outerStride, zeroed: true)
        self.linearScratch = try PixelStorage(byteCount: isLinear ? linearBytes : 8, zeroed: true)
        self.intermediate = try PixelStorage(byteCount: isVerticalFirst ? rowBytes : 8, zeroed: true)
        self.window = try PixelStorage(
            byteCount: vertical.taps * MemoryLayout<UnsafeRawPointer>.stride, zeroed: true)
        var band: FilterBand?
        if isBanded {
            band = try FilterBand(
                horizontal: horizontal, columnStarts: columnStarts, width: horizontal.neededSamples.count,
                multipliesAlpha: multipliesAlpha, rowsStay: rowsStay, kernels: kernels)
        }
        self.band = band
        let storages = [ring, byteScratch, linearScratch, intermediate, window]
        self.workingByteCount = storages.reduce(band?.byteCount ?? 0) { $0 + $1.byteCount }
    }

    /// Begins anew, with another picture of the same size.
    ///
    /// - Parameter row: of the target, the first that will be taken; the row that must be pushed next is then
    ///   ``pushedRowCount``.
    package func restart(at row: Int = 0) {
        takenRowCount = row
        pushedRowCount = row == 0 || isFinished ? 0 : Int(vertical.starts[row])
        band?.empty()
    }

    // MARK: In

    /// Takes in the next source row: as many pixels as the source is wide; BGRA ones aligned to four bytes.
    ///
    /// Every finished row must have been taken before.
    package func push(row: UnsafeRawPointer) {
        precondition(!hasFinishedRow, "row \(takenRowCount) must be taken before another is pushed")
        precondition(pushedRowCount < sourceHeight, "the source has only \(sourceHeight) rows")
        let index = pushedRowCount
        pushedRowCount += 1
        // Rows above the next window, and rows after the last, are not needed.
        guard !isFinished, index >= Int(vertical.starts[takenRowCount]) else { return }
        let columns = row + horizontal.neededSamples.lowerBound * outerStride
        if let band {
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
            // `prepared` gives at least as many pixels as a row of the ring has: the needed columns, or the taps.
            slot.copyMemory(from: pixels, byteCount: ringRowBytes)
        } else if horizontal.isSelection {
            gather(from: pixels, into: slot)
        } else {
            filterHorizontally(from: pixels, into: slot)
        }
    }

    /// Where the ring holds a source row.
    private func ringRow(_ index: Int) -> UnsafeMutableRawPointer { ring.base + index % ringRowCount * ringRowBytes }

    /// The needed columns of a row as the filter wants them: premultiplied, or linear, and never fewer than its taps.
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
            // An output row may have been made here since the last row came.
            let padding = horizontal.taps - width
            if padding > 0 { (linear + width * 4).update(repeating: 0, count: padding * 4) }
            return UnsafeRawPointer(linear)
        }
        if multipliesAlpha {
            kernels.premultiply_row(byteScratch, bytes, width)
            return UnsafeRawPointer(byteScratch)
        }
        guard width < horizontal.taps else { return columns }
        byteScratch.update(from: bytes, count: width * outerStride)
        return UnsafeRawPointer(byteScratch)
    }

    /// Copies one source pixel for each output pixel; `columnStarts` are below the needed columns' count.
    private func gather(from pixels: UnsafeRawPointer, into slot: UnsafeMutableRawPointer) {
        if copiesColumns {
            slot.copyMemory(from: pixels, byteCount: ringRowBytes)
            return
        }
        columnStarts.withUnsafeBufferPointer { starts in
            switch pixelStride {
            case 1: gather(UInt8.self, starts, from: pixels, into: slot)
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

    /// Every window lies inside the prepared pixels: `FilterWeights` keeps it inside the needed columns, or, where
    /// the source is narrower than the taps, begins it at 0 of a scratch row that is `taps` pixels wide.
    private func filterHorizontally(from pixels: UnsafeRawPointer, into slot: UnsafeMutableRawPointer) {
        columnStarts.withUnsafeBufferPointer { starts in
            horizontal.weights.withUnsafeBufferPointer { weights in
                guard let starts = starts.baseAddress, let weights = weights.baseAddress else { return }
                if isLinear {
                    kernels.resample_horizontal_u16(
                        slot.assumingMemoryBound(to: Int16.self), pixels.assumingMemoryBound(to: Int16.self),
                        target.width, starts, weights, horizontal.taps, Int32(horizontal.shift))
                } else {
                    let filter = outerStride == 1 ? kernels.resample_horizontal_plane : kernels.resample_horizontal_u8
                    filter(
                        slot.assumingMemoryBound(to: UInt8.self), pixels.assumingMemoryBound(to: UInt8.self),
                        target.width, starts, weights, horizontal.taps, Int32(horizontal.shift))
                }
            }
        }
    }

    // MARK: Out

    /// Whether a row can be taken now.
    package var hasFinishedRow: Bool {
        !isFinished && pushedRowCount - (band?.count ?? 0) >= Int(vertical.starts[takenRowCount]) + vertical.taps
    }

    /// Writes the next finished row, `target.width` pixels, and says whether there was one.
    package func takeRow(into destination: UnsafeMutableRawPointer) -> Bool {
        guard hasFinishedRow else { return false }
        let bytes = destination.assumingMemoryBound(to: UInt8.self)
        if isLinear {
            let linear = linearScratch.base.assumingMemoryBound(to: Int16.self)
            filterWindow(into: linearScratch.base)
            LinearLight.toByte.withUnsafeBufferPointer { curve in
                guard let curve = curve.baseAddress else { return }
                kernels.delinearise_row(bytes, linear, target.width, curve)
            }
            if alphaMode == .premultiplied { kernels.premultiply_row(bytes, bytes, target.width) }
        } else {
            filterWindow(into: destination)
            if multipliesAlpha { kernels.unpremultiply_row(bytes, bytes, target.width) }
            if alphaMode == .premultiplied { kernels.limit_to_alpha_row(bytes, bytes, target.width) }
        }
        takenRowCount += 1
        return true
    }

    /// What is left to do for the next row: the vertical pass, and the horizontal one if it comes last.
    private func filterWindow(into destination: UnsafeMutableRawPointer) {
        guard isVerticalFirst else { return filterVertically(into: destination) }
        filterVertically(into: intermediate.base)
        filterHorizontally(from: intermediate.base, into: destination)
    }

    /// The ring holds the whole window: its rows were filtered, and none since that could replace one. A band begins
    /// before the window's end, so it needs room for all of its rows but one beyond it.
    private func filterVertically(into destination: UnsafeMutableRawPointer) {
        let start = Int(vertical.starts[takenRowCount])
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
            let weights = base + takenRowCount * vertical.taps
            if isLinear {
                kernels.resample_vertical_u16(
                    destination.assumingMemoryBound(to: Int16.self),
                    window.base.assumingMemoryBound(to: UnsafePointer<Int16>.self), weights, vertical.taps,
                    ringRowPixels * 4, Int32(vertical.shift))
            } else {
                kernels.resample_vertical_u8(
                    destination.assumingMemoryBound(to: UInt8.self),
                    window.base.assumingMemoryBound(to: UnsafePointer<UInt8>.self), weights, vertical.taps,
                    ringRowBytes, Int32(vertical.shift))
            }
        }
    }
}
