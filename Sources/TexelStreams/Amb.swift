import Synchronization

/// Delivers whichever sequence speaks first, and cancels the others.
///
/// ```
/// first           ----a-b--|
/// second          --c---d--|
/// amb             --c---d--|
/// ```
///
/// To speak is to give an element, to end or to fail: an end or an error that comes first is the stream's. The losers
/// are cancelled before the winner's first element arrives; each is released as soon as it heeds that. All are read
/// once when the consumer first asks, the winner from then on only when the consumer asks. Where two speak at the same
/// time either may win.
public func amb<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
    _ first: First, _ second: Second
) -> some AsyncSequence<First.Element, First.Failure> & Sendable
where First.Element: Sendable, Second.Element == First.Element, Second.Failure == First.Failure {
    CoreSequence { AmbCore([contender(first) { $0 }, contender(second) { $0 }]) }
}

/// Delivers whichever of two sequences speaks first, where they fail in different ways.
@_disfavoredOverload
public func amb<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
    _ first: First, _ second: Second
) -> some AsyncSequence<First.Element, any Error> & Sendable
where First.Element: Sendable, Second.Element == First.Element {
    CoreSequence { AmbCore<First.Element, any Error>([contender(first) { $0 }, contender(second) { $0 }]) }
}

/// Delivers whichever of three sequences speaks first, and cancels the others.
public func amb<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable, Third: AsyncSequence & Sendable>(
    _ first: First, _ second: Second, _ third: Third
) -> some AsyncSequence<First.Element, First.Failure> & Sendable
where
    First.Element: Sendable, Second.Element == First.Element, Third.Element == First.Element,
    Second.Failure == First.Failure, Third.Failure == First.Failure
{
    CoreSequence { AmbCore([contender(first) { $0 }, contender(second) { $0 }, contender(third) { $0 }]) }
}

/// Delivers whichever of three sequences speaks first, where they fail in different ways.
@_disfavoredOverload
public func amb<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable, Third: AsyncSequence & Sendable>(
    _ first: First, _ second: Second, _ third: Third
) -> some AsyncSequence<First.Element, any Error> & Sendable
where First.Element: Sendable, Second.Element == First.Element, Third.Element == First.Element {
    CoreSequence {
        AmbCore<First.Element, any Error>([contender(first) { $0 }, contender(second) { $0 }, contender(third) { $0 }])
    }
}

/// Delivers whichever sequence of a collection speaks first, and cancels the others. An empty collection ends at once.
public func amb<Bases: Collection & Sendable>(
    _ bases: Bases
) -> some AsyncSequence<Bases.Element.Element, Bases.Element.Failure> & Sendable
where Bases.Element: AsyncSequence & Sendable, Bases.Element.Element: Sendable {
    CoreSequence { AmbCore(bases.map { base in contender(base) { $0 } }) }
}

/// Reads one of the sequences for a core, at a place among them.
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
        /// Until the consumer asks for the first time.
        var contenders: [Contender<Element, Failure>]
        /// By place; empty when all is over.
        var readers: [Reader?] = []
        var winner: Int?
        var slot = Slot<Element, Failure>()

        /// Whether this one may speak: as long as nobody has, and as the winner.
        mutating func admits(_ place: Int) -> Bool {
            slot.ending.isOpen && (winner ?? place) == place
        }

        /// Makes this one the winner.
        ///
        /// - Returns: the others, to be stopped outside the lock.
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
        // What was held is let go of outside the lock: its end may run anybody's code.
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
