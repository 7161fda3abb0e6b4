import PlatformLibc
import Subprocess
import SystemPackage
import TexelCodecs
import TexelPipeline
import TexelPixels

/// A child process that writes to a pipe.
///
/// It ends at the latest when this object is released: its process group receives SIGTERM, then SIGKILL after
/// `patience`, and is waited for. A task supervises the process, so do not call ``wait(atMost:)`` on a thread of
/// Swift's cooperative pool, which the task may need.
final class ChildProgram: Sendable {
    let name: String
    private let outcome: Monitor<Outcome?>
    private let task: Task<Void, Never>

    enum Outcome: Sendable, Equatable {
        case success
        case failure(String)
    }

    /// How long the process may run on after SIGTERM.
    private static let patience = Duration.milliseconds(500)

    /// Starts a program.
    ///
    /// - Returns: The process, and the reading end of its output pipe, which the caller owns.
    /// - Throws: `cannotRead` if the pipe cannot be created. A program that cannot be started is reported as a failed
    ///   one.
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

    /// Waits for the process; `nil` if it is still running after `duration`.
    func wait(atMost duration: Duration) -> Outcome? { outcome.wait(atMost: duration) { $0 } }

    /// Ends the process if it is still running.
    func end() {
        task.cancel()
        // Ending takes up to `patience`; the longer limit allows for a busy thread pool.
        _ = wait(atMost: Self.patience * 20)
    }

    private static func run(_ path: FilePath, _ arguments: [String], _ writing: FileDescriptor) async -> Outcome {
        var options = PlatformOptions()
        // A process group of its own, so that its children end with it, and a Ctrl-C reaches only this process, which
        // ends the group in order.
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: patience)
        ]
        var isOpen = true
        // The negative ID of the process group.
        var group: pid_t = 0
        defer {
            if isOpen { try? writing.close() }
            RunningChildren.remove(group)
        }
        do {
            let result = try await Subprocess.run(
                .path(path), arguments: Arguments(arguments), platformOptions: options, input: .none,
                output: .fileDescriptor(writing, closeAfterSpawningProcess: false), error: .sequence
            ) { execution in
                group = -execution.processIdentifier.value
                RunningChildren.add(group)
                // Close this process's copy of the writing end, so that the reader sees the end of the program's
                // output.
                try? writing.close()
                isOpen = false
                return await LastLine(of: execution.standardError)
            }
            switch result.terminationStatus {
            case .exited(0): return .success
            case .exited(let status): return .failure(result.closureResult.text ?? "exit status \(status)")
            case .signaled(let signal): return .failure(result.closureResult.text ?? "terminated by signal \(signal)")
            }
        } catch {
            return .failure("cannot start the program: \(error)")
        }
    }
}

/// The last line that a program writes to standard error.
private struct LastLine {
    private(set) var text: String?

    /// Reads the output to its end.
    init(of output: SubprocessOutputSequence) async {
        var bytes: [UInt8] = []
        // After a read error, use the lines read so far.
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
