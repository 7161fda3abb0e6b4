import Synchronization
import Testing
import TexelStreams

@Suite struct AsyncCallbackSequenceTests {
    typealias Callbacks = AsyncCallbackSequence<String, Broken>

    /// A callback source that keeps its sinks, as real ones do, and counts its clean-ups.
    private final class CallbackSource: Sendable {
        private let state = Mutex<(sinks: [Callbacks.Sink], cleanUps: Int)>(([], 0))
        let whileRegistering: @Sendable (Callbacks.Sink) -> Void

        init(whileRegistering: @escaping @Sendable (Callbacks.Sink) -> Void = { _ in }) {
            self.whileRegistering = whileRegistering
        }

        var sinks: [Callbacks.Sink] { state.withLock { $0.sinks } }
        var cleanUps: Int { state.withLock { $0.cleanUps } }

        func stream(_ policy: Callbacks.BufferingPolicy = .unbounded) -> Callbacks {
            Callbacks(bufferingPolicy: policy) { sink in
                self.state.withLock { $0.sinks.append(sink) }
                self.whileRegistering(sink)
                return { self.state.withLock { $0.cleanUps += 1 } }
            }
        }

        func say(_ mark: Mark) {
            for sink in sinks {
                switch mark {
                case .element(let element): sink.send(element)
                case .end: sink.finish()
                case .failure: sink.finish(throwing: Broken())
                }
            }
        }
    }

    private let executor = ManualExecutor()

    @Test func registersWhenAskedAndCleansUpAtTheEnd() {
        let source = CallbackSource()
        let consumer = Consumer(of: source.stream(), on: executor, asksByItself: false)
        executor.settle()
        #expect(source.sinks.isEmpty)
        consumer.ask()
        executor.settle()
        #expect(source.sinks.count == 1)
        for mark: Mark in [.element("a"), .element("b"), .end] { source.say(mark) }
        // The source has ended, although its elements are still buffered.
        #expect(source.cleanUps == 1)
        for _ in 0..<3 { consumer.ask() }
        executor.settle()
        #expect(consumer.takeMarks() == [.element("a"), .element("b"), .end])
        #expect(source.cleanUps == 1)
    }

    @Test func eachIterationRegistersAnew() {
        let source = CallbackSource()
        let stream = source.stream()
        let consumers = (0..<2).map { _ in Consumer(of: stream, on: executor) }
        executor.settle()
        #expect(source.sinks.count == 2)
        source.say(.element("a"))
        source.say(.failure)
        executor.settle()
        for consumer in consumers { #expect(consumer.takeMarks() == [.element("a"), .failure]) }
        #expect(source.cleanUps == 2)
    }

    @Test func cleansUpOnCancellation() throws {
        let source = CallbackSource()
        let consumer = Consumer(of: source.stream(), on: executor, asksByItself: false)
        consumer.ask()
        executor.settle()
        source.say(.element("a"))
        consumer.cancel()
        // Immediately, before the consumer runs.
        #expect(source.cleanUps == 1)
        executor.settle()
        #expect(consumer.takeMarks() == [.end])
        guard case .terminated = try #require(source.sinks.first).send("b") else {
            Issue.record("A cancelled stream took an element.")
            return
        }
        source.say(.end)
        #expect(source.cleanUps == 1)
    }

    @Test func cleansUpWhenNobodyHoldsTheIterator() {
        let source = CallbackSource()
        let consumer = Consumer(of: source.stream(), on: executor, limit: 1)
        executor.settle()
        source.say(.element("a"))
        executor.settle()
        #expect(consumer.isOver)
        #expect(source.cleanUps == 1)
    }

    @Test func anIteratorThatNeverAskedRegistersNothing() {
        let source = CallbackSource()
        _ = source.stream().makeAsyncIterator()
        #expect(source.sinks.isEmpty && source.cleanUps == 0)
    }

