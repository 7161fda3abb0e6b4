import TexelPixels

extension JPEGFile {
    /// The same pictures' data with other metadata: no coefficient is touched.
    ///
    /// Application segments and comments are replaced by `metadata`; Adobe's marker stays, for decoders need it to
    /// tell the colours. What other standards append behind the picture goes: it has metadata of its own.
    func rewritten(metadata: WrittenMetadata, keepsProfile: Bool, profile: ICCProfile?) -> [UInt8] {
        var result: [UInt8] = [0xFF, Marker.startOfImage]
        let hadJFIF = !payloads(Marker.application0, beginningWith: Array("JFIF\0".utf8)).isEmpty
        // Without JFIF and Adobe markers a decoder tells the colours from the components: a new JFIF would change them.
        if hadJFIF { result += JPEGSegments.jfif(metadata.density).bytes }
        let added = JPEGSegments.metadata(metadata) + (keepsProfile ? JPEGSegments.profile(profile) : [])
        for segment in added { result += segment.bytes }
        for segment in segments {
            let isApplication = (Marker.application0...0xEF).contains(segment.marker)
            let isAdobe =
                segment.marker == Marker.application14 && bytes[segment.payload].starts(with: Array("Adobe".utf8))
            if isAdobe || !(isApplication || segment.marker == Marker.comment) {
                result += JPEGSegments.Segment(marker: segment.marker, payload: Array(bytes[segment.payload])).bytes
            }
        }
        return result + bytes[scanStart..<end]
    }
}
