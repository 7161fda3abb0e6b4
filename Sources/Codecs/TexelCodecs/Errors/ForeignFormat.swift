/// Recognises formats that Texel does not read, so that an error can name the format of the file.
enum ForeignFormat {
    /// Returns what a file that begins with `head` is, with an article: "a HEIC image".
    ///
    /// - Parameter head: the first 12 bytes, or all if the file has fewer.
    /// - Returns: `nil` for an unknown signature.
    static func name(of head: [UInt8]) -> String? {
        if let brand = brand(of: head) {
            // ISO/IEC 23008-12, annex B; AV1 Image File Format, section 6.
            switch brand {
            case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": return "a HEIC image"
            case "avif", "avis": return "an AVIF image"
            case "crx ": return "a camera raw image"
            default: return "a video"
            }
        }
        if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "a WebP image"
        }
        return signatures.first { head.starts(with: $0.bytes) }?.name
    }

    /// Returns the major brand of an ISO base media file (ISO/IEC 14496-12, 4.3).
    private static func brand(of head: [UInt8]) -> String? {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        return String(decoding: head[8..<12], as: UTF8.self)
    }

    private static let signatures: [(bytes: [UInt8], name: String)] = [
        (Array("GIF8".utf8), "a GIF image"),
        ([0xFF, 0x0A], "a JPEG XL image"),
        ([0, 0, 0, 12] + Array("JXL ".utf8), "a JPEG XL image"),
        ([0, 0, 0, 12] + Array("jP  ".utf8), "a JPEG 2000 image"),
        ([0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000 image"),
        // BigTIFF has version 43 instead of 42. Many raw formats begin with a TIFF header.
        ([0x49, 0x49, 42, 0], "a TIFF or camera raw image"), ([0x4D, 0x4D, 0, 42], "a TIFF or camera raw image"),
        ([0x49, 0x49, 43, 0], "a TIFF or camera raw image"), ([0x4D, 0x4D, 0, 43], "a TIFF or camera raw image"),
        ([0, 0, 1, 0], "an icon"),
        (Array("8BPS".utf8), "a Photoshop document"),
        (Array("%PDF".utf8), "a PDF document"),
        (Array("<svg".utf8), "an SVG image"),
        (Array("<?xml".utf8), "an XML document"),
        (Array("<!DOCTYPE".utf8), "an HTML page"), (Array("<html".utf8), "an HTML page"),
        ([0x1A, 0x45, 0xDF, 0xA3], "a video"),
    ]
}
