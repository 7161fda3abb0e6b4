import TexelCodecs

/// Writes containers (ISO/IEC 18181-2).
enum JXLContainer {
    /// The boxes in which every file begins: the signature, and the file type.
    static let beginning: [UInt8] =
        JXLBox.signature + box("ftyp", (Array("jxl ".utf8) + [0, 0, 0, 0] + Array("jxl ".utf8))[...])

    /// Returns a box. The content must have fewer than 2^32 - 8 bytes.
    static func box(_ type: String, _ content: some Collection<UInt8>) -> [UInt8] {
        header(type, content.count) + content
    }

    /// Returns the header of a box, of 8 bytes or, for a large content, of 16.
    static func header(_ type: String, _ count: Int) -> [UInt8] {
        let isLarge = count + 8 > UInt32.max
        let size = [UInt8](bigEndian: isLarge ? 1 : count + 8, count: 4)
        return size + type.utf8 + (isLarge ? [UInt8](bigEndian: count + 16, count: 8) : [])
    }

    /// Returns the boxes of metadata, which precede the codestream so that they arrive first. The codestream stores the
    /// orientation.
    static func metadata(_ metadata: WrittenMetadata) -> [UInt8] {
        let metadata = SeparateOrientation(metadata)
        var boxes: [UInt8] = []
        // Four bytes give the distance to the TIFF header.
        if let exif = metadata.exif { boxes += box("Exif", [0, 0, 0, 0] + exif) }
        if let xmp = metadata.xmp { boxes += box("xml ", xmp) }
        return boxes
    }

    /// Returns a file with a codestream: without a container if it has no metadata.
    static func file(_ codestream: some Collection<UInt8>, _ metadata: WrittenMetadata) -> [UInt8] {
        let boxes = Self.metadata(metadata)
        guard !boxes.isEmpty else { return Array(codestream) }
        return beginning + boxes + header("jxlc", codestream.count) + codestream
    }
}
