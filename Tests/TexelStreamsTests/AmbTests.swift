import Testing
import TexelStreams

@Suite(.timeLimit(.minutes(30))) struct AmbTests {
    private let stage = Stage()

    @Test func theFirstElementWins() {
        let first = stage.source("----a-b--|")
        stage.expect(amb(first, stage.source("--c---d--|")), gives: "--c---d--|")
        #expect(first.source.counts.cancelled == 1)
    }

    @Test func anEndSpeaksToo() {
        stage.expect(amb(stage.source("----a-b--|"), stage.source("--|")), gives: "--|")
    }

    @Test func anErrorSpeaksToo() {
        stage.expect(amb(stage.failing("----a-b--|"), stage.failing("--#")), gives: "--#")
    }

    @Test func theWinnersErrorIsTheStreams() {
        stage.expect(amb(stage.failing("-a-b-#"), stage.failing("--c-d-|")), gives: "-a-b-#")
    }

    @Test func ambOfThreeFollowsTheFirstElement() {
        stage.expect(
            amb(stage.source("---a|"), stage.source("--b--c|"), stage.source("----d|")), gives: "--b--c|")
    }

    @Test func ofACollection() {
        let bases = ["-----a|", "---b--c--|", "----d|", "-------e|"].map { stage.source(Marbles(stringLiteral: $0)) }
        stage.expect(amb(bases), gives: "---b--c--|")
    }

    @Test func ambOfNoSequencesEndsAtOnce() {
        stage.expect(amb([TestSequence<String, Never>]()), gives: "|")
    }

    @Test func ofSequencesThatFailInDifferentWays() {
        stage.expect(amb(stage.source("---a|"), stage.failing("-b-#")), gives: "-b-#")
    }

    @Test func ofThreeThatFailInDifferentWays() {
        stage.expect(amb(stage.source("---a|"), stage.failing("-b-#"), stage.source("--|")), gives: "-b-#")
    }

    @Test func cancellationBeforeAnyoneSpoke() {
        stage.expect(amb(stage.source("----a|"), stage.source("-----c|")), gives: "--|", cancelled: 2)
    }

    @Test func cancellationOfTheWinner() {
        stage.expect(amb(stage.source("-a-----b|"), stage.source("-----c|")), gives: "-a---|", cancelled: 5)
    }

    @Test func aDroppedIteratorEndsTheWinner() {
        stage.expect(amb(stage.source("-a-b---c|"), stage.source("-----c|")), gives: "-a-b", limit: 2)
    }

    @Test func theWinnerIsReadOnlyWhenAsked() {
        let winner = stage.source("abcdef")
        stage.expect(amb(winner, stage.source("----x")), gives: "a---b", asks: "a---a")
        #expect(winner.source.counts.read == 2)
    }

    /// `Failure` is `Never` if no sequence fails; otherwise this does not compile.
    @Test func keepsTheFailureTyped() async {
        // Each sequence can be read only once.
        func ended() -> TestSequence<String, Never> {
            let source = TestSource<String, Never>()
            source.push(.end)
            return TestSequence(source: source)
        }
        for await _ in amb(ended(), ended()) {}
        for await _ in amb([ended(), ended()]) {}
    }

    // MARK: Properties

    private struct First: Model {
        var asked = 0
        var winner: Int?
        var said: [Mark] = []

        mutating func deliver() -> Mark? {
            guard let mark = said.first else { return nil }
            // An end or error is not consumed.
            if case .element = mark { said.removeFirst() }
            return mark
        }
    }

    @Test func doesWhatItsModelDoes() {
        for seed in 0..<3000 {
            let bases = (0..<3).map { _ in TestSource<String, Broken>() }
            let sequences = bases.map { TestSequence(source: $0) }
            let stream = amb(sequences)
            let script = Script(stream, model: First(), seed: seed)
            var silent: Set<Int> = []
            for moment in 0..<script.random.below(20) {
                switch script.random.below(3) {
                case 0 where script.random.once(in: 15): script.cancel()
                case 0: script.ask()
                default:
                    let place = script.random.below(bases.count)
                    guard !silent.contains(place) else { continue }
                    let mark = script.random.mark("\(moment)")
                    if case .element = mark {} else { silent.insert(place) }
                    bases[place].say(mark)
                    if script.model.winner == nil { script.model.winner = place }
                    if script.model.winner == place { script.model.said.append(mark) }
                    script.check()
                    for (other, base) in bases.enumerated() where other != script.model.winner {
                        #expect(base.counts.iterators == (script.model.winner == nil ? 1 : 0), "seed \(seed)")
                    }
                }
                if script.isOver { break }
            }
            script.close()
            for base in bases { #expect(base.counts.iterators == 0 && base.counts.violations == 0, "seed \(seed)") }
        }
    }

    @Test func oneSpeaksAllOfItselfInAnySchedule() {
        chaos { chaos in
            let sources = (0..<3).map { _ in chaos.makeSource() }
            let isComplete = chaos.run(amb(sources)) { chaos.speak(chaos.random.below(3)) }
            let items = chaos.items
            #expect(Set(items.map(\.source)).count <= 1, "seed \(chaos.seed)")
            #expect(items.map(\.index) == Array(0..<items.count), "seed \(chaos.seed)")
            if isComplete, let winner = items.first?.source {
                #expect(items.count == chaos.sources[winner].sent, "seed \(chaos.seed)")
            }
        }
    }
}
