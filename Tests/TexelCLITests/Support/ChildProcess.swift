import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The built `texel` at work, with its three streams.
final class ChildProcess {
    /// How it ended and what it said.
    struct Outcome {
        /// The exit code; of a process that a signal ended, its number, negative.
        var status: Int32
        var output: [UInt8]
        var errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
        var lines: [String] { text.split(separator: "\n").map(String.init) }
        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    enum Failure: Error {
        case system(String, Int32)
    }

    /// The program lies beside the test bundle.
    static let program: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("texel").path
    }()

    private let process: pid_t
    private let output: FileHandle
    private let errors: FileHandle

    /// - Parameters:
    ///   - directory: where the process works.
    ///   - input: what it finds on standard input.
    ///   - inputHandle: its standard input instead; closed here.
    ///   - environment: added to this process's own.
    ///   - program: which is run.
    init(
        _ arguments: [String], in directory: String, input: [UInt8] = [], inputHandle: FileHandle? = nil,
        environment: [String: String] = [:], program: String = program
    ) throws {
        let standardInput = try inputHandle ?? Self.unlinkedFile(holding: input)
        errors = try Self.unlinkedFile(holding: [])
        let pipe = Pipe()
        output = pipe.fileHandleForReading
        // The reading end must not stay open in the child: it would never learn that its reader went away.
        for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standardInput.fileDescriptor, 0)
        posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.fileDescriptor, 2)

        // A test run in the background may ignore signals; its children must not.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        // The shell changes the directory and becomes the program.
        let change = ["sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", directory]
        var argumentPointers = (change + [program] + arguments).map { strdup($0) } + [nil]
        var variablePointers = variables.map { strdup($0) } + [nil]
        defer { for pointer in argumentPointers + variablePointers { free(pointer) } }
        var process = pid_t()
        let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, &argumentPointers, &variablePointers)
        try pipe.fileHandleForWriting.close()
        try standardInput.close()
        guard code == 0 else { throw Failure.system("posix_spawn \(program)", code) }
        self.process = process
    }

    /// Blocks until the process has written a whole line; empty when it ends before.
    func readLine() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Goes away as a reader does that has seen enough.
    func stopReading() throws { try output.close() }

    var identifier: pid_t { process }

    func send(_ signal: Int32) { kill(process, signal) }

    /// What it has open, as Linux tells it; nothing elsewhere.
    var openFiles: [String] {
        let folder = "/proc/\(process)/fd"
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }

    /// How many bytes it has written that nobody has read.
    var unreadCount: Int {
        var count: Int32 = 0
        return ioctl(output.fileDescriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Blocks until the process has ended.
    func wait(reading: Bool = true) throws -> Outcome {
        let rest = reading ? try output.readToEnd() : nil
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 {
            guard errno == EINTR else { throw Failure.system("waitpid", errno) }
        }
        try errors.seek(toOffset: 0)
        let said = try errors.readToEnd() ?? Data()
        let signal = status & 0x7F
        return Outcome(
            status: signal == 0 ? status >> 8 & 0xFF : -signal, output: [UInt8](rest ?? Data()),
            errors: String(decoding: said, as: UTF8.self))
    }

    /// A file without a name, at its beginning.
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
