import Synchronization

/// Delivers the sequence that produces the first event, and cancels the others.
///
/// ```
/// first           ----a-b--|
/// second          --c---d--|
/// amb             --c---d--|
/// ```
///
/// An event is an element, an end or an error: if an end or error comes first, the result ends or fails. The losers are
/// cancelled before the winner's first element is delivered, and are released as soon as they react. Each base is read
/// once when the consumer first calls `next()`; after that the winner is read only on demand. If two events coincide,
/// either may win.
public func amb<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
    _ first: First, _ second: Second
) -> some AsyncSequence<First.Element, First.Failure> & Sendable
where First.Element: Sendable, Second.Element == First.Element, Second.Failure == First.Failure {
    CoreSequence { AmbCore([contender(first) { $0 }, contender(second) { $0 }]) }
}

/// Delivers the first of two sequences to produce an event, for different failure types.
@_disfavoredOverload
public func amb<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
    _ first: First, _ second: Second
) -> some AsyncSequence<First.Element, any Error> & Sendable
where First.Element: Sendable, Second.Element == First.Element {
    CoreSequence { AmbCore<First.Element, any Error>([contender(first) { $0 }, contender(second) { $0 }]) }
}

/// Delivers the first of three sequences to produce an event, and cancels the others.
public func amb<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable, Third: AsyncSequence & Sendable>(
    _ first: First, _ second: Second, _ third: Third
) -> some AsyncSequence<First.Element, First.Failure> & Sendable
where
    First.Element: Sendable, Second.Element == First.Element, Third.Element == First.Element,
    Second.Failure == First.Failure, Third.Failure == First.Failure
{
    CoreSequence { AmbCore([contender(first) { $0 }, contender(second) { $0 }, contender(third) { $0 }]) }
}

/// Delivers the first of three sequences to produce an event, for different failure types.
@_disfavoredOverload
public func amb<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable, Third: AsyncSequence & Sendable>(
    _ first: First, _ second: Second, _ third: Third
) -> some AsyncSequence<First.Element, any Error> & Sendable
where First.Element: Sendable, Second.Element == First.Element, Third.Element == First.Element {
    CoreSequence {
        AmbCore<First.Element, any Error>([contender(first) { $0 }, contender(second) { $0 }, contender(third) { $0 }])
    }
}

/// Delivers the first sequence of a collection to produce an event, and cancels the others. An empty collection ends at
/// once.
public func amb<Bases: Collection & Sendable>(
    _ bases: Bases
) -> some AsyncSequence<Bases.Element.Element, Bases.Element.Failure> & Sendable
where Bases.Element: AsyncSequence & Sendable, Bases.Element.Element: Sendable {
    CoreSequence { AmbCore(bases.map { base in contender(base) { $0 } }) }
}

/// Reads one of the sequences for a core, given its index.
private typealias Contender<Element: Sendable, Failure: Error> =
    @Sendable (AmbCore<Element, Failure>, Int, Signal) async -> Void

private func contender<Base: AsyncSequence & Sendable, Failure: Error>(
    _ base: Base, failure: @escaping @Sendable (Base.Failure) -> Failure
) -> Contender<Base.Element, Failure> where Base.Element: Sendable {
    { core, place, demand in
        let ending = await read(
            base, while: { await core.isWanted(place, demand) }, receive: { core.receive($0, from: place) })
        switch ending {
        case .ended: core.end(.ended, from: place)
        case .failed(let reason): core.end(.failed(failure(reason)), from: place)
        case .open, nil: break
        }
    }
}

private final class AmbCore<Element: Sendable, Failure: Error>: StreamCore {
    private struct State {
        /// Empty once the consumer has called `next()`.
        var contenders: [Contender<Element, Failure>]
        /// By index; empty once the iteration has ended.
        var readers: [Reader?] = []
        var winner: Int?
        var slot = Slot<Element, Failure>()

        /// Whether this base may deliver: any one before the first event, then only the winner.
        mutating func admits(_ place: Int) -> Bool {
            slot.ending.isOpen && (winner ?? place) == place
        }

        /// Makes this base the winner, unless there is one.
        ///
        /// - Returns: The readers of the others, to be stopped outside the lock.
        mutating func elect(_ place: Int) -> [Reader?] {
            guard winner == nil else { return [] }
            winner = place
            var losers = readers
            losers[place] = nil
            readers = readers.indices.map { $0 == place ? readers[$0] : nil }
            return losers
        }
    }

    private let state: Mutex<State>
    private let supply = Signal()

    init(_ contenders: [Contender<Element, Failure>]) {
        var state = State(contenders: contenders)
        if contenders.isEmpty { state.slot.ending = .ended }
        self.state = Mutex(state)
    }

    func take() -> Delivery<Element, Failure> {
        let (delivery, winner) = state.withLock { state -> (Delivery<Element, Failure>, Reader?) in
            let delivery = state.slot.take()
            for (place, contender) in state.contenders.enumerated() {
                let demand = Signal()
                let task = startTask { await contender(self, place, demand) }
                state.readers.append(Reader(task: task, demand: demand))
            }
            state.contenders = []
            return (delivery, state.winner.flatMap { state.readers[$0] })
        }
        if case .nothing = delivery { winner?.demand.raise() }
        return delivery
    }

    func wait(isolation: isolated (any Actor)?) async {
        await supply.wait(isolation: isolation)
    }

    func cancel() {
        // Released outside the lock, as deinitialisers may run arbitrary code.
        let held = state.withLock { state -> State in
            let held = state
            state = State(contenders: [])
            state.slot.ending = .ended
            return held
        }
        for reader in held.readers { reader?.stop() }
        supply.raise()
    }

    func isWanted(_ place: Int, _ demand: Signal) async -> Bool {
        while true {
            let answer = state.withLock { state -> Bool? in
                if !state.admits(place) { return false }
                return state.slot.isWanted ? true : nil
            }
            if let answer { return answer }
            await demand.wait()
        }
    }

    func receive(_ element: Element, from place: Int) {
        let losers = state.withLock { state -> [Reader?] in
            guard state.admits(place) else { return [] }
            state.slot.put(element)
            return state.elect(place)
        }
        for loser in losers { loser?.stop() }
        supply.raise()
    }

    func end(_ ending: Ending<Failure>, from place: Int) {
        let losers = state.withLock { state -> [Reader?] in
            guard state.admits(place) else { return [] }
            let losers = state.elect(place)
            state.slot.ending = ending
            state.readers = []
            state.winner = nil
            return losers
        }
        for loser in losers { loser?.stop() }
        supply.raise()
    }
}
