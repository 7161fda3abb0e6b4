import Texel

/// Writes DEC sixel graphics: at most 256 colours, in rows of six pixels; each character is a column of one colour
/// (VT330/VT340 Programmer Reference Manual, chapter 14).
enum SixelWriter {
    /// Encodes an image for the terminal.
    ///
    /// - Parameter image: opaque.
    static func bytes(of image: PixelBuffer) throws(TexelError) -> [UInt8] {
        let reduced = try image.quantized(PaletteOptions(colors: 256)) ?? image
        let pixels = reduced.pixels
        let (width, height) = (reduced.width, reduced.height)
        let palette = Set(pixels).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(palette, palette.indices))
        // Undrawn pixels keep their colour, pixels are square, and the size.
        var text = Array("\u{1B}P0;1q\"1;1;\(width);\(height)".utf8)
        for (number, color) in palette.enumerated() {
            func percent(_ shift: UInt32) -> UInt32 { ((color >> shift & 255) * 100 + 127) / 255 }
            text += "#\(number);2;\(percent(16));\(percent(8));\(percent(0))".utf8
        }
        for top in stride(from: 0, to: height, by: 6) {
            var rows: [Int: [UInt8]] = [:]
            for y in top..<min(top + 6, height) {
                for x in 0..<width {
                    let number = numbers[pixels[y * width + x]] ?? 0
                    rows[number, default: Array(repeating: 0, count: width)][x] |= 1 << UInt8(y - top)
                }
            }
            // Each colour starts at the left edge again.
            var separator = ""
            for (number, bits) in rows.sorted(by: { $0.key < $1.key }) {
                text += "\(separator)#\(number)".utf8
                append(bits, to: &text)
                separator = "$"
            }
            text.append(UInt8(ascii: "-"))
        }
        // No next row follows the last one.
        text.removeLast()
        return text + "\u{1B}\\\n".utf8
    }

    /// Appends a row of one colour: runs longer than three are run-length encoded, and trailing empty columns are
    /// omitted.
    private static func append(_ bits: [UInt8], to text: inout [UInt8]) {
        let end = (bits.lastIndex { $0 != 0 } ?? -1) + 1
        var x = 0
        while x < end {
            let count = bits[x..<end].prefix { $0 == bits[x] }.count
            let character = 0x3F + bits[x]
            if count > 3 {
                text += "!\(count)".utf8
                text.append(character)
            } else {
                text += Array(repeating: character, count: count)
            }
            x += count
        }
    }
}
