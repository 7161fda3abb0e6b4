import CIsolation
import PlatformLibc
import Synchronization
public import SystemPackage
import TexelCodecs
import TexelCore
import TexelFormats
import TexelPixels

/// Decodes images in child processes without privileges, so that a fault in a decoder is an error of one image only.
///
///     @main enum Server {
///         static func main() async {
///             Isolation.serveIfAsked()
///             let workers = WorkerPool(width: 4, byteBudget: 1 << 30, isolation: Isolation())
///
/// A child is a second process of the same program. It receives an image's bytes and a recipe, and returns the bytes
/// of the result. It cannot open files or connections or start processes, and its memory and processor time are
/// limited. Children are reused, so that an image need not wait for one to start. Everything in an image, including
/// headers and colour profiles, is parsed in a child; this process only plans. ``Scope/riskyFormats`` makes an
/// exception for formats that need no isolation, and for headers.
///
/// Linux only; elsewhere every image fails with an error of the kind `isolationUnavailable`.
public final class Isolation: Sendable {
    /// Which images are decoded in child processes.
    public enum Scope: Sendable, Hashable {
        /// All images. Children also parse their headers.
        case everyImage
        /// Images of the formats that C libraries decode which are younger or larger than those of PNG and JPEG
        /// (`CodecCapabilities.prefersIsolation`). Texel itself parses all headers, in this process.
        case riskyFormats
    }

    /// The scope and the limits of child processes.
    public struct Configuration: Sendable {
        /// Which images are decoded in child processes.
        public var scope = Scope.everyImage
        /// The program to start, which must call ``Isolation/serveIfAsked()`` first; by default this program.
        public var program = FilePath("/proc/self/exe")
        /// The limit of a child's address space in bytes.
        public var memoryBytes = 4 << 30
        /// The limit of a child's processor time for one request, in whole seconds.
        public var processorTime = Duration.seconds(120)
        /// The number of requests after which a child is replaced. It bounds how long a compromised child can be in
        /// use.
        public var requestsPerChild = 1000

        /// Makes the default configuration.
        public init() {}
    }

    private let configuration: Configuration
    private let idle: Mutex<[ChildProcess]>
    private let started = Atomic(0)

    /// Makes an isolation without children; they are started as they are needed.
    public convenience init(_ configuration: Configuration = Configuration()) { self.init(configuration, idle: []) }

    /// - Parameter idle: children that are ready for a request.
    init(_ configuration: Configuration, idle: [ChildProcess]) {
        self.configuration = configuration
        self.idle = Mutex(idle)
    }

    /// How many children have been started.
    public var startedCount: Int { started.load(ordering: .relaxed) }

    /// The children that are ready for a request.
    var idleProcesses: [pid_t] { idle.withLock { $0.map(\.process) } }

    /// Whether this system can isolate processes.
    public static var isAvailable: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    // MARK: The child

    /// The first argument of a child; the limits of memory in bytes and of processor time in seconds follow, and the
    /// formats whose libraries it loads.
    private static let childArgument = "texel-isolated-child"

    /// Works as a child and never returns, if this process was started as one; otherwise returns at once. Must be
    /// called first in `main`, because anything that a program opens or starts before would also be in every child.
    public static func serveIfAsked() {
        #if os(Linux)
            let arguments = CommandLine.arguments
            guard arguments.count >= 4, arguments[1] == childArgument, let memory = UInt64(arguments[2]),
                let seconds = UInt64(arguments[3])
            else { return }
            let formats = Set(arguments.dropFirst(4).map { ImageFormat(rawValue: $0) })
            IsolatedWorker.run(memoryBytes: memory, processorSeconds: seconds, formats: formats)
        #endif
    }

    /// The version of libseccomp; `nil` if processes cannot be confined on this system.
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

    /// Whether children parse the headers of all images.
    package var parsesHeaders: Bool { configuration.scope == .everyImage }

    /// Whether children parse the header of a file.
    ///
    /// - Parameter head: its first 64 bytes, or all if it has fewer.
    package func parsesHeader(of head: some Collection<UInt8>) -> Bool {
        parsesHeaders || (try? ImageFormat(sniffing: head))?.capabilities.prefersIsolatedHeaders == true
    }

    /// Returns the opened file as one that children decode, if they decode its format.
    func isolating(_ file: any ImageFile) throws(TexelError) -> any ImageFile {
        guard parsesHeaders || file.info.format.capabilities.prefersIsolation else { return file }
        return IsolatedFile(file, try input(file.bytes))
    }

    /// Opens a file whose header is parsed in a child.
    func open(_ bytes: InputBytes, _ limits: Limits, _ stop: StopToken) throws(TexelError) -> IsolatedFile {
        if bytes.count > limits.inputBytes {
            throw .limitExceeded(.inputBytes, value: bytes.count, allowed: limits.inputBytes)
        }
        return try open(try input(bytes), page: nil, limits, stop)
    }

