public import TexelPixels

/// An error of reading or writing an image file.
public enum CodecError: Error, Sendable, Hashable, Codable {
    /// The file has no bytes.
    case empty
    /// The first bytes, at most 12, match none of the readable formats.
    case unknownFormat(firstBytes: [UInt8], readable: [ImageFormat])
    /// A valid file uses a feature that Texel does not read, such as 12-bit JPEG.
    case unsupported(String)
    /// The data ends before the image does. `rowsRead` of the file's `rows` are complete; 0 also if that is not known.
    case truncated(rowsRead: Int, rows: Int)
    /// The file is damaged.
    case damaged(ImageFormat, FormatDefect)
    /// The decoder warned, and the strictness does not allow warnings of this kind.
    case warning(String)
    /// The file exceeds one of the ``Limits``.
    case limitExceeded(Limits.Kind, value: Int, allowed: Int)
    /// The work was cancelled, timed out, or its input or output failed.
    case stopped(StopReason)
    /// An allocation failed.
    case outOfMemory
    /// The pixel buffer could not be created.
    case pixels(PixelBufferError)
    /// A library that is loaded when it is first used is not installed; `package` is the name of Debian's package.
    case missingLibrary(String, package: String, reason: String)
    /// The encoder cannot write this image in this format.
    case cannotEncode(String)
    /// The result would hold one frame of an animation, and the recipe does not select one.
    case animated(frames: Int)
    /// The result would hold only the first page of a file of several, and the recipe does not allow that.
    case severalPages(Int)
    /// The result would lose what the file holds besides its image, and the recipe does not allow that.
    case attachmentsLost(Set<ImageAttachment>)
    /// The requested frame, counted from 0, does not exist: the file has `count` frames.
    case missingFrame(Int, count: Int)
    /// The requested page, counted from 0, does not exist: the file has `count` pages.
    case missingPage(Int, count: Int)
}

/// The reason why work was stopped.
public enum StopReason: Sendable, Hashable, Codable {
    /// The caller cancelled the work.
    case cancelled
    /// The time limit was reached.
    case timedOut
    /// The input failed before the file was complete.
    case sourceFailed
    /// The output could not be written.
    case outputFailed
}

extension CodecError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty:
            "the file is empty"
        case .unknownFormat(let bytes, let readable):
            if let name = ForeignFormat.name(of: bytes) {
                "the file is \(name); Texel reads \(readable.list(joinedBy: "and"))"
            } else {
                "the file is not a \(readable.list(joinedBy: "or")) image "
                    + "(first bytes: \(Self.hexadecimal(Array(bytes.prefix(8)))))"
            }
        case .unsupported(let feature):
            "\(feature) is not supported"
        case .truncated(let rowsRead, let rows):
            rowsRead > 0
                ? "the file is truncated: \(rowsRead) of its \(rows) rows are complete" : "the file is truncated"
        case .damaged(let format, let defect):
            "the \(format.displayName) is damaged: \(defect)"
        case .warning(let message):
            "decoder warning: \(message)"
        case .limitExceeded(let kind, let value, let allowed):
            "\(Self.amount(value, of: kind)) exceeds the limit of \(allowed)"
        case .stopped(.cancelled):
            "cancelled"
        case .stopped(.timedOut):
            "the time limit was reached"
        case .stopped(.sourceFailed):
            "the input failed before the file was complete"
        case .stopped(.outputFailed):
            "the output could not be written"
        case .outOfMemory:
            "out of memory"
        case .pixels(let error):
            "\(error)"
        case .missingLibrary(let name, let package, let reason):
            "the library \(name) cannot be loaded (\(reason)); install the package \(package)"
        case .cannotEncode(let reason):
            "cannot encode the image: \(reason)"
        case .animated(let frames):
            frames == 1
                ? "the file has one animation frame and a separate default image, but the output can hold only one"
                : "the file is an animation of \(frames) frames, but the output can hold only one"
        case .severalPages(let count):
            "the result would hold only the first of the file's \(count) pages"
        case .attachmentsLost(let attachments):
            "the result would lose \(attachments.phrase) of the file"
        case .missingFrame(let frame, let count):
            "frame \(frame) does not exist; "
                + (count == 1 ? "the file has only frame 0" : "the file has frames 0 to \(count - 1)")
        case .missingPage(let page, let count):
            // People count pages from 1.
            "page \(page &+ 1) does not exist; the file has \(count == 1 ? "only one page" : "\(count) pages")"
        }
    }

    /// The subject of the message: what exceeds the limit.
    private static func amount(_ value: Int, of kind: Limits.Kind) -> String {
        switch kind {
        case .pixels: "an image of \(value) pixels"
        case .side: "an image side of \(value) pixels"
        case .inputBytes: "an input of at least \(value) bytes"
        case .plannedBytes: "planned memory of \(value) bytes"
        case .inflatedBytes: "decompressed data of \(value) bytes"
        case .metadataBytes: "metadata of \(value) bytes"
        case .chunks: "a file of \(value) chunks or segments"
        case .scans: "a file of \(value) scans"
        case .frames: "an animation of \(value) frames"
        case .warnings: "a total of \(value) decoder warnings"
        case .codecBytes: "codec memory of \(value) bytes"
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}

extension Set<ImageAttachment> {
    /// The attachments as a list for a sentence: "the additional gain map and the additional video".
    fileprivate var phrase: String { map { "the additional \($0.rawValue)" }.sorted().joined(separator: " and ") }
}

extension [ImageFormat] {
    /// Returns the names as a list for a sentence: "PNG, JPEG and WebP".
    package func list(joinedBy conjunction: String) -> String {
        let names = map(\.displayName)
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
