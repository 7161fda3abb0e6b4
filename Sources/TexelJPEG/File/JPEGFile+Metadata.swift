import TexelCodecs
import TexelPixels

// The contents of the application segments.

extension JPEGFile {
    static let exifIdentifier = Array("Exif\0\0".utf8)
    static let profileIdentifier = Array("ICC_PROFILE\0".utf8)
    static let photoshopIdentifier = Array("Photoshop 3.0\0".utf8)

    /// Returns the colour profile, checked against the colours of the frame.
    ///
    /// - Throws: `limitExceeded` if it has more than `limit` bytes.
    func colorProfile(of frame: Frame, limit: Int) throws(CodecError) -> EmbeddedProfile {
        var parts: [Int: Range<Int>] = [:]
        var (count, total) = (0, 0)
        for payload in payloads(Marker.application2, beginningWith: Self.profileIdentifier) where payload.count > 2 {
            // Each part begins with its number, from 1, and the number of parts (ICC.1:2022, annex B.4).
            let number = Int(bytes[payload.lowerBound])
            guard parts[number] == nil else { continue }
            parts[number] = (payload.lowerBound + 2)..<payload.upperBound
            count = max(count, Int(bytes[payload.lowerBound + 1]))
            total += payload.count - 2
        }
        guard total <= limit else { throw .limitExceeded(.metadataBytes, value: total, allowed: limit) }
        let numbers = parts.keys.sorted()
        if numbers.isEmpty { return .absent }
        // A number of parts that is too small is accepted.
        guard numbers == Array(1...max(count, numbers.count)) else { return .damaged }
        let models: Set<ICCProfile.ColorModel> =
            switch frame.components.count {
            case 1: [.gray, .rgb]
            case 3: [.rgb]
            default: [.cmyk]
            }
        return EmbeddedProfile(numbers.flatMap { number in parts[number].map { Array(bytes[$0]) } ?? [] }, for: models)
    }

    /// Reads EXIF, XMP, IPTC, comments and density.
    ///
    /// - Throws: `limitExceeded` if a block has more than `limit` bytes.
    func metadata(limit: Int) throws(CodecError) -> ImageMetadata {
        var metadata = ImageMetadata()
        // A block that is too large for one segment continues in the next.
        let exif = payloads(Marker.application1, beginningWith: Self.exifIdentifier)
        if !exif.isEmpty { metadata.exif = EXIF(try joined(exif, limit: limit)) }
        if let payload = payloads(Marker.application1, beginningWith: XMP.jpegSignature).first {
            metadata.xmp = XMP(try joined([payload], limit: limit))
        }
        let photoshop = payloads(Marker.application13, beginningWith: Self.photoshopIdentifier)
        if !photoshop.isEmpty { metadata.iptc = try joined(photoshop, limit: limit) }
        for payload in payloads(Marker.comment, beginningWith: []) {
            let text = try joined([payload], limit: limit)
            metadata.comments.append(TextComment(bytes: Array(text.prefix { $0 != 0 }), encoding: .unknown))
        }
        metadata.density = jfifDensity
        return metadata
    }

    private func joined(_ payloads: [Range<Int>], limit: Int) throws(CodecError) -> [UInt8] {
        let total = payloads.reduce(0) { $0 + $1.count }
        guard total <= limit else { throw .limitExceeded(.metadataBytes, value: total, allowed: limit) }
        return payloads.flatMap { Array(bytes[$0]) }
    }

    /// The density in the JFIF segment; `nil` for a 1:1 aspect ratio, which carries no information.
    private var jfifDensity: PixelDensity? {
        guard let payload = payloads(Marker.application0, beginningWith: Array("JFIF\0".utf8)).first,
            payload.count >= 7
        else { return nil }
        let at = payload.lowerBound
        let density = PixelDensity(
            jfifUnit: bytes[at + 2], x: UInt16(bytes.bigEndian16(at: at + 3)),
            y: UInt16(bytes.bigEndian16(at: at + 5)))
        guard let density, density.unit != .aspectRatio || density.horizontal != density.vertical else { return nil }
        return density
    }
}
