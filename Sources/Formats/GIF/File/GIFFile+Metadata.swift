import TexelCodecs
import TexelPixels

extension GIFFile {
    /// The colours: of the profile, or sRGB.
    var colorSpace: ColorSpace { profile?.colorSpace() ?? .sRGB }

    /// XMP and comments. The encoding of a comment is not known: ASCII is required, but not what all writers use.
    var metadata: ImageMetadata {
        ImageMetadata(
            xmp: xmp.flatMap { XMP($0) }, comments: comments.map { TextComment(bytes: $0, encoding: .unknown) })
    }

    /// Returns the file with other metadata and identical images. Unknown extensions, and bytes after the end, are
    /// dropped.
    func rewritten(metadata: WrittenMetadata, keepsProfile: Bool) -> [UInt8] {
        var extensions = GIFBlockWriter()
        extensions.append(metadata)
        var result = GIFBlockWriter()
        var position = 0
        func copy(upTo end: Int) {
            if position < end { result.bytes += bytes[position..<end] }
            position = max(position, end)
        }
        var isWritten = false
        func insert() {
            copy(upTo: imagesStart)
            result.bytes += extensions.bytes
            isWritten = true
        }
        for (range, kind) in removable {
            if !isWritten, range.lowerBound >= imagesStart { insert() }
            copy(upTo: range.lowerBound)
            if kind == .metadata || !keepsProfile { position = range.upperBound }
        }
        if !isWritten { insert() }
        copy(upTo: contentEnd)
        // A file that is cut inside an image stays cut.
        if !isCut { result.appendTrailer() }
        // The size that readers show, if the file's own does not contain the first image.
        result.bytes.replaceSubrange(6..<10, with: GIFBlockWriter.size(canvas))
        // The index of the background, which no reader shows, must be one of the table.
        if Int(bytes[11]) >= (globalColors?.count ?? 0) / 3 { result.bytes[11] = 0 }
        // GIF87a has no extensions.
        if !extensions.bytes.isEmpty { result.bytes.replaceSubrange(0..<6, with: "GIF89a".utf8) }
        return result.bytes
    }
}
