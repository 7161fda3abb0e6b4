import Texel
import TexelFrames

extension ExitStatus {
    init(_ error: FrameError) {
        self =
            switch error {
            case .codec(let error): Self(PipelineError.codec(error))
            case .pixels(let error): Self(PipelineError.pixels(error))
            case .file(let error): Self(PipelineError.file(error))
            case .invalidStream, .unsupported, .truncated, .sizeChanged, .programFailed: .badData
            case .damagedFrame(_, let error): Self(error)
            case .programNotFound: .inputMissing
            case .stalled, .outOfMemory: .limitExceeded
            case .source, .sink, .cannotRead, .cannotWrite, .outputClosed: .inputOutputError
            case .stopped: .interrupted
            }
    }
}
