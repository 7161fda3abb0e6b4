import CCodecShims

extension PNGFile {
    /// Chunks of any size that libpng never holds as a whole.
    private static let pixelData: Set<String> = ["IDAT", "fdAT"]

    private static let texts: Set<String> = ["tEXt", "zTXt", "iTXt"]

    /// Holds every chunk beside the pixels against the limit, inflated, and all texts together. libpng only warns of a
    /// chunk that is too large, and then takes as much memory as the chunk says it needs.
    ///
    /// - Throws: `limitExceeded`; the value of compressed chunks is where counting stopped.
    func checkMetadata(limit: Int) throws(CodecError) {
        var position = Self.signature.count
        var textBytes = 0
        while position <= bytes.count - 8 {
            // A chunk that the end of the file cuts short is asked for its length all the same.
            let length = Int(bytes.bigEndian32(at: position))
            let name = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
            if name == "IEND" { return }
            if !Self.pixelData.contains(name), length > limit {
                throw .limitExceeded(.metadataBytes, value: length, allowed: limit)
            }
            guard length <= bytes.count - position - 12 else { return }
            if !Self.pixelData.contains(name) {
                let data = (position + 8)..<(position + 8 + length)
                let isText = Self.texts.contains(name)
                var size = inflatedSize(of: data, in: name, limit: isText ? limit - textBytes : limit)
                if isText {
                    textBytes += size
                    size = textBytes
                }
                guard size <= limit else { throw .limitExceeded(.metadataBytes, value: size, allowed: limit) }
            }
            position += 12 + length
        }
    }

    /// The bytes of a chunk's data, or of the zlib stream in it, counted up to `limit` + 1.
    private func inflatedSize(of data: Range<Int>, in name: String, limit: Int) -> Int {
        guard let stream = compressedPart(of: data, in: name), let base = bytes.base else { return data.count }
        return texel_png_inflated_size(base + stream.lowerBound, stream.count, limit)
    }

    /// The zlib stream in a chunk that has one (PNG specification, third edition, 11.3.2.3 and 11.3.3).
    private func compressedPart(of data: Range<Int>, in name: String) -> Range<Int>? {
        /// What follows the next zero byte.
        func afterText(_ part: Range<Int>) -> Range<Int>? {
            bytes[part].firstIndex(of: 0).map { ($0 + 1)..<part.upperBound }
        }
        guard ["iCCP", "zTXt", "iTXt"].contains(name), let afterKeyword = afterText(data) else { return nil }
        guard name == "iTXt" else { return afterKeyword.dropFirst(1) }
        // Compression flag, compression method, language, translated keyword.
        guard afterKeyword.count >= 2, bytes[afterKeyword.lowerBound] == 1 else { return nil }
        return afterText(afterKeyword.dropFirst(2)).flatMap(afterText)
    }
}
