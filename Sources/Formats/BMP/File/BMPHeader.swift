import TexelCodecs
import TexelCore
import TexelPixels

/// The headers of a BMP: the file header, the bitmap header in any of its versions, bit masks and palette.
///
/// Sources: Microsoft, "Bitmap Storage" and the structures BITMAPCOREHEADER to BITMAPV5HEADER; for OS/2, "Presentation
/// Manager Programming Guide and Reference", BITMAPINFOHEADER2.
struct BMPHeader: Sendable {
    /// How pixels are stored.
    enum Coding: Sendable, Equatable {
        /// Palette indices or channels in whole bytes, without compression.
        case plain
        /// Runs of palette indices of this many bits, or of pixels of 24 bits.
        case runLength(Int)
        /// Channels in the bits of masks.
        case bitFields
    }

    /// The bytes before the bitmap header.
    static let fileHeaderSize = 14

    let size: PixelSize
    /// Whether the first row of the file is the top row.
    let isTopDown: Bool
    let bitsPerPixel: Int
    let coding: Coding
    /// The masks of 16 and 32 bits: red, green, blue, alpha.
    let masks: [UInt32]
    /// Opaque colours 0xFFRRGGBB; fewer than the indices allow if the file has no more.
    let palette: [UInt32]
    /// The bitmap header, the masks and the palette.
    let beginning: Range<Int>
    /// The position of the first stored row.
    let pixels: Int
    /// The fields of the headers.
    let fields: BMPFields
    /// Faults without an effect on the pixels.
    let warnings: [String]

    /// The bytes of a row without compression, with padding. The width is below 2³¹, so this does not overflow.
    var bytesPerRow: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

    /// The bytes of a row without padding.
    var usedBytesPerRow: Int { (size.width * bitsPerPixel + 7) / 8 }

    /// The position after `rows` stored rows without compression; `Int.max` if the number overflows.
    func end(ofRows rows: Int) -> Int {
        let (stored, overflow) = bytesPerRow.multipliedReportingOverflow(by: rows)
        let (end, endOverflow) = pixels.addingReportingOverflow(stored)
        return overflow || endOverflow ? .max : end
    }

    var hasAlpha: Bool { bitsPerPixel == 64 || masks.count == 4 && masks[3] != 0 }

    /// Reads the headers; waits for their bytes only.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        let start = Self.fileHeaderSize
        guard try bytes.has(start + 4, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        let version = bytes.littleEndian(4, at: start)
        guard version == 12 || (16...64).contains(version) || version == 108 || version == 124 else {
            throw .bmp(.invalidValue(version, of: "header size"))
        }
        guard try bytes.has(start + version, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        let fields = BMPFields(bytes, version: version)
        // The height is negative if the top row is the first.
        size = PixelSize(width: fields.width, height: abs(fields.height))
        isTopDown = fields.height < 0
        guard size.isPositive else {
            throw .bmp(.invalidDimensions(width: fields.width, height: fields.height))
        }
        try limits.check(size)
        self.fields = fields
        bitsPerPixel = fields.bitsPerPixel
        coding = try fields.coding()
        var position = start + version
        if bitsPerPixel == 16 || bitsPerPixel == 32 {
            let count = fields.maskCountAfterHeader
            guard try bytes.has(position + 4 * count, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
            masks = fields.masks(coding)
            position += 4 * count
        } else {
            masks = []
        }
        try Self.check(masks, bitsPerPixel: bitsPerPixel)
        let palette = BMPPaletteArea(fields, at: position)
        // Some writers leave the offset of the pixels 0.
        pixels = fields.pixels >= palette.start ? fields.pixels : palette.end
        beginning = start..<min(palette.end, pixels)
        self.palette = try palette.colors(bytes, before: pixels, stop)
        var warnings: [String] = []
        if fields.planes != 1 { warnings.append("the number of planes is \(fields.planes)") }
        if isTopDown, case .runLength = coding { warnings.append("run-length codes are stored from the top") }
        if fields.pixels < palette.start { warnings.append("the offset of the pixels is \(fields.pixels)") }
        self.warnings = warnings
    }

    /// Refuses masks that are not one run of bits each, or that share bits.
    private static func check(_ masks: [UInt32], bitsPerPixel: Int) throws(TexelError) {
        var used: UInt32 = 0
        for (mask, name) in zip(masks, ["red", "green", "blue", "alpha"]) where mask != 0 {
            let run = mask >> UInt32(mask.trailingZeroBitCount)
            guard run & (run &+ 1) == 0, used & mask == 0, bitsPerPixel == 32 || mask >> 16 == 0 else {
                throw .bmp(.invalidValue(Int(mask), of: "\(name) mask"))
            }
            used |= mask
        }
    }
}
