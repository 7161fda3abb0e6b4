import Texel

/// What a run came to.
struct Tally {
    let expected: Int
    private(set) var done = 0
    private(set) var written = 0
    private(set) var skipped = 0
    private(set) var failed = 0
    private(set) var inputBytes = 0
    private(set) var outputBytes = 0
    private var firstError: PipelineError?
    private let start = ContinuousClock.now

    init(expected: Int) { self.expected = expected }

    var elapsed: Duration { ContinuousClock.now - start }

    mutating func add(_ result: FileResult) {
        done += 1
        switch result.status {
        case .written, .kept:
            written += 1
            inputBytes += result.inputBytes
            outputBytes += result.outputBytes
        case .skipped: skipped += 1
        case .failed:
            failed += 1
            firstError = firstError ?? result.error
        }
    }

    /// - Parameter isSingle: whether one file was named, whose own error then decides.
    func exitStatus(isSingle: Bool) -> ExitStatus {
        guard failed > 0 else { return .success }
        guard isSingle, let firstError else { return .someFailed }
        return ExitStatus(firstError)
    }
}
