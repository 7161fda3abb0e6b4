import Testing

/// A sequential model of an operator, without concurrency.
protocol Model {
    /// The number of elements that were requested and not yet delivered.
    var asked: Int { get set }
    /// Returns what the stream delivers to a waiting consumer; `nil` if it must wait.
    mutating func deliver() -> Mark?
}

/// Compares an operator with its model. After each event all jobs run in random order; then the consumer must have
/// received what the model predicts.
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

    /// Compares the results after an event was applied to the operator and the model.
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

    /// Cancels the stream and checks that no jobs remain.
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
