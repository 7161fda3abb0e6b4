import Testing

/// One random schedule: jobs run one at a time in random order, with external events between them.
final class Chaos {
    struct Source {
        let source: TestSource<Item, Broken>
        var sent = 0
        var isOver = false
    }

    let seed: Int
    var random: Random
    let executor = ManualExecutor()
    let clock = ManualClock()
    let census: Census
    private(set) var sources: [Source] = []
    private let taken = Log<Item>()

    init(seed: Int, census: Census) {
        self.seed = seed
        random = Random(seed: seed)
        self.census = census
    }

    /// The elements that the consumer received.
    var items: [Item] { taken.all }

    func makeSource() -> TestSequence<Item, Broken> {
        let source = TestSource<Item, Broken>()
        sources.append(Source(source: source))
        return TestSequence(source: source)
    }

    /// Makes a source send an element, or sometimes end.
    func speak(_ place: Int, mayFail: Bool = true) {
        guard !sources[place].isOver else { return }
        if random.once(in: 15) {
            sources[place].isOver = true
            sources[place].source.push(mayFail && random.once(in: 2) ? .failure(Broken()) : .end)
        } else {
            sources[place].source.push(.element(Item(sources[place].sent, of: place, census: census)))
            sources[place].sent += 1
        }
    }

    /// Reads a stream while `move` and random jobs alternate; then ends all sources and waits for the end of the
    /// stream.
    ///
    /// - Returns: Whether the consumer read to the end, without being cancelled or dropping its iterator.
    func run<Stream: AsyncSequence & Sendable>(
        _ stream: Stream, onElement: @escaping @Sendable (Item) -> Void = { _ in }, finish: () -> Void = {},
        move: () -> Void
    ) -> Bool where Stream.Element == Item {
        let limit = random.once(in: 4) ? random.below(4) : .max
        let consumer = Consumer(of: stream, on: executor, asksByItself: random.once(in: 2), limit: limit) {
            [taken] item in
            onElement(item)
            taken.note(item)
        }
        var isCancelled = false
        for _ in 0..<random.below(200) {
            switch random.below(8) {
            case 0...3: executor.step { random.below($0) }
            case 4: consumer.ask()
            case 5 where random.once(in: 12):
                consumer.cancel()
                isCancelled = true
            default: move()
            }
        }
        finish()
        for place in sources.indices where !sources[place].isOver { sources[place].source.push(.end) }
        for _ in 0..<400 where !consumer.isOver {
            settle()
            consumer.ask()
            clock.advance()
        }
        settle()
        #expect(consumer.isOver, "seed \(seed)")
        #expect(executor.isIdle && clock.sleeperCount == 0, "seed \(seed)")
        for source in sources {
            #expect(source.source.counts.iterators == 0, "seed \(seed)")
            #expect(source.source.counts.violations == 0, "seed \(seed)")
        }
        return !isCancelled && items.count < limit
    }

    func settle() {
        executor.settle { random.below($0) }
    }
}

/// Runs many random schedules, and checks that all items of each are released.
func chaos(_ count: Int = 2000, _ body: (Chaos) -> Void) {
    for seed in 0..<count {
        let census = Census()
        body(Chaos(seed: seed, census: census))
        #expect(census.count == 0, "seed \(seed)")
    }
}
