public import TexelCore

extension TexelError {
    /// The file has no bytes.
    public static var empty: TexelError { TexelError(.empty, "the file is empty") }

    /// The first bytes, at most 12, match none of the readable formats.
    public static func unknownFormat(firstBytes: [UInt8], readable: [ImageFormat]) -> TexelError {
        if let name = ForeignFormat.name(of: firstBytes) {
            return TexelError(.unknownFormat, "the file is \(name); Texel reads \(readable.list(joinedBy: "and"))")
        }
        return TexelError(
            .unknownFormat,
            "the file is not a \(readable.list(joinedBy: "or")) image "
                + "(first bytes: \(hexadecimal(Array(firstBytes.prefix(8)))))")
    }

    /// The data ends before the image does. `rowsRead` of the file's `rows` are complete; both are 0 if that is not
    /// known.
    public static func truncated(rowsRead: Int, rows: Int) -> TexelError {
        TexelError(
            .truncated,
            rowsRead > 0
                ? "the file is truncated: \(rowsRead) of its \(rows) rows are complete" : "the file is truncated",
            at: Place(row: rows > 0 ? rowsRead : nil))
    }

    /// The file is damaged.
    public static func damaged(_ format: ImageFormat, _ defect: FormatDefect) -> TexelError {
        TexelError(.damaged, "the \(format.displayName) is damaged: \(defect)")
    }

    /// The decoder warned, and the strictness does not allow warnings of this kind.
    public static func warning(_ message: String) -> TexelError {
        TexelError(.warning, "decoder warning: \(message)")
    }

    /// The encoder cannot write this image in this format.
    public static func cannotEncode(_ reason: String) -> TexelError {
        TexelError(.cannotEncode, "cannot encode the image: \(reason)")
    }

    /// The result would hold one frame of an animation, and the recipe does not select one.
    public static func animated(frames: Int) -> TexelError {
        TexelError(
            .animated,
            frames == 1
                ? "the file has one animation frame and a separate default image, but the output can hold only one"
                : "the file is an animation of \(frames) frames, but the output can hold only one")
    }

    /// The recipe allows no loss, but the result cannot be made without it; the text gives the reason.
    public static func notLossless(_ reason: String) -> TexelError {
        TexelError(.notLossless, "cannot be done without loss: \(reason)")
    }

    /// The result would hold only the first page of a file of several, and the recipe does not allow that.
    public static func severalPages(_ count: Int) -> TexelError {
        TexelError(.severalPages, "the result would hold only the first of the file's \(count) pages")
    }

    /// The result would lose what the file holds besides its image, and the recipe does not allow that.
    public static func attachmentsLost(_ attachments: Set<ImageAttachment>) -> TexelError {
        let list = attachments.map { "the additional \($0.rawValue)" }.sorted().joined(separator: " and ")
        return TexelError(.attachmentsLost, "the result would lose \(list) of the file")
    }

    /// The requested frame, counted from 0, does not exist: the file has `count` frames.
    public static func missingFrame(_ frame: Int, count: Int) -> TexelError {
        TexelError(
            .missingFrame,
            "frame \(frame) does not exist; "
                + (count == 1 ? "the file has only frame 0" : "the file has frames 0 to \(count - 1)"),
            at: Place(frame: frame))
    }

    /// The requested page, counted from 0, does not exist: the file has `count` pages.
    public static func missingPage(_ page: Int, count: Int) -> TexelError {
        // People count pages from 1.
        TexelError(
            .missingPage,
            "page \(page &+ 1) does not exist; the file has \(count == 1 ? "only one page" : "\(count) pages")")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}

extension [ImageFormat] {
    /// Returns the names as a list for a sentence: "PNG, JPEG and WebP".
    package func list(joinedBy conjunction: String) -> String {
        let names = map(\.displayName)
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
