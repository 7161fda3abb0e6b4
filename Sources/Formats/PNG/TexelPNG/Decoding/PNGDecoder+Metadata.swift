import CPNGShim
import TexelCodecs
import TexelPixels

extension PNGDecoder {
    /// Returns the metadata of all chunks that have been read.
    static func metadata(of decoder: OpaquePointer) -> ImageMetadata {
        var metadata = ImageMetadata()
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        if texel_png_decoder_exif(decoder, &bytes, &count), let bytes {
            metadata.setEXIF(Array(UnsafeBufferPointer(start: bytes, count: count)))
        }
        var (x, y): (UInt32, UInt32) = (0, 0)
        var isPerMetre = false
        if texel_png_decoder_density(decoder, &x, &y, &isPerMetre) {
            metadata.density = PixelDensity(pHYsUnit: isPerMetre ? 1 : 0, x: x, y: y)
        }
        for index in 0..<texel_png_decoder_text_count(decoder) {
            var keyword: UnsafePointer<CChar>?
            var text: UnsafePointer<UInt8>?
            var isUTF8 = false
            guard texel_png_decoder_text(decoder, index, &keyword, &text, &count, &isUTF8),
                let keyword, let text
            else { continue }
            let characters = UnsafeBufferPointer(start: text, count: count)
            let name = String(cString: keyword)
            if name == PNGFile.xmpKeyword {
                // As with eXIf, the first one counts.
                if metadata.xmp == nil { metadata.xmp = XMP(Array(characters)) }
            } else {
                metadata.comments.append(
                    TextComment(keyword: name, bytes: Array(characters), encoding: isUTF8 ? .utf8 : .latin1))
            }
        }
        return metadata
    }
}
