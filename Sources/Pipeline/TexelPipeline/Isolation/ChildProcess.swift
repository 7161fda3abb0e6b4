import CIsolation
import PlatformLibc
import Synchronization
import SystemPackage
import TexelCodecs
import TexelCore
import TexelOperations

/// A child process, which is killed when this object is deinitialised. Must be used by one thread at a time.
final class ChildProcess: Sendable {
    let process: pid_t
    /// The formats whose libraries it has loaded.
    let formats: Set<ImageFormat>
    private let channel: MessageChannel
    private let output: FileDescriptor
    private let processorTime: Duration

    private struct State {
        var requestCount = 0
        /// Whether the child waits for a request.
        var isUsable = true
        /// Whether `waitpid` has returned its status.
        var hasEnded = false
    }

    private let state = Mutex(State())

    var isUsable: Bool { state.withLock { $0.isUsable } }
    var requestCount: Int { state.withLock { $0.requestCount } }

    #if os(Linux)
        /// Starts a child, and waits until it has given up its privileges.
        ///
        /// - Parameter patience: how long to wait for that; another program might never answer.
        /// - Throws: errors of the child, `stopped`.
        init(
            _ program: FilePath, arguments: [String], formats: Set<ImageFormat> = [], processorTime: Duration,
            stop: StopToken = StopToken(), patience: Duration = .seconds(60)
        ) throws(TexelError) {
            self.formats = formats
            self.processorTime = processorTime
            var (own, its): (CInt, CInt) = (-1, -1)
            let code = texel_socket_pair(&own, &its)
            guard code == 0 else { throw .childNotStarted(Errno(rawValue: code)) }
            channel = MessageChannel(socket: FileDescriptor(rawValue: own))
            let itsSocket = FileDescriptor(rawValue: its)
            let memory = texel_shared_memory()
            guard memory >= 0 else {
                let reason = Errno(rawValue: errno)
                try? itsSocket.close()
                try? channel.socket.close()
                throw .childNotStarted(reason)
            }
            output = FileDescriptor(rawValue: memory)
            do throws(Errno) {
                // Closed in this process before waiting, so that the connection ends with the child.
                defer { try? itsSocket.close() }
                process = try Self.start(program, arguments, itsSocket, output)
            } catch {
                try? channel.socket.close()
                try? output.close()
                throw .childNotStarted(error)
            }
            RunningChildren.add(process)
            let deadline = ContinuousClock.now + patience
            do {
                let word = try channel.receive(IsolatedReply.self) { try waitForAnswer(stop, until: deadline) }
                try? word?.descriptor?.close()
                guard case .ready = word?.message else { throw MessageError() }
            } catch let error as TexelError {
                end()
                throw error
            } catch {
                end()
                throw .notAChildProgram(program)
            }
        }
    #else
        init(
            _ program: FilePath, arguments: [String], formats: Set<ImageFormat>, processorTime: Duration,
            stop: StopToken
        ) throws(TexelError) {
            throw .isolationUnavailable
        }
    #endif

    deinit {
        end()
        try? channel.socket.close()
        try? output.close()
    }

    /// Whether the child ended while it was idle, which is not the fault of an image.
    var hasHungUp: Bool {
        var question = pollfd(fd: channel.socket.rawValue, events: 0, revents: 0)
        return poll(&question, 1, 0) > 0
    }

    /// Kills the child if it still runs.
    ///
    /// - Returns: its status as returned by `waitpid`; `nil` if it was ended before.
    @discardableResult private func end() -> CInt? {
        state.withLock { state in
            state.isUsable = false
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            kill(process, SIGKILL)
            RunningChildren.remove(process)
            var status: CInt = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status
        }
    }

    #if os(Linux)
        // MARK: Starting

        private static func start(
            _ program: FilePath, _ arguments: [String], _ socket: FileDescriptor, _ output: FileDescriptor
        ) throws(Errno) -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            // Duplicate both to unused numbers first: one of them may already have the number that the other one
            // needs.
            let places = [(socket, IsolatedWorker.socketNumber), (output, IsolatedWorker.outputNumber)]
            let between = (5...8 as ClosedRange<CInt>).filter { $0 != socket.rawValue && $0 != output.rawValue }
            for (place, number) in zip(places, between) {
                posix_spawn_file_actions_adddup2(&actions, place.0.rawValue, number)
            }
            for number in 0...2 as ClosedRange<CInt> {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
            for (place, number) in zip(places, between) {
                posix_spawn_file_actions_adddup2(&actions, number, place.1)
            }
            return try withStrings([program.string] + arguments) { arguments throws(Errno) in
                try withStrings(environment) { environment throws(Errno) in
                    var process: pid_t = 0
                    let code = posix_spawn(&process, program.string, &actions, nil, arguments, environment)
                    guard code == 0 else { throw Errno(rawValue: code) }
                    return process
                }
            }
        }

