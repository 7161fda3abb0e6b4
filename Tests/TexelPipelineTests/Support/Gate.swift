import Foundation
import Synchronization
import SystemPackage
import TexelCodecs
import TexelCore
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Blocks tasks and threads until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// A source that counts its calls and can be blocked.
struct CountedSource: ByteSource {
    let name: String
    let bytes: [UInt8]
    /// Readers wait here.
    var gate: Gate?
    let opened = Counter()
    let read = Counter()
    var isLocal = true

    var identity: InputIdentity { InputIdentity("counted:\(name)") }

    func open(limits: Limits) async throws(TexelError) -> OpenedBytes {
        opened.add()
        await gate?.wait()
        let (bytes, read) = (bytes, read)
        return OpenedBytes(version: identity, count: bytes.count) { () throws(TexelError) in
            read.add()
            return InputBytes(bytes)
        }
    }
}

/// Waits for a condition that other tasks make true; uses processor time, but no test depends on how long.
func until(isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

extension ImagePipeline {
    /// A pipeline with its own few workers, without caches unless `change` adds them.
    static func remembersNothing(
        _ workers: WorkerPool = WorkerPool(width: 2, byteBudget: 64 << 20),
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> ImagePipeline {
        var configuration = Configuration()
        configuration.workers = workers
        configuration.memoryCacheLimit = 0
        change(&configuration)
        return ImagePipeline(configuration)
    }
}

/// A source that throws an error of its own type.
struct OwnErrorSource: ByteSource {
    enum Step: CaseIterable, Sendable { case opening, reading, delivering }

    struct Offline: Error, Equatable, LocalizedError {
        let store: String
        var errorDescription: String? { "the store \(store) is offline" }
    }

    let step: Step
    let name = "own"
    var identity: InputIdentity { InputIdentity("own \(step)") }

    func open(limits: Limits) async throws -> OpenedBytes {
        let error = Offline(store: "photos")
        return switch step {
        case .opening: throw error
        case .reading: OpenedBytes(version: nil, count: nil) { () throws -> InputBytes in throw error }
        case .delivering: OpenedBytes(version: nil, count: nil) { (_: ArrivingBytes) async throws in throw error }
        }
    }
}

extension Array where Element: Sendable {
    /// The elements as an asynchronous sequence that can be iterated again.
    var async: AsyncElements<Element> { AsyncElements(elements: self) }
}

struct AsyncElements<Element: Sendable>: AsyncSequence, Sendable {
    let elements: [Element]

    func makeAsyncIterator() -> Iterator { Iterator(base: elements.makeIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var base: IndexingIterator<[Element]>
        mutating func next() async -> Element? { base.next() }
    }
}
