import Foundation
import Synchronization
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

@Suite(.timeLimit(.minutes(30))) struct ArrivingBytesTests {
    @Test func whatIsAppendedIsThere() throws {
        var generator = SeededGenerator(seed: 1)
        let bytes = [UInt8].random(count: 3_000_001, using: &generator)
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 30)
        let input = InputBytes(arriving)
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + Int.random(in: 0...400_000, using: &generator))
            try arriving.append(bytes, position..<end)
            position = end
            #expect(arriving.count == position)
            #expect(input.countSoFar == position && input.wholeCount == nil)
        }
        arriving.finish()
        #expect(input.wholeCount == bytes.count)
        #expect(Array(input) == bytes)
    }

    @Test func bytesBeyondTheLimitAreRefused() throws {
        #expect(throws: TexelError.limitExceeded(.inputBytes, value: 11, allowed: 10)) {
            try ArrivingBytes(expectedCount: 11, limit: 10)
        }
        let arriving = try ArrivingBytes(expectedCount: 4, limit: 10)
        try arriving.append([1, 2, 3], 0..<3)
        #expect(throws: TexelError.limitExceeded(.inputBytes, value: 5, allowed: 4)) {
            try arriving.append([4, 5], 0..<2)
        }
        #expect(arriving.count == 3)
        let empty = try ArrivingBytes(expectedCount: 0, limit: 10)
        empty.finish()
        #expect(Outcome(empty) == .failure(.empty))
    }

    /// The first bytes are checked once, when all of them have arrived.
    @Test func firstBytesAreCheckedOnce() throws {
        let check = ArrivingBytes.HeadCheck(byteCount: 4) { head throws(TexelError) in
            if head[3] != 3 { throw .unknownFormat(firstBytes: Array(head), readable: []) }
        }
        for (pieces, isAccepted) in [
            ([[0, 1, 2], [3], [4]], true), ([[0, 1, 2, 3, 4], [9]], true), ([[9, 9, 9]], true),
            ([[0, 1, 2], [9, 9]], false), ([[9, 9, 9, 9]], false),
        ] as [([[UInt8]], Bool)] {
            let arriving = try ArrivingBytes(expectedCount: nil, limit: 10, headCheck: check)
            var wasAccepted = true
            for piece in pieces {
                do { try arriving.append(piece, 0..<piece.count) } catch { wasAccepted = false }
            }
            #expect(wasAccepted == isAccepted && (arriving.count == pieces.joined().count) == isAccepted)
        }
    }

    /// Many objects at once need only address space: each reserves a gigabyte.
    @Test func manyAtOnce() throws {
        let all = try (0..<200).map { _ in try ArrivingBytes(expectedCount: nil, limit: 1 << 30) }
        for (index, bytes) in all.enumerated() { try bytes.append([UInt8(index)], 0..<1) }
        for (index, bytes) in all.enumerated() { #expect(Array(InputBytes(bytes)[0..<1]) == [UInt8(index)]) }
    }

    /// A reservation that is too small is extended if the following addresses are free.
    @Test func memoryGrows() throws {
        let memory = try #require(ReservedMemory(byteCount: 1))
        #expect(memory.makeWritable(1))
        memory.base.storeBytes(of: 7, as: UInt8.self)
        // Whether the following addresses are free depends on the process; used ones must not be taken.
        if memory.makeWritable(1 << 20) { memory.base.storeBytes(of: 8, toByteOffset: (1 << 20) - 1, as: UInt8.self) }
        #expect(memory.base.load(as: UInt8.self) == 7)
        #expect(ReservedMemory(byteCount: 1 << 60) != nil)
    }

    // MARK: Stopping

    private static let stopped = ["photograph.jpg", "progressive.jpg", "photograph.png", "interlaced-rgba.png"]

    /// Decodes on a thread that waits for bytes, and ends the wait with `act`.
    private func ending(
        _ name: String, after count: Int, _ stop: StopToken?, _ act: @Sendable (ArrivingBytes) -> Void
    ) async throws -> Outcome {
        let bytes = try TestFolders.testImage(name)
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 30)
        try arriving.append(bytes, 0..<min(count, bytes.count - 20))
        var options = DecodeOptions()
        options.stop = stop
        let fixed = options
        async let outcome = onThread { Outcome(arriving, fixed) }
        act(arriving)
        return await outcome
    }

    @Test(arguments: stopped, [0, 5, 200, 6000, .max])
    func sourceFailureStopsDecoding(name: String, count: Int) async throws {
        let outcome = try await ending(name, after: count, nil) { $0.fail() }
        #expect(outcome == .failure(.stopped(.sourceFailed)))
    }

    @Test(arguments: stopped, [0, 5, 200, 6000, .max]) func cancellingEndsAWait(name: String, count: Int) async throws {
        let isCancelled = Atomic(false)
        let stop = StopToken { isCancelled.load(ordering: .relaxed) ? .cancelled : nil }
        let outcome = try await ending(name, after: count, stop) { bytes in
            isCancelled.store(true, ordering: .relaxed)
            bytes.wake()
        }
        #expect(outcome == .failure(.stopped(.cancelled)))
    }

    /// Without any change, the waiting thread polls the stop token by itself.
    @Test func waitingThreadPollsTheStopToken() async throws {
        let questions = Atomic(0)
        let stop = StopToken {
            questions.add(1, ordering: .relaxed).newValue > 3 ? .timedOut : nil
        }
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 100)
        var options = DecodeOptions()
        options.stop = stop
        let fixed = options
        #expect(await onThread { Outcome(arriving, fixed) } == .failure(.stopped(.timedOut)))
    }

    /// A stop is not treated as damage, even under the strictness `none`.
    @Test(arguments: stopped) func failureIsNoDamage(name: String) async throws {
        let bytes = try TestFolders.testImage(name)
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 30)
        try arriving.append(bytes, 0..<(bytes.count / 2))
        arriving.fail()
        arriving.finish()
        var options = DecodeOptions()
        options.policy.strictness = .none
        #expect(Outcome(arriving, options) == .failure(.stopped(.sourceFailed)))
    }

    @Test func readersOfTheSameBytesEndIndependently() async throws {
        let bytes = try TestFolders.testImage("photograph.png")
        let arriving = try ArrivingBytes(expectedCount: bytes.count, limit: bytes.count)
        let whole = Outcome(bytes)
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for index in 0..<6 {
                group.addTask {
                    await onThread {
                        var options = DecodeOptions()
                        if index % 2 == 1 { options.stop = StopToken { .cancelled } }
                        return Outcome(arriving, options)
                    }
                }
            }
            var generator = SeededGenerator(seed: 2)
            try arriving.feed(bytes, largest: 2000, using: &generator)
            var (same, cancelled) = (0, 0)
            for try await outcome in group {
                if outcome == whole { same += 1 }
                if outcome == .failure(.stopped(.cancelled)) { cancelled += 1 }
            }
            #expect(same == 3 && cancelled == 3)
        }
    }
}