    @Test func theSourceMayFinishWhileItRegisters() {
        let source = CallbackSource { sink in
            sink.send("a")
            sink.finish()
        }
        let consumer = Consumer(of: source.stream(), on: executor)
        executor.settle()
        #expect(consumer.takeMarks() == [.element("a"), .end])
        #expect(source.cleanUps == 1)
    }

    @Test func theConsumerMayBeCancelledWhileItRegisters() {
        let consumer = Mutex<Consumer?>(nil)
        let source = CallbackSource { _ in consumer.withLock { $0 }?.cancel() }
        let reading = Consumer(of: source.stream(), on: executor)
        consumer.withLock { $0 = reading }
        executor.settle()
        #expect(reading.takeMarks() == [.end])
        #expect(source.cleanUps == 1)
        consumer.withLock { $0 = nil }
    }

    /// The elements delivered to a consumer that reads nothing while five are sent.
    private func buffered(_ policy: Callbacks.BufferingPolicy) throws -> (results: [String], got: [Mark]) {
        let source = CallbackSource()
        let consumer = Consumer(of: source.stream(policy), on: executor, asksByItself: false)
        consumer.ask()
        executor.settle()
        let sink = try #require(source.sinks.first)
        let results = ["a", "b", "c", "d"].map { "\(sink.send($0))" }
        sink.finish()
        for _ in 0..<5 { consumer.ask() }
        executor.settle()
        return (results, consumer.takeMarks())
    }

    @Test func tellsWhatItDroppedOfTheOldest() throws {
        let (results, got) = try buffered(.bufferingNewest(2))
        #expect(results == ["enqueued(remaining: 1)", "enqueued(remaining: 0)", "dropped(\"a\")", "dropped(\"b\")"])
        #expect(got == [.element("c"), .element("d"), .end])
    }

    @Test func tellsWhatItDroppedOfTheNewest() throws {
        let (results, got) = try buffered(.bufferingOldest(2))
        #expect(results == ["enqueued(remaining: 1)", "enqueued(remaining: 0)", "dropped(\"c\")", "dropped(\"d\")"])
        #expect(got == [.element("a"), .element("b"), .end])
    }

    @Test(arguments: [0, -1])
    func oneMayAlwaysWait(limit: Int) throws {
        #expect(try buffered(.bufferingNewest(limit)).got == [.element("d"), .end])
        #expect(try buffered(.bufferingOldest(limit)).got == [.element("a"), .end])
    }

    @Test func nothingIsKeptAlive() {
        weak var seen: CallbackSource?
        do {
            let source = CallbackSource()
            seen = source
            let consumer = Consumer(of: source.stream(), on: executor)
            executor.settle()
            source.say(.element("a"))
            source.say(.end)
            executor.settle()
            #expect(consumer.isOver)
        }
        #expect(seen == nil)
    }

    // MARK: Properties

    @Test func cleansUpOnceAndLosesNothingInAnySchedule() {
        for seed in 0..<2000 {
            var random = Random(seed: seed)
            let source = CallbackSource()
            let consumer = Consumer(of: source.stream(), on: executor, limit: random.once(in: 3) ? 3 : .max)
            var (sent, got) = ([Mark](), [Mark]())
            var isSilent = false
            for moment in 0..<random.below(40) {
                switch random.below(20) {
                case 0: consumer.cancel()
                case 1...10: executor.step { random.below($0) }
                default:
                    guard !isSilent, !source.sinks.isEmpty else { continue }
                    let mark = random.mark("\(moment)")
                    if case .element = mark {} else { isSilent = true }
                    source.say(mark)
                    sent.append(mark)
                }
            }
            executor.settle()
            if !consumer.isOver {
                source.say(.end)
                sent.append(.end)
                executor.settle()
            }
            got = consumer.takeMarks()
            #expect(consumer.isOver, "seed \(seed)")
            // Either all elements, or a prefix and the end caused by cancellation.
            let beginning = got.last == .end ? got.dropLast() : got[...]
            #expect(sent.starts(with: beginning), "seed \(seed)")
            #expect(source.cleanUps == source.sinks.count, "seed \(seed)")
        }
    }
}
