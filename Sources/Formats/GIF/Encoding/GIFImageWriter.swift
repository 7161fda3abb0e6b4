import TexelCodecs
import TexelCore
import TexelPixels

/// Writes the images of an animation.
///
/// The colour table of all images grows as long as there is room; it is written when all images are known. An image
/// whose colours do not fit has its own table. The transparent index of an image is one that it does not draw.
final class GIFImageWriter {
    /// The largest delay of an image, in hundredths of a second.
    static let longestDelay = 0xFFFF

    private let compression: LZWCompression
    private let threads: Int
    /// The images that are not compressed yet.
    private var waiting: [WaitingImage] = []
    private var body = GIFBlockWriter()
    private var colors = GIFColorTable()
    /// The indices that the table of all images must have; some may be transparent only.
    private var indexCount = 0
    private var count = 0

    /// - Parameter threads: how many threads may compress images.
    init(_ compression: LZWCompression, threads: Int) { (self.compression, self.threads) = (compression, threads) }

    /// Whether there is no image yet.
    var isEmpty: Bool { count == 0 }

    /// Appends what makes `shown` of `before`: pixels that are equal may be transparent.
    ///
    /// - Parameters:
    ///   - area: includes all pixels that differ. They have at most 255 colours, or all pixels of the area are opaque
    ///     and have at most 256.
    ///   - delay: a delay that is too long for one image is divided.
    ///   - disposal: the method of the file format; 3 only with a delay of one image.
    func append(
        _ shown: PixelBuffer, over before: PixelBuffer, _ area: PixelRectangle, delay: Int, disposal: UInt8
    ) throws(TexelError) {
        let plan = GIFImagePlan(shown, before, area)
        if disposal == 2, !plan.fits {
            // There is no room for the transparent pixels around the image that are to be cleared with it: a second,
            // transparent image clears them.
            try append(shown, over: before, plan.changedArea, delay: delay - delay / 2, disposal: 1)
            return try append(shown, over: shown, area, delay: delay / 2, disposal: 2)
        }
        guard delay > Self.longestDelay else { return try append(plan, delay: delay, disposal: disposal) }
        try append(plan, delay: Self.longestDelay, disposal: 1)
        var rest = delay - Self.longestDelay
        let pixel = GIFImagePlan(shown, shown, PixelRectangle(x: area.x, y: area.y, width: 1, height: 1))
        while rest > Self.longestDelay {
            try append(pixel, delay: Self.longestDelay, disposal: 1)
            rest -= Self.longestDelay
        }
        // The last image is the one that is disposed of.
        try append(disposal == 2 ? GIFImagePlan(shown, shown, area) : pixel, delay: rest, disposal: disposal)
    }

    private func append(_ plan: GIFImagePlan, delay: Int, disposal: UInt8) throws(TexelError) {
        var shared: GIFColorTable? = colors
        if shared?.insertAll(of: plan.colors) != true { shared = nil }
        if let shared { colors = shared }
        waiting.append(
            WaitingImage(plan: plan, sharedColors: shared, isFirst: isEmpty, delay: delay, disposal: disposal))
        count += 1
    }

    /// Compresses the images that were appended, all at the same time.
    func compress() throws(TexelError) {
        let (images, compression) = (waiting, compression)
        waiting = []
        let encoded = try ParallelJobs.map(images.count, threads: threads) { number throws(TexelError) in
            try images[number].encoded(compression)
        }
        for (image, choice) in zip(images, encoded) {
            if choice.colors == nil { indexCount = max(indexCount, choice.indexCount) }
            body.appendControl(
                delay: image.delay, disposal: image.disposal, transparentIndex: choice.transparentIndex)
            body.appendDescriptor(image.plan.area, colors: choice.colors)
            body.bytes += choice.data
        }
    }

    private struct WaitingImage {
        var plan: GIFImagePlan
        /// The table of all images so far; `nil` if it has no room for the image's colours.
        var sharedColors: GIFColorTable?
        var isFirst: Bool
        var delay: Int
        var disposal: UInt8

        func encoded(_ compression: LZWCompression) throws(TexelError) -> EncodedImage {
            guard let sharedColors else {
                return try EncodedImage(plan, plan.colors, hasOwnColors: true, compression)
            }
            let shared = try EncodedImage(plan, sharedColors, hasOwnColors: false, compression)
            // Fewer indices make shorter codes.
            guard !isFirst, compression.compares, shared.indexBits > plan.indexBits else { return shared }
            let own = try EncodedImage(plan, plan.colors, hasOwnColors: true, compression)
            return own.byteCount < shared.byteCount ? own : shared
        }
    }

    private struct EncodedImage {
        /// The image's own table.
        let colors: [UInt32]?
        /// The indices that its table must have.
        let indexCount: Int
        let transparentIndex: UInt8?
        let data: [UInt8]
        let indexBits: Int

        init(
            _ plan: GIFImagePlan, _ table: GIFColorTable, hasOwnColors: Bool, _ compression: LZWCompression
        ) throws(TexelError) {
            let input: LZWInput
            (input, transparentIndex) = plan.indices(in: table)
            indexCount = max(table.count, transparentIndex.map { Int($0) + 1 } ?? 1)
            colors = hasOwnColors ? GIFImageWriter.colors(table, indexCount) : nil
            data = try compression.smallest(input)
            indexBits = GIFBlockWriter.tableBits(input.colorCount)
        }