        /// The variables passed to a child: CPU level, library path and sanitizer options, no secrets. The Swift
        /// runtime's crash reports need system calls that a child may not make.
        private static var environment: [String] {
            let passed = ["LD_LIBRARY_PATH", "TEXEL_CPU", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"]
            let values = passed.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
            return values + ["SWIFT_BACKTRACE=enable=no"]
        }

        private static func withStrings<Value>(
            _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws(Errno) -> Value
        ) throws(Errno) -> Value {
            let copies = strings.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            return try body(copies + [nil])
        }

        // MARK: Requests

        /// Sends a request and waits for the reply. If `stop` is set meanwhile, the child is killed.
        ///
        /// - Parameter report: called with the index of an order and its progress.
        func reply(
            to request: IsolatedRequest, about input: IsolatedInput, _ stop: StopToken,
            report: (Int, RowProgress) -> Void = { _, _ in }
        ) throws(TexelError) -> IsolatedReply {
            try reply(to: request, passing: input.descriptor, stop, report: report)
        }

        /// Sends a request with a descriptor, and waits for the reply.
        func reply(
            to request: IsolatedRequest, passing descriptor: FileDescriptor?, _ stop: StopToken,
            report: (Int, RowProgress) -> Void = { _, _ in }
        ) throws(TexelError) -> IsolatedReply {
            state.withLock {
                $0.requestCount += 1
                // Until it has replied.
                $0.isUsable = false
            }
            do {
                try channel.send(request, descriptor: descriptor)
                while true {
                    // Waits before every read: a compromised child may send part of a reply and then stop.
                    let answer = try channel.receive(IsolatedReply.self) { try waitForAnswer(stop) }
                    guard let (reply, descriptor) = answer else { throw MessageError() }
                    try? descriptor?.close()
                    if case .progress(let index, let rowsDone, let rowCount) = reply {
                        guard rowsDone >= 0, rowsDone <= rowCount else { throw MessageError() }
                        report(index, RowProgress(rowsDone: rowsDone, rowCount: rowCount))
                        continue
                    }
                    state.withLock { $0.isUsable = true }
                    return reply
                }
            } catch let error as TexelError {
                end()
                throw error
            } catch {
                throw reasonOfEnd()
            }
        }

        private func waitForAnswer(_ stop: StopToken, until deadline: ContinuousClock.Instant? = nil) throws {
            var question = pollfd(fd: channel.socket.rawValue, events: Int16(POLLIN), revents: 0)
            // Loops on timeouts and signals.
            while case let count = poll(&question, 1, 20), count == 0 || (count < 0 && errno == EINTR) {
                if let reason = stop.reason { throw TexelError.stopped(reason) }
                if let deadline, ContinuousClock.now >= deadline { throw MessageError() }
            }
        }

        /// Determines why a child did not reply, and ends it.
        private func reasonOfEnd() -> TexelError {
            // A well-behaved child closes its socket only by ending, so its status is final by then.
            guard hasHungUp, let status = end() else {
                end()
                return .invalidReply
            }
            let signal = status & 0x7F
            switch signal {
            case 0: return .invalidReply
            case SIGSYS: return .forbiddenSystemCall
            case SIGXCPU: return .childTimedOut(after: processorTime)
            default: return .childEnded(signal: signal)
            }
        }

        // MARK: Results

        /// Calls `body` with the results of the last reply, and frees their memory afterwards.
        func withResults<Value>(
            _ body: (inout ChildResults) throws(TexelError) -> Value
        ) throws(TexelError) -> Value {
            defer { _ = ftruncate(output.rawValue, 0) }
            guard let byteCount = try? Int(output.seek(offset: 0, from: .end)) else { throw .invalidReply }
            var results = ChildResults(memory: output, byteCount: byteCount)
            return try body(&results)
        }
    #endif
}

/// Reads results from memory that is shared with a child. The sizes that the child reports are not trusted.
struct ChildResults {
    fileprivate let memory: FileDescriptor
    fileprivate let byteCount: Int
    private var position = 0

    fileprivate init(memory: FileDescriptor, byteCount: Int) {
        self.memory = memory
        self.byteCount = byteCount
    }

    /// Checks that `count` bytes are left, before memory is allocated for them.
    ///
    /// - Throws: `invalidReply`.
    func check(_ count: Int) throws(TexelError) {
        guard count >= 0, count <= byteCount - position else { throw .invalidReply }
    }

    /// Reads the next bytes into the whole of `target`.
    mutating func read(into target: UnsafeMutableRawBufferPointer) throws(TexelError) {
        try check(target.count)
        var done = 0
        while done < target.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
            guard let step = try? memory.read(fromAbsoluteOffset: Int64(position + done), into: rest), step > 0 else {
                throw .invalidReply
            }
            done += step
        }
        position += done
    }
}
