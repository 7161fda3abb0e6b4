import SystemPackage
import Texel

/// The text that the program prints for an error: the library's message, and a hint at a flag.
///
/// Each message is printed after the name of the input, so messages about the input do not repeat the name.
enum ErrorText {
    /// - Parameter replacesInputs: whether the command has a flag that replaces inputs.
    static func sentence(_ error: any Error, replacesInputs: Bool = true) -> String {
        guard let error = error as? TexelError else { return "\(error)" }
        let hint = error.kind == .isInput && !replacesInputs ? "name another output" : hint(error)
        return hint.map { "\(description(error)); \($0)" } ?? description(error)
    }

    private static func description(_ error: TexelError) -> String {
        guard error.place.input != nil else { return "\(error)" }
        return switch error.kind {
        case .missingFile: "no such file"
        case .isDirectory: "is a directory"
        case .cannotRead: "cannot be read: \(Errno(rawValue: error.systemError ?? 0))"
        case .shortened: "became shorter while it was read"
        case .changed: "was changed or removed while it was processed; nothing was written"
        case .noImagesFound: "contains no images"
        default: "\(error)"
        }
    }

    private static func hint(_ error: TexelError) -> String? {
        switch error.kind {
        case .isDirectory: "add -r to process its files"
        case .alreadyExists: "replace it with --overwrite"
        case .isInput: "name another output, or replace inputs with --in-place"
        case .cannotWriteFormat: "choose another extension, or use --format"
        case .limitExceeded(let limit): "raise it with \(limit.flag)"
        case .timedOut: "raise it with --timeout"
        case .transferTimedOut: "raise the limit with --timeout"
        case .animated: "choose a frame with --frame"
        case .severalPages, .attachmentsLost:
            "write another file with -o, or keep only one image with --page, such as --page 1"
        // A file without a whole header has no rows to accept.
        case .truncated: error.place.row.map { _ in "accept incomplete images with --fail-on none" }
        case .missingImage: "to skip gaps, name the files by a pattern, such as 'frames/*.png'"
        case .sizeChanged: "give --width and --height with --fit fill"
        case .isolationUnavailable: "use --no-isolate"
        case .notLossless: "leave out --lossless, --perfect or --trim-blocks to allow lossy encoding"
        case .scoreTooHigh: "use --best-effort to write the best one"
        case .byteLimitTooLow:
            "allow fewer pixels with --allow-smaller, or use --best-effort to write the smallest file"
        case .byteLimitTooLowForScore:
            "allow fewer pixels with --allow-smaller, or a lower score with --best-effort"
        case .noFonts: "install a font such as fonts-dejavu-core"
        case .unknownFontFamily: "name one that fc-list lists, or a .ttf or .otf file"
        case .pageTooLarge: "use fewer --columns, fewer --rows or a smaller --cell"
        default: nil
        }
    }
}

extension LimitKind {
    /// The flag that sets this limit.
    var flag: String {
        switch self {
        case .pixels: "--limit-pixels"
        case .side: "--limit-side"
        case .inputBytes: "--limit-input"
        case .plannedBytes: "--limit-planned"
        case .inflatedBytes: "--limit-inflated"
        case .metadataBytes: "--limit-metadata"
        case .chunks: "--limit-chunks"
        case .scans: "--limit-scans"
        case .frames: "--limit-frames"
        case .warnings: "--limit-warnings"
        case .codecBytes: "--limit-memory"
        }
    }
}
