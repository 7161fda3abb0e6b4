import CIsolation
import Synchronization
public import SystemPackage
import TexelCodecs
import TexelPixels

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Children that read pictures in the place of this process, and have no privileges: whatever a file makes of a decoder
/// happens there, and is an error of that file.
///
///     @main enum Server {
///         static func main() async {
///             Isolation.serveIfAsked()
///             let workers = WorkerPool(width: 4, byteBudget: 1 << 30, isolation: Isolation())
///
/// A child is this program once more. It gets the bytes of a picture and a recipe, and gives back the bytes of the
/// result; it cannot open a file, a connection or a process, and its memory and processor time have an end. Children
/// are used again, so that a picture does not wait for one to start. Headers, pixels, colour profiles: everything of a
/// picture is read there; this process only plans.
///
/// Linux only: elsewhere every picture fails with ``IsolationError/unavailable``.
public final class Isolation: Sendable {
    public struct Configuration: Sendable {
        /// The program that calls ``Isolation/serveIfAsked()`` first of all; by default this one.
        public var program = FilePath("/proc/self/exe")
        /// Bytes of a child's address space.
        public var memoryBytes = 4 << 30
        /// Of a child for one picture, in whole seconds.
        public var processorTime = Duration.seconds(120)
        /// After how many requests a child is replaced: a picture that took one over does not stay for long.
        public var requestsPerChild = 1000

        public init() {}
    }

    private let configuration: Configuration
    private let idle: Mutex<[ChildProcess]>
    private let started = Atomic(0)

    public convenience init(_ configuration: Configuration = Configuration()) { self.init(configuration, idle: []) }

    /// - Parameter idle: children that wait for a request already.
    init(_ configuration: Configuration, idle: [ChildProcess]) {
        self.configuration = configuration
        self.idle = Mutex(idle)
    }

    /// How many children have been started.
    public var startedCount: Int { started.load(ordering: .relaxed) }

    /// Children that wait for a request.
    var idleProcesses: [pid_t] { idle.withLock { $0.map(\.process) } }

    // MARK: The child

    /// The arguments of a child: this, its memory in bytes, and the seconds for a picture.
    private static let childArgument = "texel-isolated-child"

    /// Works as a child, and never returns, where this process was started as one. To be called before anything else:
    /// what a program has opened or begun before would be there in each child.
    public static func serveIfAsked() {
        #if os(Linux)
            let arguments = CommandLine.arguments
            guard arguments.count == 4, arguments[1] == childArgument, let memory = UInt64(arguments[2]),
                let seconds = UInt64(arguments[3])
            else { return }
            IsolatedWorker.run(memoryBytes: memory, processorSeconds: seconds)
        #endif
    }

    /// Of what confines children; `nil` where nothing can.
    static var libraryVersion: String? {
        #if os(Linux)
            var version: [CUnsignedInt] = [0, 0, 0]
            texel_seccomp_version(&version)
            return version.map { "\($0)" }.joined(separator: ".")
        #else
            return nil
        #endif
    }

    // MARK: Requests

    /// Lets a child read the header of a picture.
    ///
    /// - Returns: what a source here knows of it, and the bytes for further requests.
    func open(
        _ bytes: InputBytes, _ limits: Limits, _ stop: StopToken
    ) throws(PipelineError) -> (ImageSource, IsolatedInput) {
        if bytes.count > limits.inputBytes {
            throw .codec(.limitExceeded(.inputBytes, value: bytes.count, allowed: limits.inputBytes))
        }
        let input: IsolatedInput
        do throws(IsolationError) { input = try IsolatedInput(bytes, self) } catch { throw .isolation(error) }
        return try withChild(stop) { child throws(PipelineError) in
            switch try child.reply(to: .header(limits: limits), about: input, stop) {
            case .header(let info):
                guard info.isPlausible(within: limits) else { throw .isolation(.brokenOff) }
                return (ImageSource(elsewhere: info, byteCount: input.byteCount), input)
            case .failed(let failure): throw failure.error
            case .ready, .results: throw .isolation(.brokenOff)
            }
        }
    }

    /// Lets a child carry out recipes on a picture.
    ///
    /// - Parameter read: makes a result of its number, of what the child said of it, and of its bytes.
    /// - Returns: a result for each order.
    func carryOut<Output>(
        _ work: IsolatedWork, on input: IsolatedInput, _ stop: StopToken,
        read: (Int, IsolatedReply.Outcome, inout ChildResults) throws(PipelineError) -> Output
    ) throws(PipelineError) -> [Result<Output, PipelineError>] {
        try withChild(stop) { child throws(PipelineError) in
            switch try child.reply(to: .work(work), about: input, stop) {
            case .results(let outcomes):
                guard outcomes.count == work.orders.count else { throw .isolation(.brokenOff) }
                return try child.withResults { results throws(PipelineError) in
                    outcomes.enumerated().map { index, outcome in
                        Result { () throws(PipelineError) in
                            if case .failed(let failure) = outcome { throw failure.error }
                            return try read(index, outcome, &results)
                        }
                    }
                }
            case .failed(let failure): throw failure.error
            case .ready, .header: throw .isolation(.brokenOff)
            }
        }
    }

    /// Runs `body` with a child that nobody else has. One that fails itself is not used again.
    ///
    /// What became of a child before must not be a fault of this picture: where one that has been used before ends, a
    /// new one is asked.
    private func withChild<Value>(
        _ stop: StopToken, _ body: (ChildProcess) throws(PipelineError) -> Value
    ) throws(PipelineError) -> Value {
        if let child = idleChild() {
            do throws(PipelineError) {
                return try run(child, body)
            } catch {
                guard case .isolation(.ended) = error else { throw error }
            }
        }
        return try run(try newChild(stop), body)
    }

    private func run<Value>(
        _ child: ChildProcess, _ body: (ChildProcess) throws(PipelineError) -> Value
    ) throws(PipelineError) -> Value {
        defer {
            if child.isUsable, child.requestCount < configuration.requestsPerChild {
                idle.withLock { $0.append(child) }
            }
        }
        return try body(child)
    }

    private func idleChild() -> ChildProcess? {
        while let child = idle.withLock({ $0.popLast() }) {
            if !child.hasHungUp { return child }
        }
        return nil
    }

    private func newChild(_ stop: StopToken) throws(PipelineError) -> ChildProcess {
        let seconds = max(1, configuration.processorTime.components.seconds)
        let child = try ChildProcess(
            configuration.program,
            arguments: [Self.childArgument, String(configuration.memoryBytes), String(seconds)],
            processorTime: configuration.processorTime, stop: stop)
        started.add(1, ordering: .relaxed)
        return child
    }
}
