import Texel

/// The exit codes of the program; from 64 they are those of sysexits.h.
enum ExitStatus: Int32, Error {
    case success = 0
    /// Some inputs failed; the others were processed.
    case someFailed = 1
    case usage = 64
    case badData = 65
    case inputMissing = 66
    case limitExceeded = 69
    case cannotCreateOutput = 73
    case inputOutputError = 74
    case interrupted = 130

    init(_ error: TexelError) {
        self =
            switch error.kind {
            case .empty, .unknownFormat, .unsupported, .truncated, .damaged, .warning, .sizeChanged, .animated,
                .severalPages, .attachmentsLost, .missingFrame, .missingPage, .invalidParameter, .sizesDiffer,
                .unusableColorProfile, .cannotEncode, .sourceFailed, .outputFailed, .missingLibrary,
                .foreignManifest, .unexpectedContentType, .childEnded, .childFailed:
                .badData
            case .limitExceeded, .resultTooLarge, .pageTooLarge, .notLossless, .scoreTooHigh, .byteLimitTooLow,
                .byteLimitTooLowForScore, .timedOut, .stalled, .outOfMemory, .tooManyWatches, .transferTimedOut,
                .tooManyRedirects, .childTimedOut:
                .limitExceeded
            case .invalidArgument, .isDirectory, .cannotWriteFormat, .invalidURL, .refusedURL: .usage
            case .missingImage, .missingFile, .cannotRead, .noImagesFound, .folderVanished, .unreachable,
                .status(404), .status(410), .noFonts, .unknownFontFamily, .unusableFont:
                .inputMissing
            case .alreadyExists, .isInput, .outputConflict, .outsideFolder, .isLink, .cannotCreate, .inUse:
                .cannotCreateOutput
            case .source, .sink, .streamFailed, .shortened, .changed, .cannotWrite, .outputClosed, .status,
                .forbiddenRedirect, .incomplete, .alreadyRead, .transferFailed, .isolationUnavailable,
                .childNotStarted, .openGL:
                .inputOutputError
            case .cancelled: .interrupted
            }
    }

    /// The status of a call in which inputs failed.
    ///
    /// - Parameters:
    ///   - error: the first error.
    ///   - isSingle: whether there was one input, whose status is used then.
    ///   - inputs: all inputs; if they are only directories without images, the first error is used too.
    init(first error: TexelError, isSingle: Bool, of inputs: InputExpansion.Outcome) {
        self = isSingle || inputs.isEmpty ? Self(error) : .someFailed
    }
}
