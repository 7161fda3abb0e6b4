import Testing

@testable import TexelStreams

@Suite struct QueueTests {
    @Test func isFirstInFirstOut() {
        for seed in 0..<50 {
            var random = Random(seed: seed)
            var (queue, model) = (Queue<Int>(), [Int]())
            for number in 0..<500 {
                // The queue grows first, then shrinks.
                if random.below(500) > number {
                    queue.append(number)
                    model.append(number)
                } else {
                    #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()), "seed \(seed)")
                }
                #expect(queue.count == model.count, "seed \(seed)")
            }
        }
    }
}
