import Dispatch
import PlatformLibc
import Synchronization
import SystemPackage
import Texel
import TexelCore
import TexelPixels

/// Reads lines from standard input on a thread of its own, only when lines are requested, so that a fast sender
/// blocks on the pipe.
final class JobInput: Sendable {
    private struct State {
        var waiting: CheckedContinuation<[JobLine], Never>?
        var isOver = false
        var error: Errno?
    }

    private let state = Mutex(State())
    private let demand = DispatchSemaphore(value: 0)

    init(_ stop: StopToken) {
        let thread = WorkerThread { self.read(stop) }
        if let thread { thread.detach() } else { finish(.resourceTemporarilyUnavailable) }
    }

    /// The error that ended reading, if any.
    var error: Errno? { state.withLock(\.error) }

    /// Waits for the next lines: at least one, or none at the end. Must be called by one task at a time.
    func next() async -> [JobLine] {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting = continuation }
                return state.isOver
            }
            if isOver { continuation.resume(returning: []) } else { demand.signal() }
        }
    }

    private func read(_ stop: StopToken) {
        var splitter = JobLineSplitter()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        demand.wait()
        while true {
            if (try? stop.wait(for: .standardInput, POLLIN))?.isStopped == true { return finish(nil) }
            do {
                let count = try buffer.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
                let lines = count > 0 ? splitter.add(buffer.prefix(count)) : [splitter.finish()].compactMap { $0 }
                if !lines.isEmpty {
                    deliver(lines)
                    demand.wait()
                }
                if count == 0 { return finish(nil) }
            } catch {
                return finish(error as? Errno ?? .ioError)
            }
        }
    }

    private func deliver(_ lines: [JobLine]) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: lines)
    }

    private func finish(_ error: Errno?) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            state.isOver = true
            state.error = error
            return state.waiting
        }
        waiting?.resume(returning: [])
    }
}
