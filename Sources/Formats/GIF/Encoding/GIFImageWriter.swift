import TexelCodecs
import TexelCore
import TexelPixels

/// Writes the images of an animation.
///
/// The colour table of all images grows as long as there is room; it is written when all images are known. An image
/// whose colours do not fit has its own table.
final class GIFImageWriter {
    /// The largest delay of an image, in hundredths of a second.
    static let longestDelay = 0xFFFF

    private let compression: LZWCompression
    private var body = GIFBlockWriter()
    private var colors = GIFColorTable(hasTransparency: true)
    private var count = 0

    init(_ compression: LZWCompression) { self.compression = compression }

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
        var shared = colors
        let isShared = plan.colors.hasTransparency && shared.insertAll(of: plan.colors)
        var choice = try image(plan, isShared ? shared : plan.colors, hasOwnColors: !isShared)
        // Fewer indices make shorter codes.
        if isShared, !isEmpty, compression.effort != .fast, choice.indexBits > plan.indexBits {
            let other = try image(plan, plan.colors, hasOwnColors: true)
            if other.byteCount < choice.byteCount { choice = other }
        }
        if choice.colors == nil { colors = shared }
        let usesTransparency = plan.colors.hasTransparency && plan.hasKeptPixels
        body.appendControl(delay: delay, disposal: disposal, transparentIndex: usesTransparency ? 0 : nil)
        body.appendDescriptor(plan.area, colors: choice.colors)
        body.bytes += choice.data
        count += 1
    }

    private struct EncodedImage {
        /// The image's own table.
        var colors: [UInt32]?
        var data: [UInt8]
        var indexBits: Int

        var byteCount: Int { data.count + (colors.map { 3 << GIFBlockWriter.tableBits($0.count) } ?? 0) }
    }

    private func image(
        _ plan: GIFImagePlan, _ table: GIFColorTable, hasOwnColors: Bool
    ) throws(TexelError) -> EncodedImage {
        let input = plan.indices(in: table)
        return EncodedImage(
            colors: hasOwnColors ? table.colors : nil, data: try compression.smallest(input),
            indexBits: GIFBlockWriter.tableBits(input.colorCount))
    }

    /// Returns the file.
    func file(_ properties: AnimationProperties, metadata: WrittenMetadata) -> [UInt8] {
        var file = GIFBlockWriter()
        file.appendHeader(properties.size, colors: colors.count > 1 ? colors.colors : [])
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
    /// The colours of the pixels that change, and, without a transparent index, of all pixels.
    private(set) var colors = GIFColorTable(hasTransparency: true)
    /// Whether all colours have an index.
    private(set) var fits = true
    /// Whether any pixel of the area stays.
    private(set) var hasKeptPixels = false
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
        hasKeptPixels = keeps
        if isFull {
            table = GIFColorTable(hasTransparency: false)
            isFull = false
            visit { _, _, shown, _ in if shown == 0 || !table.insert(shown) { isFull = true } }
        }
        (colors, fits) = (table, !isFull)
    }

    /// The bits of an index into the image's own colours.
    var indexBits: Int { GIFBlockWriter.tableBits(colors.count) }

    /// Returns the indices of the pixels in a table with all of ``colors``.
    func indices(in table: GIFColorTable) -> LZWInput {
        let usesTransparency = table.hasTransparency && hasKeptPixels
        var input = LZWInput(
            indices: [UInt8](repeating: 0, count: area.width * area.height), colorCount: 1)
        // Neighbours often have the same colour.
        var (position, largest, last): (Int, UInt8, (color: UInt32, index: UInt8)) = (0, 0, (0, 0))
        visit { _, _, shown, before in
            if !usesTransparency || shown != before {
                if shown != last.color { last = (shown, table.index(of: shown) ?? 0) }
                input.indices[position] = last.index
                largest = max(largest, last.index)
            }
            position += 1
        }
        input.colorCount = Int(largest) + 1
        guard usesTransparency else { return input }
        // A pixel that stays may have its own colour, too, if that does not make the codes longer.
        let limit = 1 << max(2, GIFBlockWriter.tableBits(input.colorCount))
        input.alternatives = input.indices
        (position, last) = (0, (0, 0))
        visit { _, _, shown, before in
            if shown == before, shown != 0 {
                if shown != last.color { last = (shown, table.index(of: shown) ?? 0) }
                if Int(last.index) < limit { input.alternatives[position] = last.index }
            }
            position += 1
        }
        return input
    }

    @inline(__always) private func visit(_ body: (_ x: Int, _ y: Int, _ shown: UInt32, _ before: UInt32) -> Void) {
        shown.visit(area, before, body)
    }
}