        var byteCount: Int { data.count + (colors.map { 3 << GIFBlockWriter.tableBits($0.count) } ?? 0) }
    }

    /// Returns the colours of a table with black ones up to the number of indices.
    private static func colors(_ table: GIFColorTable, _ indexCount: Int) -> [UInt32] {
        table.colors + [UInt32](repeating: 0xFF00_0000, count: max(0, indexCount - table.count))
    }

    /// Returns the file.
    func file(_ properties: AnimationProperties, metadata: WrittenMetadata) throws(TexelError) -> [UInt8] {
        try compress()
        var file = GIFBlockWriter()
        file.appendHeader(properties.size, colors: Self.colors(colors, indexCount))
        if count > 1 { file.append(playCount: properties.playCount) }
        file.append(metadata)
        file.bytes += body.bytes
        file.appendTrailer()
        return file.bytes
    }
}

/// The pixels of an image of an animation, and the colours that it needs.
struct GIFImagePlan {
    let area: PixelRectangle
    /// The colours of the pixels that are drawn.
    private(set) var colors = GIFColorTable()
    /// Whether all of them have an index.
    private(set) var fits = true
    /// Whether pixels of the area that do not change are left out; they may be drawn, too.
    private(set) var leavesPixels = false
    /// The smallest area of pixels that change; of one pixel if there are none.
    private(set) var changedArea: PixelRectangle
    private let shown: PixelBuffer
    private let before: PixelBuffer

    init(_ shown: PixelBuffer, _ before: PixelBuffer, _ area: PixelRectangle) {
        (self.shown, self.before, self.area) = (shown, before, area)
        changedArea = PixelRectangle(x: area.x, y: area.y, width: 1, height: 1)
        var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
        var (table, isFull, keeps) = (colors, false, false)
        visit { x, y, shown, before in
            if shown == before {
                keeps = true
            } else {
                (left, right) = (min(left, x), max(right, x + 1))
                (top, bottom) = (min(top, y), y + 1)
                if !table.insert(shown) { isFull = true }
            }
        }
        if right > 0 { changedArea = PixelRectangle(x: left, y: top, width: right - left, height: bottom - top) }
        // An index is transparent.
        leavesPixels = keeps && !isFull && table.count < GIFColorTable.capacity
        if keeps, !leavesPixels {
            (table, isFull) = (GIFColorTable(), false)
            visit { _, _, shown, _ in if shown == 0 || !table.insert(shown) { isFull = true } }
        }
        (colors, fits) = (table, !isFull)
    }

    /// The bits of an index into the image's own colours.
    var indexBits: Int { GIFBlockWriter.tableBits(colors.count + (leavesPixels ? 1 : 0)) }

    /// Returns the indices of the pixels in a table with all of ``colors``, and the index of pixels that are left out.
    func indices(in table: GIFColorTable) -> (LZWInput, transparentIndex: UInt8?) {
        let transparentIndex = leavesPixels ? transparentIndex(in: table) : nil
        var input = LZWInput(
            indices: [UInt8](repeating: transparentIndex ?? 0, count: area.width * area.height), colorCount: 1)
        // Neighbours often have the same colour.
        var (position, largest, last): (Int, UInt8, (color: UInt32, index: UInt8)) = (0, transparentIndex ?? 0, (0, 0))
        visit { _, _, shown, before in
            if transparentIndex == nil || shown != before {
                if shown != last.color { last = (shown, table.index(of: shown) ?? 0) }
                input.indices[position] = last.index
                largest = max(largest, last.index)
            }
            position += 1
        }
        input.colorCount = Int(largest) + 1
        guard let transparentIndex else { return (input, nil) }
        // A pixel that stays may have its own colour, too, if that does not make the codes longer.
        let limit = 1 << max(2, GIFBlockWriter.tableBits(input.colorCount))
        input.alternatives = input.indices
        (position, last) = (0, (0, transparentIndex))
        visit { _, _, shown, before in
            if shown == before, shown != 0 {
                if shown != last.color { last = (shown, table.index(of: shown) ?? transparentIndex) }
                if Int(last.index) < limit { input.alternatives[position] = last.index }
            }
            position += 1
        }
        return (input, transparentIndex)
    }

    /// Chooses an index that no pixel is drawn with: if possible one with no more bits than those that are drawn, and
    /// without a colour that pixels could be drawn with that do not change.
    private func transparentIndex(in table: GIFColorTable) -> UInt8 {
        var isDrawn = [Bool](repeating: false, count: GIFColorTable.capacity)
        for color in colors.colors { isDrawn[Int(table.index(of: color) ?? 0)] = true }
        let bits = GIFBlockWriter.tableBits((isDrawn.lastIndex(of: true) ?? 0) + 1)
        let free = (0..<(1 << bits)).filter { !isDrawn[$0] }
        guard let last = free.last else { return UInt8(clamping: 1 << bits) }
        guard last < table.count else { return UInt8(clamping: max(free[0], table.count)) }
        var counts = [Int](repeating: 0, count: GIFColorTable.capacity)
        visit { _, _, shown, before in
            if shown == before, let index = table.index(of: shown) { counts[Int(index)] += 1 }
        }
        return UInt8(clamping: free.min { (counts[$0], $0) < (counts[$1], $1) } ?? last)
    }

    @inline(__always) private func visit(_ body: (_ x: Int, _ y: Int, _ shown: UInt32, _ before: UInt32) -> Void) {
        shown.visit(area, before, body)
    }
}
