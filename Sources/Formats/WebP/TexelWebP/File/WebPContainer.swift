import TexelCodecs
import TexelPixels

/// Writes the RIFF container of a WebP file (RFC 9649, 2).
struct WebPContainer {
    /// A frame of an animation.
    struct Frame {
        /// Its position has even coordinates.
        var area: PixelRectangle
        var milliseconds: Int
        var blends: Bool
        var clears: Bool
        /// Whole chunks: ALPH and VP8, or VP8L.
        var chunks: [Slice<InputBytes>]
    }

    let size: PixelSize
    let hasAlpha: Bool
    var profile: [UInt8]?
    var metadata = WrittenMetadata()

    init(size: PixelSize, hasAlpha: Bool) {
        self.size = size
        self.hasAlpha = hasAlpha
    }

    /// Returns a file with one image: ALPH and VP8 chunks, or VP8L, with their headers.
    func image(_ chunks: [Slice<InputBytes>]) -> [UInt8] {
        var file = begun
        // An image of one chunk needs no header for the whole file.
        let isSimple = chunks.count == 1
        if !isSimple || profile != nil || metadata.exif != nil || metadata.xmp != nil {
            appendHeader(isAnimation: false, to: &file)
        }
        Self.append(chunks, to: &file)
        return ended(file)
    }

    /// Returns a file with an animation.
    ///
    /// - Parameter playCount: 0 for endless.
    func animation(playCount: Int, frames: [Frame]) -> [UInt8] {
        var file = begun
        appendHeader(isAnimation: true, to: &file)
        // The background, which no browser shows, is transparent.
        append("ANIM", [0, 0, 0, 0] + [UInt8](littleEndian: min(playCount, 0xFFFF), count: 2), to: &file)
        for frame in frames {
            let flags: UInt8 = (frame.blends ? 0 : 2) | (frame.clears ? 1 : 0)
            let numbers = [
                frame.area.x / 2, frame.area.y / 2, frame.area.width - 1, frame.area.height - 1, frame.milliseconds,
            ]
            let header = numbers.flatMap { [UInt8](littleEndian: $0, count: 3) } + [flags]
            let count = frame.chunks.reduce(0) { $0 + $1.count + $1.count % 2 }
            file += "ANMF".utf8
            file += [UInt8](littleEndian: header.count + count, count: 4)
            file += header
            Self.append(frame.chunks, to: &file)
        }
        return ended(file)
    }

    private var begun: [UInt8] { Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8) }

    /// Appends VP8X and the profile, which precede the image.
    private func appendHeader(isAnimation: Bool, to file: inout [UInt8]) {
        var flags: UInt8 = isAnimation ? 0x02 : 0
        if metadata.xmp != nil { flags |= 0x04 }
        if metadata.exif != nil { flags |= 0x08 }
        if hasAlpha { flags |= 0x10 }
        if profile != nil { flags |= 0x20 }
        let sides = [UInt8](littleEndian: size.width - 1, count: 3) + [UInt8](littleEndian: size.height - 1, count: 3)
        append("VP8X", [flags, 0, 0, 0] + sides, to: &file)
        if let profile { append("ICCP", profile, to: &file) }
    }

    /// Appends the metadata, which follow the image, and sets the size of the file.
    private func ended(_ file: [UInt8]) -> [UInt8] {
        var file = file
        if let exif = metadata.exif { append("EXIF", exif, to: &file) }
        if let xmp = metadata.xmp { append("XMP ", xmp, to: &file) }
        file.replaceSubrange(4..<8, with: [UInt8](littleEndian: file.count - 8, count: 4))
        return file
    }

    private static func append(_ chunks: [Slice<InputBytes>], to file: inout [UInt8]) {
        for chunk in chunks {
            file += chunk
            if chunk.count % 2 == 1 { file.append(0) }
        }
    }

    private func append(_ name: String, _ data: [UInt8], to file: inout [UInt8]) {
        file += name.utf8
        file += [UInt8](littleEndian: data.count, count: 4)
        file += data
        if data.count % 2 == 1 { file.append(0) }
    }
}
