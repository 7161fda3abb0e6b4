/// The state that an operator's consumer and its tasks share during one iteration.
///
/// The tasks retain the core, the iterator retains its `Iteration`. So releasing the iterator ends the tasks, and the
/// tasks do not keep an unused iteration alive.
protocol StreamCore<Element, Failure>: AnyObject, Sendable {
    associatedtype Element: Sendable
    associatedtype Failure: Error

    /// Polls for the next element or the end. The first call starts the work.
    func take() -> Delivery<Element, Failure>

    /// Waits until `take` may return something new.
    func wait(isolation: isolated (any Actor)?) async

    /// Ends the iteration: cancels the tasks and releases buffered elements. May be called more than once.
    func cancel()
}

extension StreamCore {
    func next(isolation: isolated (any Actor)?) async throws(Failure) -> Element? {
        let delivery = await withTaskCancellationHandler(
            operation: {
                while true {
                    let delivery = take()
                    guard case .nothing = delivery else { return delivery }
                    await wait(isolation: isolation)
                }
            }, onCancel: { cancel() }, isolation: isolation)
        switch delivery {
        case .element(let element): return element
        case .failed(let failure): throw failure
        case .ended, .nothing: return nil
        }
    }
}

/// The consumer's reference to a core; ends the iteration when released.
final class Iteration<Core: StreamCore>: Sendable {
    let core: Core

    init(_ core: Core) {
        self.core = core
    }

    deinit {
        core.cancel()
    }
}

/// The sequence type of all operators. Each iterator has its own core.
struct CoreSequence<Core: StreamCore>: AsyncSequence, Sendable {
    typealias Element = Core.Element
    typealias Failure = Core.Failure

    let makeCore: @Sendable () -> Core

    struct Iterator: AsyncIteratorProtocol {
        let iteration: Iteration<Core>

        mutating func next() async throws(Core.Failure) -> Core.Element? {
            try await iteration.core.next(isolation: nil)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Core.Failure) -> Core.Element? {
            try await iteration.core.next(isolation: actor)
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(iteration: Iteration(makeCore()))
    }
}

@available(*, unavailable)
extension CoreSequence.Iterator: Sendable {}
