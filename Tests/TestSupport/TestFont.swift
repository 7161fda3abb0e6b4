import TexelCodecs
import TexelPNG
public import TexelPixels

/// An OpenType font whose glyphs are boxes, so that tests know every pixel and depend on no installed font.
///
/// The em square has 1000 units; the font extends 800 above the baseline and 200 below. Glyph 0 is the box for missing
/// glyphs, 1000 wide.
public struct TestFont: Sendable {
    /// A glyph.
    public struct Glyph: Sendable {
        /// The character; `nil` for glyphs that are used by others only.
        public var character: Unicode.Scalar?
        /// The distance to the next glyph in units.
        public var advance: Int
        /// The left, lower, right and upper edge in units; `nil` for a glyph without ink.
        public var box: (left: Int, bottom: Int, right: Int, top: Int)?
        /// The glyphs that are drawn instead, from below, and the numbers of their colours in the palette.
        public var layers: [(glyph: Int, color: Int)] = []
        /// The colour of a bitmap of 20 × 20 pixels at an em square of 20 pixels, which is drawn instead.
        public var bitmap: PixelColor?

        public init(
            _ character: Unicode.Scalar?, advance: Int = 500,
            box: (left: Int, bottom: Int, right: Int, top: Int)? = (0, 0, 400, 500),
            layers: [(glyph: Int, color: Int)] = [], bitmap: PixelColor? = nil
        ) {
            (self.character, self.advance, self.box) = (character, advance, box)
            (self.layers, self.bitmap) = (layers, bitmap)
        }
    }

    /// The glyphs from index 1 on.
    public var glyphs: [Glyph]
    /// The colours of layers.
    public var palette: [PixelColor] = []
    /// The script that the font says it was made for, as a tag of OpenType such as "dev2". HarfBuzz reorders characters
    /// of Indic scripts for such fonts only.
    public var script: String?

    public init(_ glyphs: [Glyph], palette: [PixelColor] = [], script: String? = nil) {
        (self.glyphs, self.palette, self.script) = (glyphs, palette, script)
    }

    private var all: [Glyph] { [Glyph(nil, advance: 1000, box: (100, 0, 900, 700))] + glyphs }

    /// Returns the font's file.
    public func bytes() throws -> [UInt8] {
        var tables: [(tag: String, bytes: [UInt8])] = [
            ("OS/2", windowsMetrics), ("cmap", characterMap), ("head", head), ("hhea", horizontalHeader),
            ("hmtx", all.flatMap { Self.number16($0.advance) + Self.number16($0.box?.left ?? 0) }),
            (
                "maxp",
                Self.number32(0x10000) + [all.count, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0].flatMap(Self.number16)
            ),
            ("name", names), ("post", Self.number32(0x30000) + [UInt8](repeating: 0, count: 28)),
        ]
        let bitmaps = try bitmapTables()
        if bitmaps.isEmpty {
            let outlines = all.map(Self.outline)
            let places = outlines.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
            tables += [("glyf", outlines.flatMap { $0 }), ("loca", places.flatMap(Self.number32))]
        }
        tables += bitmaps
        if all.contains(where: { !$0.layers.isEmpty }) { tables += [("COLR", layerTable), ("CPAL", paletteTable)] }
        if let script { tables.append(("GSUB", Self.substitutions(script))) }
        tables.sort { $0.tag < $1.tag }
        var (directory, content) = ([UInt8](), [UInt8]())
        for (tag, bytes) in tables {
            let start = 12 + 16 * tables.count + content.count
            // No reader checks the sums.
            directory += Array(tag.utf8) + Self.number32(0) + Self.number32(start) + Self.number32(bytes.count)
            content += bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
        }
        return Self.number32(0x10000) + [tables.count, 0, 0, 0].flatMap(Self.number16) + directory + content
    }

