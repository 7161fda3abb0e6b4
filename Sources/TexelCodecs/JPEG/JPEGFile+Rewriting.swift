import TexelPixels

extension JPEGFile {
    /// The same pictures' data with other metadata: no coefficient is touched.
    ///
    /// Application segments and comments are replaced by `metadata`. What other standards append behind the picture
    /// goes: it has metadata of its own.
    ///
    /// - Throws: `stopped`, while it waits for the whole picture.
    func rewritten(
        metadata: WrittenMetadata, profile: ICCProfile?, _ stopCheck: StopCheck?
    ) throws(CodecError) -> [UInt8] {
        let end = try end(stopCheck)
        var result: [UInt8] = [0xFF, Marker.startOfImage]
        for segment in applicationSegments(metadata: metadata, profile: profile) { result += segment.bytes }
        for segment in segments where !Marker.isApplication(segment.marker) && segment.marker != Marker.comment {
            result += JPEGSegments.Segment(marker: segment.marker, payload: Array(bytes[segment.payload])).bytes
        }
        return result + bytes[scanStart..<end]
    }

    /// What stands in front of the tables of a file with this one's colours and other metadata.
    ///
    /// Adobe's marker stays, for decoders need it to tell the colours.
    func applicationSegments(metadata: WrittenMetadata, profile: ICCProfile?) -> [JPEGSegments.Segment] {
        // JFIF has no inks, so such a file needs its segment for a density only.
        let hasInks = (try? frame())?.components.count == 4
        let hadJFIF =
            !(hasInks && metadata.density == nil)
            && !payloads(Marker.application0, beginningWith: Array("JFIF\0".utf8)).isEmpty
        // Without JFIF and Adobe markers a decoder tells the colours from the components: a new JFIF would change them.
        let jfif = hadJFIF ? [JPEGSegments.jfif(metadata.density)] : []
        let adobe = segments.filter { segment in
            segment.marker == Marker.application14 && bytes[segment.payload].starts(with: Array("Adobe".utf8))
        }
        return jfif + JPEGSegments.metadata(metadata) + JPEGSegments.profile(profile)
            + adobe.map { JPEGSegments.Segment(marker: $0.marker, payload: Array(bytes[$0.payload])) }
    }
}
