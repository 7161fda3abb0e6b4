/// What one iteration of an operator shares between its consumer and its tasks.
///
/// The tasks hold the core, the iterator holds its `Iteration`. So an iterator that is dropped ends the tasks, and the
/// tasks never keep an iteration alive that nobody reads.
protocol StreamCore<Element, Failure>: AnyObject, Sendable {
    associatedtype Element: Sendable
    associatedtype Failure: Error

    /// Gives what is there. The first call starts the work.
    func take() -> Delivery<Element, Failure>

    /// Waits until `take` may have something new.
    func wait(isolation: isolated (any Actor)?) async

    /// Ends the iteration: cancels the tasks, lets go of all that waits. May be called again.
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

/// The consumer's hold on a core: when it goes, the iteration ends.
final class Iteration<Core: StreamCore>: Sendable {
    let core: Core

    init(_ core: Core) {
        self.core = core
    }

    deinit {
        core.cancel()
    }
}

/// The sequence behind every operator: each iterator has a core of its own.
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