    private static func number16(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    private static func number32(_ value: Int) -> [UInt8] { number16(value >> 16) + number16(value) }

    // MARK: Required tables

    private var head: [UInt8] {
        // Version, revision, sum, magic number, flags and units; two dates; the bounding box, style, smallest size,
        // direction, long offsets, format.
        [0x10000, 0x10000, 0, 0x5F0F_3CF5].flatMap(Self.number32) + [0, 1000].flatMap(Self.number16)
            + [UInt8](repeating: 0, count: 16) + [0, -200, 1000, 800, 0, 8, 2, 1, 0].flatMap(Self.number16)
    }

    private var horizontalHeader: [UInt8] {
        Self.number32(0x10000)
            + [800, -200, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, all.count].flatMap(Self.number16)
    }

    /// The table OS/2, version 0: fontconfig requires none of its values.
    private var windowsMetrics: [UInt8] {
        [0, 500, 400, 5].flatMap(Self.number16) + [UInt8](repeating: 0, count: 60)
            + [800, -200, 0, 800, 200].flatMap(Self.number16)
    }

    private var characterMap: [UInt8] {
        let characters = all.enumerated().compactMap { index, glyph in glyph.character.map { (Int($0.value), index) } }
            .sorted { $0.0 < $1.0 }
        let groups = characters.flatMap { [$0.0, $0.0, $0.1].flatMap(Self.number32) }
        return [0, 1, 3, 10].flatMap(Self.number16) + Self.number32(12) + [12, 0].flatMap(Self.number16)
            + [16 + groups.count, 0, characters.count].flatMap(Self.number32) + groups
    }

    private var names: [UInt8] {
        let family = "Texel Test".utf16.flatMap { Self.number16(Int($0)) }
        return [0, 2, 30].flatMap(Self.number16)
            + [1, 4].flatMap { [3, 1, 0x409, $0, family.count, 0].flatMap(Self.number16) } + family
    }

    /// The outline of a box; empty for a glyph without ink. Its length is even.
    private static func outline(_ glyph: Glyph) -> [UInt8] {
        guard let box = glyph.box else { return [] }
        let (width, height) = (box.right - box.left, box.top - box.bottom)
        // One contour of four points on the curve, each with a distance of two bytes from the point before.
        return [1, box.left, box.bottom, box.right, box.top, 3, 0].flatMap(number16) + [1, 1, 1, 1]
            + [box.left, 0, width, 0].flatMap(number16) + [box.bottom, height, 0, -height].flatMap(number16)
    }

    // MARK: Colours

    private var layerTable: [UInt8] {
        let bases = all.indices.filter { !all[$0].layers.isEmpty }
        var (records, layers) = ([UInt8](), [UInt8]())
        for base in bases {
            records += [base, layers.count / 4, all[base].layers.count].flatMap(Self.number16)
            layers += all[base].layers.flatMap { [$0.glyph, $0.color].flatMap(Self.number16) }
        }
        return [0, bases.count].flatMap(Self.number16) + [14, 14 + records.count].flatMap(Self.number32)
            + Self.number16(layers.count / 4) + records + layers
    }

    private var paletteTable: [UInt8] {
        [0, palette.count, 1, palette.count].flatMap(Self.number16) + Self.number32(14) + Self.number16(0)
            + palette.flatMap { [$0.blue, $0.green, $0.red, $0.alpha] }
    }

    /// The tables CBDT and CBLC; none if no glyph has a bitmap.
    private func bitmapTables() throws -> [(tag: String, bytes: [UInt8])] {
        guard all.contains(where: { $0.bitmap != nil }) else { return [] }
        var data = Self.number32(0x30000)
        var places: [Int] = []
        for glyph in all {
            places.append(data.count - 4)
            guard let color = glyph.bitmap else { continue }
            let image = try PixelBuffer(width: 20, height: 20, filledWith: color.pixel).encoded(as: .png(PNGOptions()))
            // Height, width, the left and upper edge, the advance.
            data += [20, 20, 0, 16, UInt8(glyph.advance / 50)] + Self.number32(image.count) + image
        }
        places.append(data.count - 4)
        let subtable = [1, 17].flatMap(Self.number16) + Self.number32(4) + places.flatMap(Self.number32)
        let line: [UInt8] = [16, 0xFC, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let strike =
            [56, 8 + subtable.count, 1, 0].flatMap(Self.number32) + line + line
            + [0, all.count - 1].flatMap(Self.number16) + [20, 20, 32, 1]
        let list = [0, all.count - 1].flatMap(Self.number16) + Self.number32(8)
        return [("CBDT", data), ("CBLC", Self.number32(0x30000) + Self.number32(1) + strike + list + subtable)]
    }

    // MARK: Scripts

    /// A table GSUB with a script, but without substitutions.
    private static func substitutions(_ script: String) -> [UInt8] {
        let scripts = number16(1) + Array(script.utf8) + [8, 4, 0, 0, 0xFFFF, 0].flatMap(number16)
        return number32(0x10000) + [10, 10 + scripts.count, 12 + scripts.count].flatMap(number16) + scripts
            + [0, 0].flatMap(number16)
    }
}
