import Synchronization
import Testing
import TexelStreams

@Suite(.timeLimit(.minutes(30))) struct SwitchToLatestTests {
    private let stage = Stage()

    /// Plays an outer sequence and inner ones, none of which fails.
    private func expect(
        _ outer: Marbles, _ inners: [String: Marbles], gives expected: Marbles, asks: Marbles? = nil,
        cancelled: Int? = nil, limit: Int = .max, stubborn: Set<String> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let none = stage.source("|")
        let sources = Dictionary(
            uniqueKeysWithValues: inners.map {
                ($0, stage.source($1, heedsCancellation: !stubborn.contains($0)))
            })
        let stream = stage.source(outer, failure: Never?.none) { sources[$0] ?? none }.switchToLatest()
        stage.expect(
            stream, gives: expected, asks: asks, cancelled: cancelled, limit: limit, sourceLocation: sourceLocation)
    }

    @Test func onlyTheNewestSpeaks() {
        expect(
            "-1-----2------|",
            [
                "1": "--a-b-c-d-e-f",
                "2": "---------e-f---|",
            ],
            gives: "--a-b-c--e-f---|")
    }

    @Test func endsWhenTheOuterEndsLast() {
        expect("-1--------|", ["1": "--a-b-|"], gives: "--a-b-----|")
    }

    @Test func endsAtOnceWithoutAnInner() {
        expect("---|", [:], gives: "---|")
    }

    @Test func anEmptyInnerSilencesTheOld() {
        expect("1--2-----|", ["1": "-a---b", "2": "---|"], gives: "-a-------|")
    }

    @Test func anInnerThatDoesNotHeedItsCancellationIsNotHeard() {
        expect(
            "1--2------|", ["1": "-a--b-c", "2": "-----x-y--|"], gives: "-a---x-y--|", stubborn: ["1"])
    }

    @Test func anElementThatNobodyTookIsOvertaken() {
        // The consumer is busy when 2 arrives, so the elements that 1 has sent since are not delivered.
        expect("1---2------|", ["1": "-ab-", "2": "-----x-----|"], gives: "-a------x--|", asks: "a-------a--a")
    }

    @Test func cancellationEndsBoth() {
        expect("1-----", ["1": "-a-b-c"], gives: "-a-b|", cancelled: 4)
    }

    @Test func aDroppedIteratorEndsBoth() {
        expect("1-----", ["1": "-a-b-c"], gives: "-a-b", limit: 2)
    }

    @Test func anErrorOfTheOuterCancelsTheInner() {
        let inner = stage.failing("-a-b-c-d")
        let outer = stage.source("1----#", failure: Broken()) { _ in inner }
        stage.expect(outer.switchToLatest(), gives: "-a-b-(c#)")
        #expect(inner.source.counts.cancelled == 1)
    }

    @Test func anErrorOfTheInnerCancelsTheOuter() {
        let inner = stage.failing("-a-#")
        let outer = stage.source("1-----2", failure: Broken()) { _ in inner }
        stage.expect(outer.switchToLatest(), gives: "-a-#")
        #expect(outer.source.counts.cancelled == 1)
    }

    @Test func anErrorOfAnOldInnerIsNotHeard() {
        let (old, new) = (stage.failing("-a----#", heedsCancellation: false), stage.failing("---x---y|"))
        let outer = stage.source("1--2-----|", failure: Broken()) { $0 == "1" ? old : new }
        stage.expect(outer.switchToLatest(), gives: "-a-x---y-|")
    }

    /// `Failure` is `Never` if neither sequence fails, else that of the one that does; otherwise this does not compile.
    @Test func keepsTheFailureTyped() async throws(Broken) {
        let never = TestSequence<TestSequence<String, Never>, Never>(source: TestSource())
        never.source.push(.end)
        for await _ in never.switchToLatest() {}
        let outer = TestSequence<TestSequence<String, Never>, Broken>(source: TestSource())
        outer.source.push(.end)
        for try await _ in outer.switchToLatest() {}
        let inner = TestSequence<TestSequence<String, Broken>, Never>(source: TestSource())
        inner.source.push(.end)
        for try await _ in inner.switchToLatest() {}
    }

    // MARK: Properties

    private struct Switching: Model {
        var asked = 0
        var said: [[Mark]]
        var current: Int?
        var isOuterOver = false
        var ending: Mark?

        mutating func deliver() -> Mark? {
            while ending == nil, let inner = current, !said[inner].isEmpty {
                switch said[inner].removeFirst() {
                case .element(let element): return .element(element)
                case .failure: ending = .failure
                case .end:
                    current = nil
                    if isOuterOver { ending = .end }
                }
            }
            return ending
        }
    }

    private final class Counter {
        var count = 0
    }

    @Test func doesWhatItsModelDoes() {
        for seed in 0..<3000 {
            let outer = TestSource<TestSequence<String, Broken>, Broken>()
            let inners = (0..<4).map { _ in TestSource<String, Broken>() }
            let stream = TestSequence(source: outer).switchToLatest()
            let script = Script(stream, model: Switching(said: inners.map { _ in [] }), seed: seed)
            var silent: Set<Int> = []
            var given = 0
            for moment in 0..<script.random.below(40) {
                switch script.random.below(10) {
                case 0...2 where script.random.once(in: 20): script.cancel()
                case 0...2: script.ask()
                case 3 where !script.model.isOuterOver:
                    let mark = given < inners.count ? script.random.mark("") : .end
                    switch mark {
                    case .element:
                        script.model.current = given
                        outer.push(.element(TestSequence(source: inners[given])))
                        given += 1
                    case .end:
                        outer.push(.end)
                        script.model.isOuterOver = true
                        if script.model.current == nil, script.model.ending == nil { script.model.ending = .end }
                    case .failure:
                        outer.push(.failure(Broken()))
                        script.model.isOuterOver = true
                        if script.model.ending == nil { script.model.ending = .failure }
                    }
                    script.check()
                case 4...9:
                    let inner = script.random.below(inners.count)
                    guard silent.isDisjoint(with: [inner]) else { continue }
                    let mark = script.random.mark("\(moment)")
                    if case .element = mark {} else { silent.insert(inner) }
                    inners[inner].say(mark)
                    script.model.said[inner].append(mark)
                    script.check()
                default: break
                }
            }
            script.close()
            #expect(outer.counts.iterators == 0 && outer.counts.violations == 0, "seed \(seed)")
            for inner in inners {
                #expect(inner.counts.iterators == 0 && inner.counts.violations == 0, "seed \(seed)")
            }
        }
    }

    @Test func noOldElementArrivesInAnySchedule() {
        chaos { chaos in
            let outer = TestSource<TestSequence<Item, Broken>, Broken>()
            let inners = (0..<4).map { _ in chaos.makeSource() }
            let ages = Log<Int>()
            let given = Counter()
            let isComplete = chaos.run(
                TestSequence(source: outer).switchToLatest(),
                onElement: { ages.note(outer.counts.read - 1 - $0.source) }, finish: { outer.push(.end) }
            ) {
                if given.count < inners.count, chaos.random.once(in: 6) {
                    outer.push(.element(inners[given.count]))
                    given.count += 1
                } else {
                    chaos.speak(chaos.random.below(inners.count))
                }
            }
            #expect(ages.all.allSatisfy { $0 == 0 }, "seed \(chaos.seed): an old inner sequence spoke.")
            for inner in inners.indices {
                let indices = chaos.items.filter { $0.source == inner }.map(\.index)
                #expect(indices == Array(0..<indices.count), "seed \(chaos.seed)")
            }
            let hasFailed = chaos.sources.contains { $0.isOver }
            if isComplete, !hasFailed, let last = given.count == 0 ? nil : chaos.sources[given.count - 1] {
                // The last inner sequence is not replaced, so all of its elements arrive.
                #expect(chaos.items.filter { $0.source == given.count - 1 }.count == last.sent, "seed \(chaos.seed)")
            }
            #expect(outer.counts.iterators == 0 && outer.counts.violations == 0, "seed \(chaos.seed)")
        }
    }
}
