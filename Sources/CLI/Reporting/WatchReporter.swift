import Synchronization
import SystemPackage
import Texel
import TexelCore
import TexelWatching

/// Prints the events of a watched folder, each as one line at once.
///
/// If the reader of standard output is slow, the watch waits, and no event is lost; stopping the watch does not wait.
struct WatchReporter: Sendable {
    private let folder: String
    private let output: String
    private let isJSON: Bool
    private let isVerbose: Bool
    private let stream: ResultStream
    private let stop: StopToken
    private let tally = Tally()

    /// Counts of the events.
    private final class Tally: Sendable {
        let counts = Mutex((written: 0, failed: 0))
    }

    init(_ folder: String, _ output: String, isJSON: Bool, isVerbose: Bool, stop: StopToken) throws(Errno) {
        (self.folder, self.output, self.isJSON, self.isVerbose) = (folder, output, isJSON, isVerbose)
        try stop.openDescriptor()
        stream = ResultStream(stop)
        self.stop = stop
    }

    func report(_ event: WatchEvent) {
        count(event)
        if isJSON {
            print(JSONLine.text(of: Line(folder, event)))
        } else {
            tell(event)
        }
        guard case .finished(let result) = event, isVerbose || !isJSON && result.error == nil else { return }
        for warning in result.warnings { warn("\(result.name): warning: \(warning)") }
    }

    func report(_ error: TexelError) {
        let isAboutOutput = error.kind == .inUse || error.kind == .invalidArgument
        let subject = isAboutOutput ? error.place.input ?? folder : folder
        if isJSON {
            print(JSONLine.text(of: ["event": "ended", "input": subject, "error": ErrorText.sentence(error)]))
        }
        warn("\(subject): \(ErrorText.sentence(error))")
    }

    /// Prints the totals of a watch that the user has ended.
    func reportEnd() {
        let counts = tally.counts.withLock { $0 }
        let failed = counts.failed > 0 ? ", \(counts.failed) failed" : ""
        if !isJSON, Console.outputError == nil {
            warn("stopped watching \(folder): \(counts.written) written\(failed)")
        }
    }

    private func count(_ event: WatchEvent) {
        tally.counts.withLock { counts in
            switch event {
            case .finished(let result) where result.error == nil: counts.written += 1
            case .finished, .failed: counts.failed += 1
            case .began, .renamed, .removed: break
            }
        }
    }

    private func tell(_ event: WatchEvent) {
        switch event {
        case .began: warn("watching \(folder), writing to \(output); press Ctrl-C to stop")
        case .finished(let result):
            if let error = result.error {
                warn("\(result.name): \(ErrorText.sentence(error))")
            } else {
                print(HumanReport.line(result))
            }
        case .renamed(let former, let input, let output):
            print(Console.printable("\(former)  renamed to \(input): \(output)"))
        case .removed(let input, let output): print(Console.printable("\(input)  removed: \(output)"))
        case .failed(let path, let error): warn("\(path): \(ErrorText.sentence(error))")
        }
    }

    /// Prints a line; stops the watch if that fails, because its results would go unseen.
    private func print(_ line: String) {
        do throws(ResultStream.End) {
            try stream.write(line + "\n")
        } catch {
            stop.cancel()
        }
    }

    private func warn(_ sentence: String) { Console.complain(sentence) }

    /// One line of `--json`: the kind of event, with the keys of a batch's report for processed files.
    private struct Line: Encodable {
        private let folder: String
        private let event: WatchEvent

        init(_ folder: String, _ event: WatchEvent) { (self.folder, self.event) = (folder, event) }

        private enum Key: String, CodingKey {
            case event, input, from, output, error, folders
        }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            switch event {
            case .began(let count):
                try object.encode("watching", forKey: .event)
                try object.encode(folder, forKey: .input)
                try object.encode(count, forKey: .folders)
            case .finished(let result):
                try object.encode(result.error == nil ? "finished" : "failed", forKey: .event)
                try JSONReport(result).encode(to: encoder)
            case .renamed(let former, let input, let output):
                try object.encode("renamed", forKey: .event)
                try object.encode(former.string, forKey: .from)
                try object.encode(input.string, forKey: .input)
                try object.encode(output.string, forKey: .output)
            case .removed(let input, let output):
                try object.encode("removed", forKey: .event)
                try object.encode(input.string, forKey: .input)
                try object.encode(output.string, forKey: .output)
            case .failed(let path, let error):
                try object.encode("failed", forKey: .event)
                try object.encode(path.string, forKey: .input)
                try object.encode(ErrorText.sentence(error), forKey: .error)
            }
        }
    }
}
