import Testing

/// What an operator should do, one event after the other, with no concurrency at all.
protocol Model {
    /// How many elements the consumer has asked for and not got.
    var asked: Int { get set }
    /// Gives what the stream delivers to a consumer that asks; nil where it must wait.
    mutating func deliver() -> Mark?
}

/// Holds an operator against its model: after each event everything comes to rest, in a random order, and the consumer
/// must have what the model says.
final class Script<M: Model> {
    let seed: Int
    var random: Random
    var model: M
    let executor = ManualExecutor()
    let consumer: Consumer
    private(set) var isOver = false

    init<Stream: AsyncSequence & Sendable>(_ stream: Stream, model: M, seed: Int) where Stream.Element: Sendable {
        self.seed = seed
        self.model = model
        random = Random(seed: seed)
        consumer = Consumer(of: stream, on: executor, asksByItself: false)
        ask()
    }

    func ask() {
        consumer.ask()
        model.asked += 1
        check()
    }

    func cancel() {
        guard !isOver else { return }
        consumer.cancel()
        settle()
        #expect(consumer.takeMarks() == [.end], "seed \(seed)")
        isOver = true
    }

    /// After the same was done to the operator and to the model.
    func check() {
        settle()
        var expected: [Mark] = []
        while !isOver, model.asked > 0, let mark = model.deliver() {
            expected.append(mark)
            if case .element = mark { model.asked -= 1 } else { isOver = true }
        }
        let got = consumer.takeMarks()
        #expect(got == expected, "seed \(seed)")
        #expect(consumer.isOver == isOver, "seed \(seed)")
    }

    func settle() {
        executor.settle { random.below($0) }
    }

    /// Leaves nothing running.
    func close() {
        cancel()
        #expect(executor.isIdle, "seed \(seed)")
    }
}

extension TestSource where Element == String, Failure == Broken {
    func say(_ mark: Mark) {
        switch mark {
        case .element(let element): push(.element(element))
        case .end: push(.end)
        case .failure: push(.failure(Broken()))
        }
    }
}
