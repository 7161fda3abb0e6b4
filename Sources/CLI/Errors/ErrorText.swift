import Texel
import TexelFrames
import TexelSheets
import TexelText

/// The text that the program prints for an error: the library's message, and a hint at a flag.
///
/// Each message is printed after the name of the input, so messages about the input do not repeat the name.
enum ErrorText {
    static func sentence(_ error: any Error) -> String {
        let plain = description(error)
        return hint(error).map { "\(plain); \($0)" } ?? plain
    }

    private static func description(_ error: any Error) -> String {
        switch fileError(in: error) {
        case .missing: "no such file"
        case .isDirectory: "is a directory"
        case .cannotRead(_, let reason): "cannot be read: \(reason)"
        case .shortened: "became shorter while it was read"
        case .changed: "was changed or removed while it was processed; nothing was written"
        case .noImagesFound: "contains no images"
        default: "\(error)"
        }
    }

    private static func hint(_ error: any Error) -> String? {
        switch error {
        // Only recipes are carried out in place.
        case FrameError.file(.isInput), SheetError.image(.file(.isInput)): return "name another output"
        default: break
        }
        if let error = fileError(in: error) { return hint(error) }
        switch error {
        case PipelineError.codec(let error), FrameError.codec(let error): return hint(error)
        case let error as CodecError: return hint(error)
        case FrameError.damagedFrame(_, let error): return hint(error)
        case FrameError.missingImage: return "to skip gaps, name the files by a pattern, such as 'frames/*.png'"
        case FrameError.sizeChanged: return "give --width and --height with --fit fill"
        case PipelineError.transfer(.timedOut): return "raise the limit with --timeout"
        case PipelineError.isolation(.unavailable): return "use --no-isolate"
        case PipelineError.target(let error): return hint(error)
        case PipelineError.notLossless:
            return "leave out --lossless, --perfect or --trim-blocks to allow lossy encoding"
        case SheetError.image(let error): return hint(error)
        case SheetError.font(let error):
            return hint(error).map { error == .noFonts ? "\($0), or use --no-captions" : $0 }
        case let error as TextError: return hint(error)
        case SheetError.pageTooLarge: return "use fewer --columns, fewer --rows or a smaller --cell"
        default: return nil
        }
    }

    private static func fileError(in error: any Error) -> FileError? {
        switch error {
        case PipelineError.file(let error), FrameError.file(let error): error
        case SheetError.image(.file(let error)), WatchError.file(let error): error
        case let error as FileError: error
        default: nil
        }
    }

    private static func hint(_ error: FileError) -> String? {
        switch error {
        case .isDirectory: "add -r to process its files"
        case .alreadyExists: "replace it with --overwrite"
        case .isInput: "name another output, or replace inputs with --in-place"
        case .cannotWriteFormat: "choose another extension, or use --format"
        default: nil
        }
    }

    private static func hint(_ error: CodecError) -> String? {
        switch error {
        case .limitExceeded(let kind, _, _): "raise it with \(kind.flag)"
        case .stopped(.timedOut): "raise it with --timeout"
        case .animated: "choose a frame with --frame"
        case .severalPages, .attachmentsLost:
            "write another file with -o, or keep only one image with --page, such as --page 1"
        // A file without a whole header has no rows to accept.
        case .truncated(_, let rows) where rows > 0: "accept incomplete images with --fail-on none"
        default: nil
        }
    }

    private static func hint(_ error: TextError) -> String? {
        switch error {
        case .noFonts: "install a font such as fonts-dejavu-core"
        case .unknownFamily: "name one that fc-list lists, or a .ttf or .otf file"
        default: nil
        }
    }

    private static func hint(_ error: TargetError) -> String {
        switch error {
        case .scoreTooHigh: "use --best-effort to write the best one"
        case .byteLimitTooLow:
            "allow fewer pixels with --allow-smaller, or use --best-effort to write the smallest file"
        case .byteLimitTooLowForScore:
            "allow fewer pixels with --allow-smaller, or a lower score with --best-effort"
        }
    }
}

extension Limits.Kind {
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
