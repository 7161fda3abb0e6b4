import Dispatch
import Foundation
import PlatformLibc
import Synchronization
import TestSupport
import Testing

/// A running `texel worker` that a test communicates with.
final class WorkerProcess {
    let process: RunningProgram
    private let jobs: FileHandle

    init(_ arguments: String..., in workspace: Workspace) throws {
        // The worker may have exited when it is written to.
        BrokenPipes.areErrors()
        let pipe = try PrivatePipe()
        jobs = pipe.writing
        process = try RunningProgram(
            ["worker"] + arguments, in: workspace.directory.path, inputHandle: pipe.reading)
    }

    func send(_ job: JobObject) throws { try jobs.write(contentsOf: Data((job.line + "\n").utf8)) }

    /// Sends jobs repeatedly until the worker exits.
    func send(endlessly jobs: [JobObject]) -> EndlessSender {
        EndlessSender(
            fcntl(self.jobs.fileDescriptor, F_DUPFD_CLOEXEC, 0), Array(jobs.map { $0.line + "\n" }.joined().utf8))
    }

    func result() throws -> WorkerObject { try WorkerObject(try process.readLine()) }

    /// Closes the input, and waits for the worker to exit.
    func end() throws -> RunningProgram.Outcome {
        try jobs.close()
        return try process.wait()
    }
}

/// A thread that writes to a pipe until its reader is closed.
final class EndlessSender: Sendable {
    private let count = Mutex(0)
    private let end = DispatchSemaphore(value: 0)

    fileprivate init(_ descriptor: Int32, _ lines: [UInt8]) {
        Thread.detachNewThread { [self] in
            var total = 0
            while true {
                // A write may be partial if the pipe is almost full.
                let written = lines.withUnsafeBytes { bytes in
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[(total % bytes.count)...])
                    return write(descriptor, rest.baseAddress, rest.count)
                }
                if written <= 0 { break }
                total += written
            }
            close(descriptor)
            count.withLock { $0 = total }
            end.signal()
        }
    }

    /// Waits until the reader is closed.
    ///
    /// - Returns: the number of bytes written into the pipe.
    func wait() -> Int {
        end.wait()
        return count.withLock { $0 }
    }
}

/// A job as written by a test.
struct JobObject: ExpressibleByDictionaryLiteral {
    let fields: [(String, Any)]

    init(dictionaryLiteral elements: (String, Any)...) { fields = elements }
    init(_ fields: [(String, Any)]) { self.fields = fields }

    var line: String {
        let object = Dictionary(fields) { $1 }
        let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// One line of a worker's output.
struct WorkerObject: Decodable {
    var id: String?
    var number: Int?
    var line: Int
    var code: Int32
    var status: String
    var error: String?
    var input: String?
    var output: String?
    var inputBytes: Int?
    var outputBytes: Int?
    var width: Int?
    var format: String?
    var psnr: Double?
    var warnings: [String]?

    private enum CodingKeys: String, CodingKey {
        case id, line, code, status, error, input, output, inputBytes, outputBytes, width, format, psnr, warnings
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        id = try? object.decode(String.self, forKey: .id)
        number = try? object.decode(Int.self, forKey: .id)
        line = try object.decode(Int.self, forKey: .line)
        code = try object.decode(Int32.self, forKey: .code)
        status = try object.decode(String.self, forKey: .status)
        error = try object.decodeIfPresent(String.self, forKey: .error)
        input = try object.decodeIfPresent(String.self, forKey: .input)
        output = try object.decodeIfPresent(String.self, forKey: .output)
        inputBytes = try object.decodeIfPresent(Int.self, forKey: .inputBytes)
        outputBytes = try object.decodeIfPresent(Int.self, forKey: .outputBytes)
        width = try object.decodeIfPresent(Int.self, forKey: .width)
        format = try object.decodeIfPresent(String.self, forKey: .format)
        psnr = try object.decodeIfPresent(Double.self, forKey: .psnr)
        warnings = try object.decodeIfPresent([String].self, forKey: .warnings)
    }

    init(_ line: String) throws { self = try JSONDecoder().decode(WorkerObject.self, from: Data(line.utf8)) }

    static func all(in outcome: RunningProgram.Outcome) throws -> [WorkerObject] {
        try outcome.lines.map { try WorkerObject($0) }
    }
}

extension Workspace {
    /// Runs a worker with the given lines.
    func work(_ lines: [String], _ arguments: String...) throws -> (RunningProgram.Outcome, [WorkerObject]) {
        let outcome = try run(["worker"] + arguments, input: Array(lines.joined(separator: "\n").utf8))
        return (outcome, try WorkerObject.all(in: outcome))
    }

    func work(_ jobs: JobObject..., arguments: String...) throws -> [WorkerObject] {
        let outcome = try run(
            ["worker"] + arguments, input: Array(jobs.map { $0.line + "\n" }.joined().utf8))
        #expect(outcome.errors == "")
        return try WorkerObject.all(in: outcome)
    }
}