    private func input(_ bytes: InputBytes) throws(TexelError) -> IsolatedInput {
        return try IsolatedInput(bytes, self)
    }

    /// Opens an input, or a page of it, whose header is parsed in a child.
    func open(
        _ input: IsolatedInput, page: Int?, _ limits: Limits, _ stop: StopToken
    ) throws(TexelError) -> IsolatedFile {
        let formats = Set([input.format].compactMap(\.self).filter(\.capabilities.prefersIsolatedHeaders))
        return try withChild(formats, stop) { child throws(TexelError) in
            switch try child.reply(to: .header(limits: limits, page: page), about: input, stop) {
            case .header(let info):
                guard info.isPlausible(within: limits) else { throw .invalidReply }
                return try IsolatedFile(info, input)
            case .failed(let failure): throw failure
            case .ready, .results, .progress, .video: throw .invalidReply
            }
        }
    }

    /// Carries out recipes in a child.
    ///
    /// - Parameters:
    ///   - formats: those that are decoded or encoded.
    ///   - report: called with the index of an order and its progress.
    ///   - read: makes a result from its index, its head as a message, and its bytes.
    /// - Returns: a result for each order.
    func carryOut<Output>(
        _ work: IsolatedWork, on input: IsolatedInput, formats: Set<ImageFormat>, _ stop: StopToken,
        report: (Int, RowProgress) -> Void = { _, _ in },
        read: (Int, [UInt8], inout ChildResults) throws(TexelError) -> Output
    ) throws(TexelError) -> [Result<Output, TexelError>] {
        try withChild(formats.filter(\.capabilities.prefersIsolation), stop) { child throws(TexelError) in
            let reply = try child.reply(to: .work(work), about: input, stop) { index, progress in
                if work.orders.indices.contains(index) { report(index, progress) }
            }
            switch reply {
            case .results(let outcomes):
                guard outcomes.count == work.orders.count else { throw .invalidReply }
                return try child.withResults { results throws(TexelError) in
                    outcomes.enumerated().map { index, outcome in
                        Result { () throws(TexelError) in
                            switch outcome {
                            case .made(let head): return try read(index, head, &results)
                            case .failed(let failure): throw failure
                            }
                        }
                    }
                }
            case .failed(let failure): throw failure
            case .ready, .header, .progress, .video: throw .invalidReply
            }
        }
    }

    /// Runs `body` with a child that no other thread uses. A child that fails is not used again.
    ///
    /// If a reused child ends, the request is repeated with a new one, because an earlier image may be the cause. One
    /// that has not loaded the libraries of all `formats` is replaced, because it can no longer load any.
    private func withChild<Value>(
        _ formats: Set<ImageFormat>, _ stop: StopToken, _ body: (ChildProcess) throws(TexelError) -> Value
    ) throws(TexelError) -> Value {
        var formats = formats
        if let child = idleChild(formats) {
            if child.formats.isSuperset(of: formats) {
                do throws(TexelError) {
                    return try run(child, body)
                } catch {
                    guard error.kind == .childEnded else { throw error }
                }
            }
            formats.formUnion(child.formats)
        }
        return try run(try newChild(formats, stop), body)
    }

    private func run<Value>(
        _ child: ChildProcess, _ body: (ChildProcess) throws(TexelError) -> Value
    ) throws(TexelError) -> Value {
        defer {
            if child.isUsable, child.requestCount < configuration.requestsPerChild {
                idle.withLock { $0.append(child) }
            }
        }
        return try body(child)
    }

    /// Takes a child that is ready, if possible one with the libraries of all `formats`.
    private func idleChild(_ formats: Set<ImageFormat>) -> ChildProcess? {
        while let child = idle.withLock({ idle in
            idle.lastIndex { $0.formats.isSuperset(of: formats) }.map { idle.remove(at: $0) } ?? idle.popLast()
        }) {
            if !child.hasHungUp { return child }
        }
        return nil
    }

    func newChild(_ formats: Set<ImageFormat>, _ stop: StopToken) throws(TexelError) -> ChildProcess {
        let seconds = max(1, configuration.processorTime.components.seconds)
        let child = try ChildProcess(
            configuration.program,
            arguments: [Self.childArgument, String(configuration.memoryBytes), String(seconds)]
                + formats.map(\.rawValue),
            formats: formats, processorTime: configuration.processorTime, stop: stop)
        started.add(1, ordering: .relaxed)
        return child
    }
}

extension WorkerPool {
    /// If set, images are decoded in its child processes instead of on the workers.
    public var isolation: Isolation? { processes as? Isolation }

    /// - Parameters:
    ///   - width: how many pieces of work run at the same time; at least 1.
    ///   - byteBudget: the bytes that running work may declare together; work above the budget runs alone.
    ///   - isolation: decodes images in child processes instead of on the workers.
    public convenience init(width: Int, byteBudget: Int, isolation: Isolation?) {
        self.init(width: width, byteBudget: byteBudget, processes: isolation)
    }
}

extension Isolation: DecodingProcesses {}
