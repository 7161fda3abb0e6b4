import TexelPixels

/// Decodes an 8-bit PPM or PGM file: "P6" or "P5", width, height, 255, then the samples.
func portablePixmap(_ bytes: [UInt8]) -> PixelBuffer? {
    let head = bytes.prefix(200).split(maxSplits: 4, whereSeparator: { [0x20, 0x0A].contains($0) })
    guard head.count >= 4 else { return nil }
    let words = head.prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard let width = Int(words[1]), let height = Int(words[2]), words[3] == "255" else { return nil }
    let start = words.reduce(4) { $0 + $1.utf8.count }
    let channels = words[0] == "P6" ? 3 : 1
    guard ["P5", "P6"].contains(words[0]), bytes.count >= start + width * height * channels else { return nil }
    let pixels = (0..<(width * height)).map { index -> UInt32 in
        let color = (0..<3).map { UInt32(bytes[start + index * channels + (channels == 3 ? $0 : 0)]) }
        return 0xFF00_0000 | color[0] << 16 | color[1] << 8 | color[2]
    }
    return try? PixelBuffer(width: width, height: height, pixels: pixels, alphaMode: .opaque)
}
