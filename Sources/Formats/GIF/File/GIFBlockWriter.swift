import TexelCodecs
import TexelPixels

/// Writes the blocks of a GIF (GIF89a specification).
struct GIFBlockWriter {
    var bytes: [UInt8] = []

    /// Appends the signature and the logical screen descriptor, and the colour table of all images if it is not empty.
    mutating func appendHeader(_ canvas: PixelSize, colors: [UInt32]) {
        bytes += "GIF89a".utf8
        bytes += Self.size(canvas)
        // 8 bits per original sample; no background colour, no aspect ratio.
        bytes += [(colors.isEmpty ? 0 : 0x80 | UInt8(Self.tableBits(colors.count) - 1)) | 0x70, 0, 0]
        append(colors: colors)
    }

    /// Appends how often an animation is played (the extension of Netscape 2.0).
    ///
    /// - Parameter playCount: 0 for endless.
    mutating func append(playCount: Int) {
        // Once is the default.
        guard playCount != 1 else { return }
        let repetitions = min(max(playCount - 1, 0), 0xFFFF)
        appendApplication("NETSCAPE2.0")
        bytes += [3, 1, UInt8(repetitions & 255), UInt8(repetitions >> 8), 0]
    }

    /// Appends XMP and comments; a GIF has no other metadata.
    mutating func append(_ metadata: WrittenMetadata) {
        if let xmp = metadata.xmp, !xmp.contains(0) {
            // A NUL would end the extension; XMP in UTF-8 has none.
            appendApplication("XMP DataXMP")
            bytes += GIFXMP.data(of: xmp) + [0]
        }
        for comment in metadata.comments {
            bytes += [0x21, 0xFE]
            append(subBlocks: comment.bytes)
        }
    }

    /// Appends a graphic control extension.
    ///
    /// - Parameters:
    ///   - delay: in hundredths of a second, at most 65,535.
    ///   - disposal: the method of the file format: 1 none, 2 background, 3 previous; 0 for a still image.
    mutating func appendControl(delay: Int, disposal: UInt8, transparentIndex: UInt8?) {
        bytes += [0x21, 0xF9, 4, disposal << 2 | (transparentIndex == nil ? 0 : 1)]
        append16(delay)
        bytes += [transparentIndex ?? 0, 0]
    }

    /// Appends an image descriptor, and its colour table if it has its own. The LZW data must follow.
    mutating func appendDescriptor(_ area: PixelRectangle, colors: [UInt32]?) {
        bytes.append(0x2C)
        for value in [area.x, area.y, area.width, area.height] { append16(value) }
        bytes.append(colors.map { 0x80 | UInt8(Self.tableBits($0.count) - 1) } ?? 0)
        if let colors { append(colors: colors) }
    }

    mutating func appendTrailer() { bytes.append(0x3B) }

    /// The bits of an index into a table that has room for `count` colours: 1…8.
    static func tableBits(_ count: Int) -> Int { (1...8).first { 1 << $0 >= count } ?? 8 }

    private mutating func append(colors: [UInt32]) {
        guard !colors.isEmpty else { return }
        for color in colors { bytes += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)] }
        bytes += [UInt8](repeating: 0, count: 3 * (1 << Self.tableBits(colors.count) - colors.count))
    }

    private mutating func appendApplication(_ name: String) {
        bytes += [0x21, 0xFF, 11]
        bytes += name.utf8
    }

    private mutating func append(subBlocks data: [UInt8]) {
        for start in stride(from: 0, to: data.count, by: 255) {
            let block = data[start..<min(data.count, start + 255)]
            bytes.append(UInt8(block.count))
            bytes += block
        }
        bytes.append(0)
    }

    /// The bytes of a size.
    static func size(_ size: PixelSize) -> [UInt8] { bytes16(size.width) + bytes16(size.height) }

    private static func bytes16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

    private mutating func append16(_ value: Int) { bytes += Self.bytes16(value) }
}
