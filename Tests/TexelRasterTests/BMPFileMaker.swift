/// Makes BMP files, valid or not.
struct BMPFileMaker {
    /// The size of the bitmap header.
    var version = 40
    var width = 3
    /// Negative for a file that begins with the top row.
    var height = 2
    var planes = 1
    var bits = 24
    var compression = 0
    /// The declared number of colours; 0 for all.
    var colorCount = 0
    /// Colours 0xRRGGBB.
    var palette: [UInt32] = []
    /// Follow a header of version 40, and are in larger ones.
    var masks: [UInt32] = []
    /// Stored bytes.
    var pixels: [UInt8] = []
    var density: (Int, Int) = (0, 0)
    /// The offset of the pixels; `nil` for the right one.
    var offset: Int?
    /// The colour space type of versions 4 and 5.
    var colorSpaceType: UInt32 = 0x7352_4742
    /// The end points, as fractions of 2³⁰, and the exponents, as fractions of 2¹⁶.
    var endpoints = [UInt32](repeating: 0, count: 9)
    var gammas: [UInt32] = [0, 0, 0]
    /// Embedded after the pixels in a file of version 5.
    var profile: [UInt8] = []
    /// The offset of the profile in the bitmap header and its length; `nil` for the right ones.
    var profileRange: (UInt32, UInt32)?

    var bytes: [UInt8] {
        var header = Self.little(UInt32(version))
        if version == 12 {
            header += [width, height, planes, bits].flatMap { Self.little(UInt16(truncatingIfNeeded: $0)) }
        } else {
            header += Self.little(UInt32(bitPattern: Int32(width))) + Self.little(UInt32(bitPattern: Int32(height)))
            header += Self.little(UInt16(planes)) + Self.little(UInt16(bits))
            header += [compression, 0, density.0, density.1, colorCount, 0].flatMap { Self.little(UInt32($0)) }
            header += (masks + [0, 0, 0, 0]).prefix(4).flatMap { Self.little($0) }
            header += Self.little(colorSpaceType) + (endpoints + gammas).flatMap { Self.little($0) }
            header += [UInt8](repeating: 0, count: 20)
        }
        header = Array(header.prefix(version))
        let after = version == 40 ? masks.flatMap { Self.little($0) } : []
        let colors = palette.flatMap { color in
            Self.little(color).prefix(version == 12 ? 3 : 4)
        }
        let start = 14 + header.count + after.count + colors.count
        if version == 124, !profile.isEmpty {
            let range = profileRange ?? (UInt32(start - 14 + pixels.count), UInt32(profile.count))
            header.replaceSubrange(112..<120, with: Self.little(range.0) + Self.little(range.1))
        }
        let size = start + pixels.count + profile.count
        return Array("BM".utf8) + Self.little(UInt32(size)) + [0, 0, 0, 0] + Self.little(UInt32(offset ?? start))
            + header + after + colors + pixels + profile
    }

    static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) }
    }

    /// Returns rows of stored bytes, each padded to four bytes.
    static func padded(_ rows: [[UInt8]]) -> [UInt8] {
        rows.flatMap { $0 + [UInt8](repeating: 0xEE, count: (4 - $0.count % 4) % 4) }
    }
}
