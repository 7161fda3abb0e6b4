import TexelPixels

/// Chunks that say how the pixels look; they stay whatever becomes of the metadata.
private let appearance: Set<String> = ["tRNS", "sBIT", "bKGD", "hIST", "acTL", "fcTL", "fdAT"]

/// Chunks that say what the colours mean.
private let colorInformation: Set<String> = ["gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI"]

extension PNGFile.Chunk {
    /// Whether a file with other metadata and the same pixels still has this chunk.
    ///
    /// - Parameter keepsProfile: whether the file keeps what says what its colours mean.
    func stays(keepsProfile: Bool) -> Bool {
        isCritical || appearance.contains(name) || (keepsProfile && colorInformation.contains(name))
    }
}

extension PNGFile {
    /// Whether metadata must be written before this chunk: the first of the pixels or of a frame.
    static func beginsPixels(_ chunk: Chunk) -> Bool { ["IDAT", "acTL", "fcTL"].contains(chunk.name) }

    /// The same pixel data with other metadata: nothing is inflated or deflated.
    ///
    /// - Throws: `stopped`, while it waits for the whole file.
    func rewritten(
        metadata: WrittenMetadata, keepsProfile: Bool, _ stopCheck: StopCheck?
    ) throws(CodecError) -> [UInt8] {
        _ = try bytes.wait(for: .max, stopCheck)
        var result = PNGChunkWriter()
        var isWritten = false
        for chunk in chunks {
            // The new chunks follow the palette and what depends on it.
            if !isWritten, Self.beginsPixels(chunk) {
                for (name, data) in Self.chunks(of: metadata) { result.append(name, data) }
                isWritten = true
            }
            if chunk.stays(keepsProfile: keepsProfile) { result.append(copy: bytes[chunk.whole]) }
        }
        return result.bytes
    }

    /// Names and data of the chunks that hold `metadata`.
    static func chunks(of metadata: WrittenMetadata) -> [(name: String, data: [UInt8])] {
        var chunks: [(name: String, data: [UInt8])] = []
        if let density = metadata.density?.pHYs {
            chunks.append(
                ("pHYs", PNGChunkWriter.bigEndian(density.x) + PNGChunkWriter.bigEndian(density.y) + [density.unit]))
        }
        if let exif = metadata.exif { chunks.append(("eXIf", exif)) }
        if let xmp = metadata.xmp {
            // Keyword, no compression, no language, no translated keyword.
            chunks.append(("iTXt", Array(PNGDecoder.xmpKeyword.utf8) + [0, 0, 0, 0, 0] + xmp))
        }
        for comment in metadata.comments {
            if let latin1 = comment.latin1Bytes {
                chunks.append(("tEXt", comment.pngKeyword + [0] + latin1))
            } else {
                let languages = Array(comment.language.utf8) + [0] + Array(comment.translatedKeyword.utf8) + [0]
                chunks.append(
                    ("iTXt", comment.pngKeyword + [0, 0, 0] + languages + Array(comment.text.utf8)))
            }
        }
        return chunks
    }
}
