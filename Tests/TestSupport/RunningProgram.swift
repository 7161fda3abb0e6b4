public import Foundation
import PlatformLibc
import SystemPackage

/// A running program with its three standard streams.
///
/// Tests run many programs at once, on threads of tasks. Foundation's `Process` and `Pipe` do not support that: their
/// descriptors are inherited by programs that other threads start at the same time, so that one test waits for the
/// programs of another; and a program inherits the signal mask of the thread that starts it.
public final class RunningProgram {
    /// The result of a program.
    public struct Outcome {
        /// The exit status, or the negated number of the signal that ended the process.
        public var status: Int32
        public var output: [UInt8]
        public var errors: String

        public var text: String { String(decoding: output, as: UTF8.self) }
        public var lines: [String] { text.split(separator: "\n").map(String.init) }
        public var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    public enum Failure: Error {
        case system(String, Int32)
    }

    public let identifier: pid_t
    private let output: FileHandle
    private let errors: FileHandle
    /// Whether the process has been waited for.
    private var hasEnded = false

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - directory: its working directory; `nil` for that of the tests.
    ///   - input: the contents of its standard input.
    ///   - inputHandle: its standard input, instead of `input`; closed after the start.
    ///   - outputDescriptor: its standard output, instead of a pipe that is read here.
    ///   - environment: its environment variables; `nil` for those of the tests.
    public init(
        _ path: String, _ arguments: [String], in directory: String? = nil, input: [UInt8] = [],
        inputHandle: FileHandle? = nil, outputDescriptor: Int32? = nil, environment: [String: String]? = nil
    ) throws {
        let standardInput = try inputHandle ?? Self.unlinkedFile(holding: input)
        errors = try Self.unlinkedFile(holding: [])
        let pipe = try PrivatePipe()
        output = pipe.reading

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standardInput.fileDescriptor, 0)
        posix_spawn_file_actions_adddup2(&actions, outputDescriptor ?? pipe.writing.fileDescriptor, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.fileDescriptor, 2)

        // The thread may block signals, and tests in the background may ignore them; the program must receive them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (defaults, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&defaults)
        sigemptyset(&blocked)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
        var words = [path] + arguments
        if let directory {
            // The shell changes the directory and then executes the program.
            words = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", directory] + words
        }
        var argumentPointers = words.map { strdup($0) } + [nil]
        var variablePointers = variables.map { strdup($0) } + [nil]
        defer { for pointer in argumentPointers + variablePointers { free(pointer) } }
        var process = pid_t()
        let code = posix_spawn(&process, words[0], &actions, &attributes, &argumentPointers, &variablePointers)
        try pipe.writing.close()
        try standardInput.close()
        guard code == 0 else { throw Failure.system("posix_spawn \(path)", code) }
        identifier = process
    }

    /// Kills and reaps a process that is still running, as after a failed test.
    deinit {
        guard !hasEnded else { return }
        kill(identifier, SIGKILL)
        _ = try? end()
    }

    /// Blocks until the process has written a whole line; returns the rest of the output if it ends before.
    public func readLine() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Blocks until the process has written something.
    ///
    /// - Returns: the available output, up to 4,096 bytes; empty at the end.
    public func readSome() throws -> String {
        try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let count = read(output.fileDescriptor, buffer.baseAddress, buffer.count)
            guard count >= 0 else { throw Failure.system("read", errno) }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    /// Closes the reading end of the pipe, as a reader that has read enough does.
    public func stopReading() throws { try output.close() }

    public func send(_ signal: Int32) { kill(identifier, signal) }

    /// Whether the process has not exited.
    public var isRunning: Bool {
        var information = siginfo_t()
        // WNOWAIT leaves the exit status for `wait`.
        return waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == 0
    }

    /// Blocks until the process has ended, or until all its threads seem to wait: several looks find none that runs. If
    /// they do not wait yet, the test goes on too early, which does not make it fail.
    public func waitUntilItWaits() {
        var looks = 0
        while looks < 10, isRunning {
            usleep(10_000)
            looks = hasBegun && allThreadsWait ? looks + 1 : 0
        }
    }

    /// Polls until a condition holds.
    ///
    /// - Returns: whether it did within the time.
    public func waits(atMost limit: Duration, until condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + limit
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            usleep(5000)
        }
        return true
    }

    /// Whether the process handles SIGTERM. `true` on systems that do not tell.
    private var hasBegun: Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8) else {
            return true
        }
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        guard let mask = line?.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) }) else { return true }
        return mask & 1 << UInt64(SIGTERM - 1) != 0
    }

    private var allThreadsWait: Bool {
        let folder = "/proc/\(identifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.allSatisfy { thread in
            let status = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
            // The state follows the name, which is in parentheses.
            guard let status, let end = status.lastIndex(of: ")") else { return true }
            return !status[end...].hasPrefix(") R")
        }
    }

    /// The files that the process has open, as Linux reports them; empty on other systems.
    public var openFiles: [String] {
        let folder = "/proc/\(identifier)/fd"
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }

    /// The number of bytes that the process has read and written, as Linux counts them, until it has been waited for.
    ///
    /// Tells the progress of a program without a clock. `nil` on other systems.
    public var transferredByteCount: Int? {
        guard let counts = try? String(contentsOfFile: "/proc/\(identifier)/io", encoding: .utf8) else { return nil }
        return counts.split(separator: "\n").reduce(0) { sum, line in
            let field = line.split(separator: " ")
            guard field.count == 2, ["rchar:", "wchar:"].contains(field[0]) else { return sum }
            return sum + (Int(field[1]) ?? 0)
        }
    }

    /// The number of bytes in the pipe that have not been read.
    public var unreadCount: Int {
        var count: Int32 = 0
        return ioctl(output.fileDescriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Blocks until the process has ended. Must be called at most once.
    public func wait(reading: Bool = true) throws -> Outcome {
        let rest = reading ? try output.readToEnd() : nil
        let status = try end()
        try errors.seek(toOffset: 0)
        let said = try errors.readToEnd() ?? Data()
        // The encoding of <sys/wait.h>.
        let signal = status & 0x7F
        return Outcome(
            status: signal == 0 ? status >> 8 & 0xFF : -signal, output: [UInt8](rest ?? Data()),
            errors: String(decoding: said, as: UTF8.self))
    }

    private func end() throws -> Int32 {
        hasEnded = true
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) == -1 {
            guard errno == EINTR else { throw Failure.system("waitpid", errno) }
        }
        return status
    }

    /// Returns an unlinked file with the given contents, positioned at its start.
    private static func unlinkedFile(holding bytes: [UInt8]) throws -> FileHandle {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/texel-stream-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Failure.system("mkstemp", errno) }
        unlink(template)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(bytes))
        try handle.seek(toOffset: 0)
        return handle
    }
}

/// A pipe whose descriptors are not inherited by programs that other threads start at the same time.
public struct PrivatePipe {
    public let reading: FileHandle
    public let writing: FileHandle

    public init() throws {
        #if os(Linux)
            let ends = try FileDescriptor.pipe(options: .closeOnExec)
        #else
            // Other systems cannot do both atomically.
            let ends = try FileDescriptor.pipe()
            for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
        #endif
        reading = FileHandle(fileDescriptor: ends.readEnd.rawValue, closeOnDealloc: true)
        writing = FileHandle(fileDescriptor: ends.writeEnd.rawValue, closeOnDealloc: true)
    }
}
