import Texel
import TexelFrames
import TexelSheets

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

    init(_ error: PipelineError) {
        self =
            switch error {
            case .codec(let error): Self(error)
            case .pixels(let error): Self(error)
            case .file(let error): Self(error)
            case .transfer(let error): Self(error)
            case .source: .inputOutputError
            case .target, .notLossless: .limitExceeded
            case .isolation(let error): Self(error)
            }
    }

    /// The status of a call in which inputs failed.
    ///
    /// - Parameters:
    ///   - error: the first error.
    ///   - isSingle: whether there was one input, whose status is used then.
    ///   - inputs: all inputs; if they are only directories without images, the first error is used too.
    init(first error: PipelineError, isSingle: Bool, of inputs: InputExpansion.Outcome) {
        self = isSingle || inputs.isEmpty ? Self(error) : .someFailed
    }

    init(_ error: ManifestError) {
        self =
            switch error {
            case .inUse: .cannotCreateOutput
            case .foreign: .badData
            case .cannotRead: .inputMissing
            case .cannotWrite: .cannotCreateOutput
            }
    }

    init(_ error: FrameError) {
        self =
            switch error {
            case .codec(let error): Self(error)
            case .pixels(let error): Self(error)
            case .file(let error): Self(error)
            case .invalidStream, .unsupported, .truncated, .sizeChanged, .damagedStream, .missingFrame: .badData
            case .damagedFrame(_, let error): Self(error)
            case .missingImage: .inputMissing
            case .stalled, .outOfMemory: .limitExceeded
            case .source, .sink, .cannotRead, .cannotWrite, .outputClosed: .inputOutputError
            case .stopped: .interrupted
            }
    }

    init(_ error: SheetError) {
        self =
            switch error {
            case .font: .inputMissing
            case .pageTooLarge: .limitExceeded
            case .unknownPlaceholder: .usage
            case .image(let error): Self(error)
            }
    }

    init(_ error: WatchError) {
        self =
            switch error {
            case .file(let error): Self(error)
            case .vanished: .inputMissing
            case .tooManyFolders, .tooManyWatchers: .limitExceeded
            case .outputIsTaken: .cannotCreateOutput
            case .outputHoldsInput, .unsupported: .usage
            case .manifest(let error): Self(error)
            }
    }

    private init(_ error: CodecError) {
        self =
            switch error {
            case .limitExceeded, .outOfMemory, .stopped(.timedOut): .limitExceeded
            case .stopped(.cancelled): .interrupted
            case .pixels(let error): Self(error)
            default: .badData
            }
    }

    private init(_ error: PixelBufferError) {
        self =
            switch error {
            case .outOfMemory, .resultTooLarge: .limitExceeded
            case .rectangleOutOfBounds, .invalidTransform, .invalidSize, .sizeDependsOnPixels: .usage
            default: .badData
            }
    }

    private init(_ error: FileError) {
        self =
            switch error {
            case .missing, .cannotRead, .noImagesFound: .inputMissing
            case .isDirectory, .cannotWriteFormat: .usage
            case .alreadyExists, .isInput, .outputConflict, .outsideFolder, .isLink, .cannotCreate: .cannotCreateOutput
            case .cannotWrite, .shortened, .changed: .inputOutputError
            }
    }

    private init(_ error: IsolationError) {
        self =
            switch error {
            case .timeLimitExceeded: .limitExceeded
            case .ended, .forbiddenSystemCall, .invalidReply: .badData
            case .unavailable, .cannotStart, .notAChildProgram, .cannotPass: .inputOutputError
            }
    }

    private init(_ error: TransferError) {
        self =
            switch error {
            case .unsupportedURL, .invalidURL, .refusedURL: .usage
            case .unreachable, .status(404), .status(410): .inputMissing
            case .tooManyRedirects, .timedOut: .limitExceeded
            case .unexpectedContentType: .badData
            case .status, .incomplete, .forbiddenRedirect, .alreadyRead, .failed: .inputOutputError
            }
    }
}
