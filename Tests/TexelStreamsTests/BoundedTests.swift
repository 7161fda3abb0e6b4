import Testing
import TexelStreams

@Suite(.timeLimit(.minutes(30))) struct BoundedTests {
    private let stage = Stage()

    @Test func readsAheadAndWaits() {
        let base = stage.source("abcdef|")
        // At tick 7 two elements are buffered, and d is not read until there is room.
        stage.expect(base.bounded(2), gives: "a------", asks: "a------", after: 0)
        #expect(base.source.counts.read == 3)
    }

    @Test func keepsStepWithASlowConsumer() {
        stage.expect(stage.source("ab-cd---|").bounded(2), gives: "a---b-c-d--|", asks: "a---a-a-a--a")
    }

    @Test func whatIsBufferedComesBeforeTheEnd() {
        stage.expect(stage.source("abc|").bounded(3), gives: "a----(bc|)", asks: "a----(aaa)")
    }

    @Test func whatIsBufferedComesBeforeTheError() {
        stage.expect(stage.failing("abc#").bounded(3), gives: "a----(bc#)", asks: "a----(aaa)")
    }

    @Test func dropsTheOldest() {
        let dropped = Log<String>()
        let stream = stage.source("abcdef|").bounded(2, policy: .dropsOldest, onDrop: dropped.note)
        stage.expect(stream, gives: "a------ef|", asks: "a------aaa")
        #expect(dropped.all == ["b", "c", "d"])
    }

    @Test func dropsTheNewest() {
        let dropped = Log<String>()
        let stream = stage.source("abcdef|").bounded(2, policy: .dropsNewest, onDrop: dropped.note)
        stage.expect(stream, gives: "a------bc|", asks: "a------aaa")
        #expect(dropped.all == ["d", "e", "f"])
    }

    @Test func cancellationDropsWhatIsBuffered() {
        stage.expect(stage.source("abcdef").bounded(2), gives: "a--|", asks: "a-----", cancelled: 3)
    }

    @Test func cancellationWhileItWaits() {
        stage.expect(stage.source("ab------c").bounded(2), gives: "ab---|", cancelled: 5)
    }

    @Test(arguments: [BoundedBufferPolicy.suspendsProducer, .dropsOldest, .dropsNewest])
    func aDroppedIteratorReleasesTheBase(policy: BoundedBufferPolicy) {
        stage.expect(stage.source("abcdef").bounded(2, policy: policy), gives: "ab", limit: 2)
    }

    @Test func aDroppedSequenceReadsNothing() {
        let base = stage.source("abc|")
        _ = base.bounded(2).makeAsyncIterator()
        stage.executor.settle()
        #expect(base.source.counts == .init())
    }

    /// `Failure` is `Never` if the base's is; otherwise this does not compile.
    @Test func keepsTheFailureTyped() async {
        let base = TestSequence<String, Never>(source: TestSource())
        base.source.push(.end)
        for await _ in base.bounded(1) {}
    }

    // MARK: Properties

    private struct Buffering: Model {
        let capacity: Int
        let policy: BoundedBufferPolicy
        var asked = 0
        var unread: [Mark] = []
        var buffer: [String] = []
        var dropped: [String] = []
        var ending: Mark?

        mutating func read() {
            while !unread.isEmpty, policy != .suspendsProducer || buffer.count < capacity {
                let mark = unread.removeFirst()
                guard case .element(let element) = mark else {
                    ending = mark
                    return
                }
                buffer.append(element)
                guard buffer.count > capacity else { continue }
                dropped.append(policy == .dropsOldest ? buffer.removeFirst() : buffer.removeLast())
            }
        }

        mutating func deliver() -> Mark? {
            read()
            guard !buffer.isEmpty else { return ending }
            defer { read() }
            return .element(buffer.removeFirst())
        }
    }

    @Test(arguments: [BoundedBufferPolicy.suspendsProducer, .dropsOldest, .dropsNewest])
    func doesWhatItsModelDoes(policy: BoundedBufferPolicy) {
        for seed in 0..<2000 {
            let base = TestSource<String, Broken>()
            let dropped = Log<String>()
            let capacity = 1 + seed % 4
            let stream = TestSequence(source: base).bounded(capacity, policy: policy, onDrop: dropped.note)
            let script = Script(stream, model: Buffering(capacity: capacity, policy: policy), seed: seed)
            var (pushed, isSilent) = (0, false)
            for moment in 0..<script.random.below(50) {
                switch script.random.below(5) {
                case 0 where script.random.once(in: 20): script.cancel()
                case 0, 1: script.ask()
                default:
                    guard !isSilent, !script.isOver else { continue }
                    let mark = script.random.mark("\(moment)")
                    if case .element = mark { pushed += 1 } else { isSilent = true }
                    base.say(mark)
                    script.model.unread.append(mark)
                    script.check()
                    script.model.read()
                    #expect(dropped.all == script.model.dropped, "seed \(seed)")
                    let unread = script.model.unread.count { if case .element = $0 { true } else { false } }
                    #expect(base.counts.read == pushed - unread, "seed \(seed)")
                }
            }
            script.close()
            #expect(base.counts.iterators == 0 && base.counts.violations == 0, "seed \(seed)")
        }
    }

    @Test(arguments: [BoundedBufferPolicy.suspendsProducer, .dropsOldest, .dropsNewest])
    func losesNothingUntoldInAnySchedule(policy: BoundedBufferPolicy) {
        chaos { chaos in
            let dropped = Log<String>()
            let isComplete = chaos.run(
                chaos.makeSource().bounded(2, policy: policy, onDrop: { dropped.note("\($0.index)") })
            ) {
                chaos.speak(0)
                let ahead = chaos.sources[0].source.counts.read - chaos.items.count
                if policy == .suspendsProducer { #expect(ahead <= 2, "seed \(chaos.seed)") }
            }
            let indices = chaos.items.map(\.index)
            #expect(indices == indices.sorted(), "seed \(chaos.seed)")
            let told = indices + dropped.all.compactMap { Int($0) }
            if isComplete { #expect(told.sorted() == Array(0..<chaos.sources[0].sent), "seed \(chaos.seed)") }
            if policy == .suspendsProducer { #expect(dropped.all.isEmpty, "seed \(chaos.seed)") }
        }
    }
}
