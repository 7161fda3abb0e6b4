import TexelCodecs
import TexelCore
import TexelPixels

extension JPEGFile {
    /// Writes the file with other metadata and unchanged coefficients.
    ///
    /// Application segments and comments are replaced by `metadata`. Data after the end of the image (EOI), where other
    /// standards append images, is removed, because it has metadata of its own.
    ///
    /// - Throws: `stopped`, while waiting for the whole image; `stopped(.outputFailed)`.
    func rewrite(
        metadata: WrittenMetadata, profile: ICCProfile?, to sink: OutputSink, _ stop: StopToken?
    ) throws(TexelError) {
        let scans = try scans(stop)
        var head: [UInt8] = [0xFF, Marker.startOfImage]
        for segment in applicationSegments(metadata: metadata, profile: profile) { head += segment.bytes }
        for segment in segments where !Marker.isApplication(segment.marker) && segment.marker != Marker.comment {
            head += JPEGSegments.Segment(marker: segment.marker, payload: Array(bytes[segment.payload])).bytes
        }
        try sink.append(head)
        try sink.append(scans, of: bytes)
        // Some files end without it.
        try sink.append([0xFF, Marker.endOfImage])
    }

    /// Returns the segments to write before the tables of a file with this file's colours and other metadata.
    ///
    /// Adobe's marker is kept, because decoders derive the colour model from it.
    func applicationSegments(metadata: WrittenMetadata, profile: ICCProfile?) -> [JPEGSegments.Segment] {
        // JFIF does not define CMYK, so such a file gets a JFIF segment only for its density.
        let frame = try? frame()
        let isCMYK = frame?.components.count == 4
        let hadJFIF =
            !(isCMYK && metadata.density == nil)
            && !payloads(Marker.application0, beginningWith: Array("JFIF\0".utf8)).isEmpty
        // Without JFIF and Adobe markers, decoders guess the colour model from the component identifiers. Adding a JFIF
        // segment would turn RGB into YCbCr, so it is added only for a density that was requested, to other models.
        let needsJFIF = metadata.overridesDensity && frame.map { colorModel(of: $0) != .rgb } ?? false
        let jfif = hadJFIF || needsJFIF ? [JPEGSegments.jfif(metadata.density)] : []
        let adobe = segments.filter { segment in
            // A shorter segment says nothing to decoders.
            segment.marker == Marker.application14 && segment.payload.count >= 12
                && bytes[segment.payload].starts(with: Array("Adobe".utf8))
        }
        return jfif + JPEGSegments.metadata(metadata) + JPEGSegments.profile(profile)
            + adobe.map { JPEGSegments.Segment(marker: $0.marker, payload: Array(bytes[$0.payload])) }
    }
}
