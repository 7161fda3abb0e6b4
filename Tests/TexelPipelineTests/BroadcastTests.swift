import Synchronization
import TestSupport
import Testing

@testable import TexelPipeline

/// Broadcasts from one sender to many listeners.
@Suite(.timeLimit(.minutes(30))) struct BroadcastTests {
    /// The element of the tests.
    private struct Step: Sendable, Hashable {
        var sender = 0
        var number: Int
        var isKept = false
    }

    private static func steps() -> Broadcast<Step> { Broadcast(keeping: \.isKept) }

    private func kept(_ number: Int) -> Step { Step(number: number, isKept: true) }
    private func passing(_ number: Int) -> Step { Step(number: number) }

    /// Takes all elements that are available now.
    private func drained(_ listener: BroadcastListener<Step>) -> [Step] {
        var steps: [Step] = []
        while case .element(let step) = listener.poll() { steps.append(step) }
        return steps
    }

    private func isAtEnd(_ listener: BroadcastListener<Step>) -> Bool {
        if case .end = listener.poll() { true } else { false }
    }

    // MARK: Kept and transient elements

    @Test func newestPassingAndAllKept() {
        let broadcast = Self.steps()
        let listener = broadcast.listen(bufferingNewest: 2)
        for step in [passing(0), kept(1), passing(2), passing(3), kept(4), passing(5)] { broadcast.send(step) }
        #expect(listener.droppedCount == 2)
        #expect(drained(listener) == [kept(1), passing(3), kept(4), passing(5)])
        broadcast.finish()
        #expect(isAtEnd(listener))
    }

    @Test func nothingAfterTheEnd() {
        let broadcast = Self.steps()
        let listener = broadcast.listen(bufferingNewest: 4)
        broadcast.send(passing(0))
        broadcast.finish()
        broadcast.send(kept(1))
        broadcast.finish()
        #expect(drained(listener) == [passing(0)])
        #expect(isAtEnd(listener) && isAtEnd(listener))
    }

    @Test func lateListenersGetKeptElements() {
        let broadcast = Self.steps()
        for step in [passing(0), kept(1), passing(2), passing(3)] { broadcast.send(step) }
        // The last transient element, and all kept elements before it.
        #expect(drained(broadcast.listen(bufferingNewest: 9)) == [kept(1), passing(3)])
        #expect(drained(broadcast.listen(bufferingNewest: 0)) == [kept(1)])
        broadcast.send(kept(4))
        broadcast.finish()
        let last = broadcast.listen(bufferingNewest: 9)
        #expect(drained(last) == [kept(1), kept(4)])
        #expect(isAtEnd(last) && last.droppedCount == 0)
    }

    /// A straightforward model of one listener.
    private struct Model {
        var capacity: Int
        var pending: [Step]
        var dropped = 0
        var isGone = false

        mutating func receive(_ step: Step) {
            if !step.isKept, capacity == 0 { return }
            pending.append(step)
            guard pending.count(where: { !$0.isKept }) > capacity else { return }
            pending.remove(at: pending.firstIndex { !$0.isKept } ?? 0)
            dropped += 1
        }
    }

    @Test(arguments: 0..<100) func agreesWithItsModel(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let broadcast = Self.steps()
        var sent: [Step] = []
        var isFinished = false
        var listeners: [(listener: BroadcastListener<Step>, model: Model)] = []
        for number in 0..<600 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<50:
                let step = Step(number: number, isKept: Int.random(in: 0..<4, using: &random) == 0)
                broadcast.send(step)
                if isFinished { continue }
                sent.append(step)
                for index in listeners.indices { listeners[index].model.receive(step) }
            case 50..<56:
                let capacity = Int.random(in: 0..<7, using: &random)
                var pending = sent.filter(\.isKept)
                if let last = sent.last, !last.isKept, capacity > 0 { pending.append(last) }
                listeners.append(
                    (broadcast.listen(bufferingNewest: capacity), Model(capacity: capacity, pending: pending)))
            case 56..<58 where !listeners.isEmpty:
                listeners.remove(at: Int.random(in: 0..<listeners.count, using: &random))
            case 58 where number > 500:
                broadcast.finish()
                isFinished = true
            default:
                guard let index = listeners.indices.randomElement(using: &random) else { continue }
                let (listener, model) = listeners[index]
                switch listener.poll() {
                case .element(let step):
                    #expect(step == model.pending.first)
                    listeners[index].model.pending = Array(model.pending.dropFirst())
                case .nothingYet: #expect(model.pending.isEmpty && !isFinished)
                case .end: #expect(model.pending.isEmpty && isFinished)
                }
            }
        }
        #expect(broadcast.listenerCount == listeners.count)
        for (listener, model) in listeners {
            #expect(drained(listener) == model.pending)
            #expect(listener.droppedCount == model.dropped)
        }
    }

    // MARK: Tasks

    private final class Counter: Sendable {
        private let number = Atomic(0)
        var value: Int { number.load(ordering: .relaxed) }
        func add(_ count: Int) { number.add(count, ordering: .relaxed) }
    }

    /// Every listener receives all kept elements in the same order, and the transient ones that were not dropped.
    @Test(arguments: 0..<100) func manySendersAndListeners(round: Int) async {
        let (senderCount, stepCount) = (4, 60)
        let broadcast = Self.steps()
        let early = (0..<4).map { broadcast.listen(bufferingNewest: $0 * $0) }
        let sequences = await withTaskGroup(of: [Step].self) { group in
            for listener in early {
                group.addTask { await listener.reduce(into: []) { $0.append($1) } }
            }
            group.addTask {
                await withTaskGroup { senders in
                    for sender in 0..<senderCount {
                        senders.addTask {
                            for number in 0..<stepCount {
                                broadcast.send(Step(sender: sender, number: number, isKept: number % 3 == 0))
                                if number % 7 == round % 7 { await Task.yield() }
                            }
                        }
                    }
                }
                broadcast.finish()
                return await broadcast.listen(bufferingNewest: 0).reduce(into: []) { $0.append($1) }
            }
            var sequences: [[Step]] = []
            for await steps in group { sequences.append(steps) }
            return sequences
        }
        #expect(sequences.count == early.count + 1)
        for steps in sequences {
            #expect(steps.filter(\.isKept) == sequences[0].filter(\.isKept))
            #expect(steps.count(where: \.isKept) == senderCount * stepCount / 3)
            for sender in 0..<senderCount {
                let numbers = steps.filter { $0.sender == sender }.map(\.number)
                #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
            }
        }
        let counts = early.dropFirst().map(\.droppedCount).sorted()
        let lengths = sequences.map(\.count).sorted().suffix(3)
        #expect(zip(counts, lengths.reversed()).allSatisfy { $0 + $1 == senderCount * stepCount })
    }

    @Test(arguments: 0..<100) func cancellationEndsAtOnce(round: Int) async {
        let broadcast = Self.steps()
        let listener = broadcast.listen(bufferingNewest: 4)
        broadcast.send(kept(0))
        let hasBegun = Counter()
        let count = await withTaskGroup(of: Int.self) { group in
            group.addTask {
                var count = 0
                for await _ in listener {
                    count += 1
                    hasBegun.add(1)
                }
                return count
            }
            // In some rounds the listener waits by then, in others it does not.
            while hasBegun.value == 0 { await Task.yield() }
            for _ in 0..<(round % 5) { await Task.yield() }
            group.cancelAll()
            return await group.next()
        }
        #expect(count == 1)
        #expect(broadcast.listenerCount == 0)
        // A cancelled listener stays at its end.
        broadcast.send(kept(1))
        #expect(isAtEnd(listener))
    }

    @Test func cancelledBeforeItBegins() async {
        let broadcast = Self.steps()
        broadcast.send(kept(0))
        let listener = broadcast.listen(bufferingNewest: 4)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await listener.reduce(into: 0) { count, _ in count += 1 }
        }
        #expect(await task.value == 0)
        #expect(broadcast.listenerCount == 0)
    }

    // MARK: Memory

    /// A reference type to observe lifetimes.
    private final class Token: Sendable {}

    @Test func listenersLetGo() {
        let broadcast = Self.steps()
        var listener: BroadcastListener<Step>? = broadcast.listen(bufferingNewest: 4)
        var iterator = listener?.makeAsyncIterator()
        listener = nil
        #expect(iterator != nil && broadcast.listenerCount == 1)
        iterator = nil
        #expect(broadcast.listenerCount == 0)
        _ = broadcast.listen(bufferingNewest: 1)
        #expect(broadcast.listenerCount == 0)
    }

    @Test func elementsAreReleased() {
        weak var passed: Token?
        weak var buffered: Token?
        weak var kept: Token?
        do {
            let broadcast = Broadcast<(Token, isKept: Bool)>(keeping: \.isKept)
            let listener = broadcast.listen(bufferingNewest: 1)
            let tokens = (Token(), Token(), Token())
            (passed, buffered, kept) = tokens
            broadcast.send((tokens.0, false))
            broadcast.send((tokens.1, false))
            broadcast.send((tokens.2, true))
            withExtendedLifetime(tokens) {}
            #expect(listener.droppedCount == 1)
            withExtendedLifetime((broadcast, listener)) {}
        }
        #expect(passed == nil && buffered == nil && kept == nil)
    }

    @Test func bufferBoundsMemoryOfUnreadListeners() {
        final class Counted: Sendable {
            let change: @Sendable (Int) -> Void
            init(_ change: @escaping @Sendable (Int) -> Void) {
                self.change = change
                change(1)
            }
            deinit { change(-1) }
        }
        let counter = Counter()
        let broadcast = Broadcast<Counted> { _ in false }
        let listener = broadcast.listen(bufferingNewest: 10)
        for _ in 0..<100_000 { broadcast.send(Counted { counter.add($0) }) }
        #expect(counter.value == 10)
        #expect(listener.droppedCount == 99_990)
    }

    /// The deinitialiser of an element may send another one to the same listeners.
    @Test func sendingFromADeinitializer() {
        final class Echo: Sendable {
            let broadcast: Broadcast<Echo?>
            init(_ broadcast: Broadcast<Echo?>) { self.broadcast = broadcast }
            deinit { broadcast.send(nil) }
        }
        let broadcast = Broadcast<Echo?> { $0 == nil }
        let listener = broadcast.listen(bufferingNewest: 1)
        for _ in 0..<3 { broadcast.send(Echo(broadcast)) }
        var echoes = 0
        while case .element(let element) = listener.poll() { echoes += element == nil ? 1 : 0 }
        #expect(echoes == 3)
    }

    /// A broadcast that is released without `finish()` ends its stream.
    @Test func lastOwnerLetsGo() async {
        var broadcast: Broadcast<Step>? = Self.steps()
        let listener = broadcast?.listen(bufferingNewest: 1)
        let task = Task { await listener?.reduce(into: 0) { count, _ in count += 1 } }
        broadcast?.send(kept(0))
        broadcast = nil
        #expect(await task.value == 1)
    }
}
