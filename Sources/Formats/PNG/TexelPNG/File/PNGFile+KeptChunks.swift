import TexelCodecs
import TexelPixels

/// Chunks that affect the appearance of the pixels. They are kept under every metadata policy.
private let appearance: Set<String> = ["tRNS", "sBIT", "bKGD", "hIST", "acTL", "fcTL", "fdAT"]

/// Chunks that define the colour space.
private let colorInformation: Set<String> = ["gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI"]

/// The colour chunks that a file with other metadata and the same pixels keeps.
enum KeptPNGColors {
    case none, all
    /// All but an ICC profile that is not used.
    case allButProfile

    init(_ parts: KeptParts, of info: ImageInfo) {
        self = !parts.contains(.color) ? .none : info.colorFault == nil ? .all : .allButProfile
    }

    fileprivate func contains(_ name: String) -> Bool {
        switch self {
        case .none: false
        case .all: colorInformation.contains(name)
        case .allButProfile: colorInformation.contains(name) && name != "iCCP"
        }
    }
}

extension PNGFile.Chunk {
    /// Returns whether a file with other metadata and the same pixels keeps this chunk.
    func stays(keeping colors: KeptPNGColors) -> Bool {
        isCritical || appearance.contains(name) || colors.contains(name)
    }
}

extension PNGFile {
    /// The keyword of XMP in an iTXt chunk (XMP specification, part 3, 1.1.5).
    static let xmpKeyword = "XML:com.adobe.xmp"

    /// Returns whether metadata must precede this chunk, which begins the pixels or an animation.
    static func beginsPixels(_ chunk: Chunk) -> Bool { ["IDAT", "acTL", "fcTL"].contains(chunk.name) }

    /// Returns the names and data of the chunks for `metadata`.
    static func chunks(of metadata: WrittenMetadata) -> [(name: String, data: [UInt8])] {
        var chunks: [(name: String, data: [UInt8])] = []
        if let density = metadata.density?.pHYs {
            chunks.append(
                ("pHYs", PNGChunkWriter.bigEndian(density.x) + PNGChunkWriter.bigEndian(density.y) + [density.unit]))
        }
        if let exif = metadata.exif { chunks.append(("eXIf", exif)) }
        if let xmp = metadata.xmp?.filter({ $0 != 0 }) {
            // Keyword, no compression, no language, no translated keyword.
            chunks.append(("iTXt", Array(xmpKeyword.utf8) + [0, 0, 0, 0, 0] + xmp))
        }
        for comment in metadata.comments {
            if let latin1 = comment.latin1Bytes {
                chunks.append(("tEXt", comment.pngKeyword + [0] + latin1))
            } else {
                // A zero byte would end the text.
                let texts = [comment.language, comment.translatedKeyword, comment.text].map {
                    $0.utf8.filter { $0 != 0 }
                }
                chunks.append(
                    ("iTXt", comment.pngKeyword + [0, 0, 0] + texts[0] + [0] + texts[1] + [0] + texts[2]))
            }
        }
        return chunks
    }
}
