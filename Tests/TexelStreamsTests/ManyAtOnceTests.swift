import Testing
import TexelStreams

/// Runs many operators in parallel on real threads, for the thread sanitizer and for behaviour that no single-threaded
/// schedule can show. The results do not depend on timing.
@Suite(.timeLimit(.minutes(30))) struct ManyAtOnceTests {
    private static let streams = 64
    private static let elements = 200

    /// A base that produces numbers as fast as its thread can.
    private func numbers() -> AsyncStream<Int> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        Task {
            for number in 0..<Self.elements { continuation.yield(number) }
            continuation.finish()
        }
        return stream
    }

    /// Reads a stream many times in parallel.
    private func everywhere<Stream: AsyncSequence & Sendable>(
        _ make: @escaping @Sendable () -> Stream
    ) async throws -> [[Int]] where Stream.Element == Int {
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<Self.streams {
                group.addTask {
                    var got: [Int] = []
                    for try await number in make() { got.append(number) }
                    return got
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func boundedStreamsKeepAllElements() async throws {
        for got in try await everywhere({ numbers().bounded(3) }) { #expect(got == Array(0..<Self.elements)) }
    }

    @Test func throttledStreamsEndWithTheLastElement() async throws {
        for got in try await everywhere({ numbers().throttled(for: .zero) }) {
            #expect(got == got.sorted() && got.last == Self.elements - 1)
        }
    }

    @Test func firstToSpeak() async throws {
        for got in try await everywhere({ amb(numbers(), numbers().map { -$0 - 1 }) }) {
            #expect(got.map { $0 < 0 ? -$0 - 1 : $0 } == Array(0..<Self.elements))
            #expect(Set(got.map { $0 < 0 }).count == 1)
        }
    }

    @Test func latestStreamsReplaceEarlierOnes() async throws {
        let streams = try await everywhere {
            numbers().map { outer in
                [outer * 10, outer * 10 + 1, outer * 10 + 2].async
            }.switchToLatest()
        }
        for got in streams {
            #expect(got == got.sorted() && got.suffix(3) == [0, 1, 2].map { (Self.elements - 1) * 10 + $0 })
        }
    }

    @Test func callbackStreamsKeepAllElements() async throws {
        let streams = try await everywhere {
            AsyncCallbackSequence<Int, Never> { sink in
                let task = Task {
                    for number in 0..<Self.elements { sink.send(number) }
                    sink.finish()
                }
                return { task.cancel() }
            }
        }
        for got in streams { #expect(got == Array(0..<Self.elements)) }
    }

    /// Cancels endless streams at random times: every consumer returns.
    @Test func cancelledStreamsEnd() async {
        await withTaskGroup(of: Void.self) { group in
            for place in 0..<Self.streams * 4 {
                group.addTask {
                    let endless = AsyncStream<Int> { continuation in
                        for number in 0..<place { continuation.yield(number) }
                    }
                    let reading = Task {
                        switch place % 4 {
                        case 0: for await _ in endless.bounded(2) {}
                        case 1: for await _ in endless.throttled(for: .seconds(3600)) {}
                        case 2: for await _ in amb(endless, AsyncStream { _ in }) {}
                        default: for await _ in endless.map({ _ in AsyncStream<Int> { _ in } }).switchToLatest() {}
                        }
                    }
                    for _ in 0..<place % 7 { await Task.yield() }
                    reading.cancel()
                    await reading.value
                }
            }
        }
    }
}
