import CJXLShim
import TexelCodecs
import TexelCore
import TexelPixels

/// The boxes of a container that matter besides the codestream.
struct JXLBoxes: Sendable {
    /// The TIFF block; `nil` if there is none.
    private(set) var exif: [UInt8]?
    /// The XMP packet; `nil` if there is none.
    private(set) var xmp: [UInt8]?
    /// Whether the file has what is needed to restore a JPEG.
    private(set) var hasJPEG = false
    /// All boxes after the signature, in order.
    private(set) var all: [JXLBox] = []
    /// Whether the whole file was read, and did not end inside a box.
    private(set) var areComplete = false

    /// Boxes of a bare codestream (none).
    init() { areComplete = true }

    /// Reads the boxes of a file.
    ///
    /// - Parameter waits: whether to wait for the end of the file; otherwise boxes that have not arrived are missing.
    /// - Throws: `damaged` unless a codestream was found before the damage; `limitExceeded`, `missingLibrary`,
    ///   `stopped`.
    init(_ bytes: InputBytes, limits: Limits, waits: Bool, stop: StopToken?) throws(TexelError) {
        if waits { _ = try bytes.wait(for: .max, stop) }
        let count = bytes.countSoFar
        let isWhole = bytes.wholeCount != nil
        let soFar = isWhole ? bytes : InputBytes(endingImageAfter: count, of: bytes)
        var walk = JXLBoxWalk(soFar, limits, stop)
        do throws(TexelError) {
            while var box = try walk.next() {
                if isWhole, box.end == .max { box.content = box.content.lowerBound..<count }
                all.append(box)
                guard box.end <= count else { continue }
                try read(box, bytes, limits)
            }
            areComplete = isWhole && !walk.isCut && all.allSatisfy { $0.end <= count }
        } catch {
            // The image can still be decoded.
            guard error.kind == .damaged, all.contains(where: { $0.type == "jxlc" || $0.type == "jxlp" }) else {
                throw error
            }
        }
    }

    private mutating func read(_ box: JXLBox, _ bytes: InputBytes, _ limits: Limits) throws(TexelError) {
        switch box.type {
        case "Exif" where exif == nil:
            exif = Self.tiffBlock(try Self.content(box.content, bytes, limits))
        case "xml " where xmp == nil:
            xmp = Array(try Self.content(box.content, bytes, limits))
        case "jbrd": hasJPEG = true
        case "brob" where box.content.count >= 4:
            let type = String(decoding: bytes[box.content.prefix(4)], as: UTF8.self)
            if type == "Exif", exif == nil {
                exif = Self.tiffBlock(try Self.inflated(box, bytes, limits)[...])
            } else if type == "xml ", xmp == nil {
                let packet = try Self.inflated(box, bytes, limits)
                xmp = packet.isEmpty ? nil : packet
            }
        default: break
        }
    }

    private static func content(
        _ range: Range<Int>, _ bytes: InputBytes, _ limits: Limits
    ) throws(TexelError) -> ArraySlice<UInt8> {
        guard range.count <= limits.metadataBytes else {
            throw .limitExceeded(.metadataBytes, value: range.count, allowed: limits.metadataBytes)
        }
        return Array(bytes[range])[...]
    }

    /// Returns the TIFF block of an Exif box: four bytes give its distance from their end (ISO/IEC 18181-2, 9.6).
    private static func tiffBlock(_ content: ArraySlice<UInt8>) -> [UInt8]? {
        guard content.count >= 4 else { return nil }
        let distance = content.bigEndian(4, at: content.startIndex)
        let rest = content.dropFirst(4)
        return distance < rest.count ? Array(rest.dropFirst(distance)) : nil
    }

    /// Returns the content of a box that is compressed with Brotli; empty if it is damaged.
    private static func inflated(
        _ box: JXLBox, _ bytes: InputBytes, _ limits: Limits
    ) throws(TexelError) -> [UInt8] {
        let packed = try content(box.content, bytes, limits)
        try LoadedLibrary.jxl.require()
        // With a header of 32 bits, which this content fits, whatever header the file has.
        let copy = JXLContainer.box("brob", packed)
        var output = texel_jxl_output()
        let status = copy.withUnsafeBufferPointer {
            texel_jxl_inflate_box($0.baseAddress, $0.count, limits.metadataBytes, &output)
        }
        defer { texel_jxl_free(&output) }
        switch status {
        case TEXEL_CODEC_OK: return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
        case TEXEL_CODEC_MEMORY_LIMIT:
            throw .limitExceeded(
                .metadataBytes, value: limits.metadataBytes + 1, allowed: limits.metadataBytes)
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default: return []
        }
    }
}

extension JXLBoxes {
    /// EXIF and XMP. An orientation in them does not apply: that of the codestream does.
    var metadata: ImageMetadata { ImageMetadata(exifBlock: exif, xmpPacket: xmp) }
}
