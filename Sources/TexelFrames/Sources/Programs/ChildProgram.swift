import TexelCodecs
import Subprocess
import SystemPackage

/// Another program while it writes into a pipe for us.
///
/// It ends with this object at the latest: it is asked to (SIGTERM), then made to (SIGKILL), with all it has started,
/// and waited for, so that nothing of it stays. A task looks after it, so whoever waits here must leave Swift's pool of
/// threads something to run tasks with.
final class ChildProgram: Sendable {
    let name: String
    private let outcome: Monitor<Outcome?>
    private let task: Task<Void, Never>

    enum Outcome: Sendable, Equatable {
        case success
        case failure(String)
    }

    /// How long the program may take to end once it was asked to.
    private static let patience = Duration.milliseconds(500)

    /// Starts a program.
    ///
    /// - Returns: it and the end of the pipe to read its output from, which is the caller's.
    /// - Throws: `cannotRead` where there is no pipe. A program that cannot be started is one that fails.
    static func start(
        _ path: FilePath, _ arguments: [String]
    ) throws(FrameError) -> (program: ChildProgram, output: FileDescriptor) {
        do {
            let (reading, writing) = try FileDescriptor.privatePipe()
            return (ChildProgram(path, arguments, writing), reading)
        } catch {
            throw .cannotRead(error as? Errno ?? .ioError)
        }
    }

    private init(_ path: FilePath, _ arguments: [String], _ writing: FileDescriptor) {
        name = path.lastComponent?.string ?? path.string
        let outcome = Monitor<Outcome?>(nil)
        self.outcome = outcome
        task = Task.detached(priority: .userInitiated) {
            let result = await Self.run(path, arguments, writing)
            outcome.update { $0 = result }
        }
    }

    deinit { end() }

    /// How it ended; `nil` when it does not within this time.
    func wait(atMost duration: Duration) -> Outcome? { outcome.wait(atMost: duration) { $0 } }

    /// Ends it where it runs still.
    func end() {
        task.cancel()
        // Twice the patience is enough, unless the task has to wait for others.
        _ = wait(atMost: Self.patience * 20)
    }

    private static func run(_ path: FilePath, _ arguments: [String], _ writing: FileDescriptor) async -> Outcome {
        var options = PlatformOptions()
        // A group of its own: what it starts ends with it, and a terminal's interrupt is for us to pass on.
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: patience)
        ]
        var isOpen = true
        defer { if isOpen { try? writing.close() } }
        do {
            let result = try await Subprocess.run(
                .path(path), arguments: Arguments(arguments), platformOptions: options, input: .none,
                output: .fileDescriptor(writing, closeAfterSpawningProcess: false), error: .sequence
            ) { execution in
                // Only the program writes now, so its end is the end of its output.
                try? writing.close()
                isOpen = false
                return await LastLine(of: execution.standardError)
            }
            switch result.terminationStatus {
            case .exited(0): return .success
            case .exited(let status): return .failure(result.closureResult.text ?? "it ended with status \(status)")
            case .signaled(let signal): return .failure(result.closureResult.text ?? "signal \(signal) ended it")
            }
        } catch {
            return .failure("it cannot be started: \(error)")
        }
    }
}

/// The last line that a program writes to its error output.
private struct LastLine {
    private(set) var text: String?

    /// Reads to the end.
    init(of output: SubprocessOutputSequence) async {
        var bytes: [UInt8] = []
        // What was read before an error is what there is to say.
        do {
            for try await part in output {
                part.withUnsafeBytes { bytes.append(contentsOf: $0) }
                bytes.removeFirst(max(0, bytes.count - 4096))
            }
        } catch {}
        let line = bytes.split { $0 == 10 || $0 == 13 }.last { $0.contains { $0 > 32 } }
        text = line.map { line in
            String(String(decoding: line, as: UTF8.self).unicodeScalars.filter { $0.value >= 32 && $0.value != 127 })
        }
    }
}
