import Synchronization
import Testing

/// Plays diagrams: sources that send at their ticks, a manual clock, and an executor that runs all jobs at every tick.
final class Stage {
    let clock = ManualClock()
    let executor = ManualExecutor()
    private var lastTick = 0
    private var feeds: [(Int) -> Void] = []
    private var checks: [(SourceLocation) -> Void] = []

    /// A source that follows a diagram and never fails.
    func source(_ diagram: Marbles, heedsCancellation: Bool = true) -> TestSequence<String, Never> {
        source(diagram, heedsCancellation: heedsCancellation, failure: nil) { $0 }
    }

    /// A source that follows a diagram and may fail.
    func failing(_ diagram: Marbles, heedsCancellation: Bool = true) -> TestSequence<String, Broken> {
        source(diagram, heedsCancellation: heedsCancellation, failure: Broken()) { $0 }
    }

    func source<Element: Sendable, Failure: Error>(
        _ diagram: Marbles, heedsCancellation: Bool = true, failure: Failure?, element: @escaping (String) -> Element
    ) -> TestSequence<Element, Failure> {
        let source = TestSource<Element, Failure>(heedsCancellation: heedsCancellation)
        lastTick = max(lastTick, diagram.lastTick)
        feeds.append { tick in
            for mark in diagram[tick] {
                switch mark {
                case .element(let name): source.push(.element(element(name)))
                case .end: source.push(.end)
                case .failure: if let failure { source.push(.failure(failure)) }
                }
            }
        }
        checks.append { location in
            // A source that ignores cancellation ends by itself.
            if !heedsCancellation { source.push(.end) }
            self.executor.settle()
            #expect(source.counts.iterators == 0, "A base was not released.", sourceLocation: location)
            #expect(source.counts.violations == 0, sourceLocation: location)
        }
        return TestSequence(source: source)
    }

    /// Plays a stream and compares what its consumer receives with a diagram.
    ///
    /// - Parameters:
    ///   - asks: When the consumer requests elements, one mark per tick; `nil` requests them continuously.
    ///   - cancelled: The tick at which the consumer is cancelled.
    ///   - limit: The number of elements after which the consumer drops its iterator.
    func expect<Stream: AsyncSequence & Sendable>(
        _ stream: Stream, gives expected: Marbles, asks: Marbles? = nil, cancelled: Int? = nil, limit: Int = .max,
        after: Int = 20, sourceLocation: SourceLocation = #_sourceLocation
    ) where Stream.Element: Sendable {
        let consumer = Consumer(of: stream, on: executor, asksByItself: asks == nil, limit: limit)
        var got = Marbles(events: [])
        executor.settle()
        for tick in 0...max(lastTick, expected.lastTick, asks?.lastTick ?? 0, cancelled ?? 0) + after {
            if tick > 0 { clock.advance() }
            executor.settle()
            for feed in feeds {
                feed(tick)
                executor.settle()
            }
            for _ in asks?[tick] ?? [] { consumer.ask() }
            if cancelled == tick { consumer.cancel() }
            executor.settle()
            got.events += consumer.takeMarks().map { Marbles.Event(tick: tick, mark: $0) }
        }
        #expect(got == expected, sourceLocation: sourceLocation)
        // A stream whose diagram has no end is cancelled.
        if !consumer.isOver {
            consumer.cancel()
            executor.settle()
            #expect(consumer.isOver, sourceLocation: sourceLocation)
        }
        for check in checks { check(sourceLocation) }
        #expect(clock.sleeperCount == 0, "A task still sleeps.", sourceLocation: sourceLocation)
        #expect(executor.isIdle, sourceLocation: sourceLocation)
    }
}
