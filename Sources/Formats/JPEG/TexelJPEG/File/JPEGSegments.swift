import TexelCodecs
import TexelPixels

/// Builds the application segments of a JPEG file.
enum JPEGSegments {
    struct Segment {
        var marker: UInt8
        var payload: [UInt8]

        /// The marker, the length and the payload.
        var bytes: [UInt8] {
            let length = payload.count + 2
            return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
        }
    }

    /// The maximum payload: the two-byte length includes itself.
    static let maximumPayload = 65_533

    /// The maximum size of a packet; larger ones have an extension (XMP specification part 3, 1.1.3.1).
    private static let maximumPacket = 65_502

    /// The maximum part of an extension in one segment (the same).
    private static let maximumExtensionPart = 65_400

    /// Returns the blocks in the form in which a file stores them. An EXIF block that does not fit in one segment is
    /// dropped, because not every reader supports a split block; a large XMP packet gets an extension.
    static func limited(_ metadata: WrittenMetadata) -> WrittenMetadata {
        var limited = metadata
        func drop(_ block: String, _ byteCount: Int, limit: Int) {
            let reason = MetadataLoss.Reason.tooLarge(for: "a JPEG", limit: limit)
            limited.losses.append(MetadataLoss(block, byteCount: byteCount, reason))
        }
        let exifLimit = maximumPayload - JPEGFile.exifIdentifier.count
        if let exif = metadata.exif, exif.count > exifLimit {
            limited.exif = nil
            drop(MetadataLoss.exif, exif.count, limit: exifLimit)
        }
        if let xmp = metadata.xmp, xmp.count > maximumPacket {
            if let (packet, extended) = XMP(xmp)?.split(limit: maximumPacket) {
                (limited.xmp, limited.extendedXMP) = (packet, extended)
            } else {
                limited.xmp = nil
                drop(MetadataLoss.xmp, xmp.count, limit: maximumPacket)
            }
        }
        limited.comments = []
        for comment in metadata.comments {
            let count = comment.jpegComment.count
            if count <= maximumPayload {
                limited.comments.append(comment)
            } else {
                drop(MetadataLoss.text, count, limit: maximumPayload)
            }
        }
        return limited
    }

    /// Returns the segments for `blocks`, in the order that readers expect.
    static func metadata(_ blocks: WrittenMetadata) -> [Segment] {
        let blocks = limited(blocks)
        var segments: [Segment] = []
        func append(_ marker: UInt8, _ payload: [UInt8]) { segments.append(Segment(marker: marker, payload: payload)) }
        if let exif = blocks.exif { append(JPEGFile.Marker.application1, JPEGFile.exifIdentifier + exif) }
        if let xmp = blocks.xmp { append(JPEGFile.Marker.application1, XMP.jpegSignature + xmp) }
        if let extended = blocks.extendedXMP, let name = blocks.xmp.flatMap({ XMP($0)?.extensionName }) {
            for start in stride(from: 0, to: extended.count, by: maximumExtensionPart) {
                let part = extended[start..<min(start + maximumExtensionPart, extended.count)]
                append(
                    JPEGFile.Marker.application1,
                    JPEGFile.extensionIdentifier + name.utf8 + bigEndian(extended.count) + bigEndian(start) + part)
            }
        }
        if let iptc = blocks.iptc {
            let room = maximumPayload - JPEGFile.photoshopIdentifier.count
            for start in stride(from: 0, to: iptc.count, by: room) {
                let part = iptc[start..<min(start + room, iptc.count)]
                append(JPEGFile.Marker.application13, JPEGFile.photoshopIdentifier + part)
            }
        }
        for comment in blocks.comments { append(JPEGFile.Marker.comment, comment.jpegComment) }
        return segments
    }

    private static func bigEndian(_ value: Int) -> [UInt8] { ByteOrder.bigEndian.bytes(UInt32(clamping: value)) }

    /// Returns the numbered segments of a colour profile (ICC.1:2022, annex B.4).
    static func profile(_ profile: ICCProfile?) -> [Segment] {
        guard let bytes = profile?.bytes else { return [] }
        let room = maximumPayload - JPEGFile.profileIdentifier.count - 2
        let count = (bytes.count + room - 1) / room
        guard count <= 255 else { return [] }
        return (0..<count).map { index in
            let part = bytes[(index * room)..<min((index + 1) * room, bytes.count)]
            return Segment(
                marker: JPEGFile.Marker.application2,
                payload: JPEGFile.profileIdentifier + [UInt8(index + 1), UInt8(count)] + part)
        }
    }

    /// Returns the JFIF APP0 segment, version 1.01 (ITU-T T.871, 10.1).
    static func jfif(_ density: PixelDensity?) -> Segment {
        let density = density?.jfif ?? (unit: 0, x: 1, y: 1)
        return Segment(
            marker: JPEGFile.Marker.application0,
            payload: Array("JFIF\0".utf8) + [
                1, 1, density.unit, UInt8(density.x >> 8), UInt8(density.x & 255), UInt8(density.y >> 8),
                UInt8(density.y & 255), 0, 0,
            ])
    }
}
