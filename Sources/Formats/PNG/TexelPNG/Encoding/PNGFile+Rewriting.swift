import TexelCodecs
import TexelCore

extension PNGFile {
    /// Writes the file with other metadata and unchanged pixels, which are not compressed again.
    ///
    /// - Throws: `stopped(.outputFailed)`.
    func rewrite(
        _ valid: PNGValidChunks, metadata: WrittenMetadata, keeping colors: KeptPNGColors, to sink: OutputSink
    ) throws(TexelError) {
        var result = PNGChunkWriter()
        var isWritten = false
        for kept in valid.kept {
            let chunk = kept.chunk
            // The new chunks follow the palette and the chunks that depend on it.
            if !isWritten, Self.beginsPixels(chunk) {
                for (name, data) in Self.chunks(of: metadata) { result.append(name, data) }
                isWritten = true
            }
            guard chunk.stays(keeping: colors) else { continue }
            if let data = kept.data {
                result.append(chunk.name, data)
            } else {
                try result.drain(to: sink)
                try sink.append(chunk.whole, of: bytes)
            }
        }
        if valid.kept.last?.chunk.name != "IEND" { result.append("IEND", []) }
        try result.drain(to: sink)
    }
}
