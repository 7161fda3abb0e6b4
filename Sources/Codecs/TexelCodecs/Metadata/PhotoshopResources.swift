/// The image resources in a JPEG's APP13 segments: IPTC captions and Photoshop's own data (Adobe Photoshop file formats
/// specification, "Image resource blocks").
enum PhotoshopResources {
    private static let signature = Array("Photoshop 3.0\0".utf8)

    /// Thumbnails, in two formats.
    private static let thumbnails: Set<UInt16> = [0x0409, 0x040C]
    /// ResolutionInfo.
    private static let density: UInt16 = 0x03ED
    /// Copies of EXIF and XMP, which would keep values that are no longer correct.
    private static let metadataCopies: Set<UInt16> = [0x0422, 0x0423, 0x0424]

    /// Returns `payload` without copies of EXIF and XMP, and without thumbnails and the density unless they are kept;
    /// `nil` if nothing is left. The result ends before the first malformed resource, where other readers stop as well.
    ///
    /// - Returns: also the number of bytes from the first malformed resource on.
    static func corrected(
        _ payload: [UInt8], keepsThumbnail: Bool, keepsDensity: Bool = true
    ) -> (kept: [UInt8]?, unread: Int) {
        let hasSignature = payload.starts(with: signature)
        var result = hasSignature ? signature : []
        var position = result.count
        while let resource = resource(in: payload, at: position) {
            let isDropped =
                metadataCopies.contains(resource.identifier)
                || (thumbnails.contains(resource.identifier) && !keepsThumbnail)
                || (resource.identifier == density && !keepsDensity)
            if !isDropped { result += payload[resource.range] }
            position = resource.range.upperBound
        }
        // Zeros at the end are padding.
        let end = (payload[position...].lastIndex { $0 != 0 } ?? position - 1) + 1
        return (result.count > (hasSignature ? signature.count : 0) ? result : nil, unread: end - position)
    }

    /// Reads a resource: "8BIM", identifier, name, size, data; name and data are padded to even lengths.
    private static func resource(in bytes: [UInt8], at start: Int) -> (identifier: UInt16, range: Range<Int>)? {
        let available = bytes.count - start
        guard available >= 12, bytes[start..<(start + 4)].elementsEqual("8BIM".utf8) else { return nil }
        let identifier = UInt16(truncatingIfNeeded: bytes.bigEndian(2, at: start + 4))
        let nameSize = Int(bytes[start + 6]) + 1
        let sizeOffset = 6 + nameSize + nameSize % 2
        guard available >= sizeOffset + 4 else { return nil }
        let size = bytes.bigEndian(4, at: start + sizeOffset)
        guard size <= available - sizeOffset - 4 else { return nil }
        // Many writers omit the last padding byte.
        let end = min(sizeOffset + 4 + size + size % 2, available)
        return (identifier, start..<(start + end))
    }
}
