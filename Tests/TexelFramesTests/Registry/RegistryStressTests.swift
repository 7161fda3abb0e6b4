import Foundation
import Synchronization
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPipeline

import TexelPixels
@testable import TexelFrames

/// Registers and unregisters textures at random while several threads publish and copy frames. `make stress` runs it
/// for minutes under the thread sanitizer; TEXEL_STRESS_STEPS sets the number of steps per producer.
@Suite("Texture registry under stress", .onThreads)
struct RegistryStressTests {
    /// A texture and its frame pool.
    fileprivate final class Stream: Sendable {
        let pool = FramePool(capacity: 4, memory: CountedMemory())
        let releases = Releases()
        let texture: LatestFrameTexture

        init() {
            texture = LatestFrameTexture { [releases] in releases.count.add(1, ordering: .relaxed) }
        }
    }

    /// Counts live pools: released with its pool, once all buffers were returned.
    private final class CountedMemory: FrameMemory {
        static let alive = Atomic(0)
        private let memory = PrivateFrameMemory()

        init() { Self.alive.add(1, ordering: .relaxed) }
        deinit { Self.alive.subtract(1, ordering: .relaxed) }

        func allocate(slot: Int, byteCount: Int) throws(TexelError) -> UnsafeMutableRawBufferPointer {
            try memory.allocate(slot: slot, byteCount: byteCount)
        }
        func willWrite(slot: Int) {}
        func free(slot: Int) { memory.free(slot: slot) }
    }

    fileprivate final class Releases: Sendable { let count = Atomic(0) }

    /// The state shared by all threads.
    fileprivate final class Shared: Sendable {
        /// The number of producers with steps left.
        let activeProducers = Atomic(RegistryStressTests.threadCount)
        let registry = TextureRegistry()
        /// The textures that should be registered.
        let streams = Monitor<[(id: TextureID, stream: Stream)]>([])
        /// How often each former texture was released.
        let ended = Monitor<[Releases]>([])
        let tally = Monitor(Tally())
    }

    fileprivate struct Tally {
        var published = 0
        var unseen = 0
        var copied = 0
        var torn = 0
        var registered = 0
    }

    /// The number of producers, and of consumers.
    private static let threadCount = 3

    @Test("No frame is torn, every texture hears of its end once, every buffer comes home")
    func randomUseTearsAndLosesNothing() throws {
        let steps = ProcessInfo.processInfo.environment["TEXEL_STRESS_STEPS"].flatMap { Int($0) } ?? 20_000
        let shared = Shared()
        let producers = (0..<Self.threadCount).compactMap { seed in
            WorkerThread { Self.produce(steps: steps, seed: UInt64(seed), shared) }
        }
        let consumers = (0..<Self.threadCount).compactMap { seed in
            WorkerThread { Self.consume(seed: 100 + UInt64(seed), shared) }
        }
        #expect(producers.count == Self.threadCount && consumers.count == Self.threadCount)
        for thread in producers + consumers { thread.join() }

        for (id, stream) in shared.streams.withLock({ $0 }) {
            // Another thread may have unregistered it already.
            shared.registry.unregister(id)
            shared.ended.withLock { $0.append(stream.releases) }
        }
        shared.streams.withLock { $0 = [] }
        #expect(shared.registry.count == 0)
        let ended = shared.ended.withLock { $0 }
        let tally = shared.tally.withLock { $0 }
        #expect(ended.count == tally.registered)
        #expect(ended.allSatisfy { $0.count.load(ordering: .relaxed) == 1 })
        #expect(CountedMemory.alive.load(ordering: .relaxed) == 0)
        #expect(tally.torn == 0)
        #expect(tally.unseen == 0)
        #expect(tally.published > 0 && tally.copied > 0)
        print("\(tally.registered) textures, \(tally.published) frames published and \(tally.copied) copied")
    }

    /// Starts and stops streams, and mostly publishes frames on any of them.
    private static func produce(steps: Int, seed: UInt64, _ shared: Shared) {
        var generator = SeededGenerator(seed: seed)
        var tally = Tally()
        for _ in 0..<steps {
            let count = shared.streams.withLock { $0.count }
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<5 where count < 12:
                let stream = Stream()
                let id = shared.registry.register(stream.texture)
                tally.registered += 1
                shared.streams.withLock { $0.append((id, stream)) }
            case 5..<8 where count > 0:
                let pick = Int.random(in: 0..<count, using: &generator)
                let gone = shared.streams.withLock { pick < $0.count ? $0.remove(at: pick) : nil }
                guard let gone else { break }
                shared.registry.unregister(gone.id)
                shared.ended.withLock { $0.append(gone.stream.releases) }
            default:
                guard count > 0 else { break }
                let pick = Int.random(in: 0..<count, using: &generator)
                let chosen = shared.streams.withLock { pick < $0.count ? $0[pick] : nil }
                guard let (id, stream) = chosen,
                    let frame = try? NumberedFrames.makeIfFree(
                        Int.random(in: 1...1_000_000, using: &generator), in: stream.pool)
                else { break }
                if stream.texture.publish(frame) { tally.published += 1 } else { tally.unseen += 1 }
                shared.registry.textureFrameAvailable(id)
            }
        }
        shared.add(tally)
        shared.activeProducers.subtract(1, ordering: .relaxed)
    }

    /// Copies frames of any texture, including unregistered ones, keeps some for a while, waits, and sometimes
    /// unregisters another thread's texture. Runs for at least 1,000 steps and until the producers have ended.
    private static func consume(seed: UInt64, _ shared: Shared) {
        var generator = SeededGenerator(seed: seed)
        var tally = Tally()
        var id = TextureID(rawValue: 0)
        var kept: Frame?
        var steps = 0
        while steps < 1000 || shared.activeProducers.load(ordering: .relaxed) > 0 {
            steps += 1
            let action = Int.random(in: 0..<1000, using: &generator)
            if action < 200 {
                let count = shared.streams.withLock { $0.count }
                let pick = Int.random(in: 0...count, using: &generator)
                if let other = shared.streams.withLock({ pick < $0.count ? $0[pick].id : nil }) { id = other }
            } else if action < 203 {
                shared.registry.unregister(id)
            } else if action < 300 {
                _ = shared.registry.waitForFrame(
                    id, after: shared.registry.frameCount(id) ?? 0, atMost: .milliseconds(1))
            } else if let frame = shared.registry.copyPixelBuffer(id) {
                tally.copied += 1
                if NumberedFrames.number(of: frame) == nil { tally.torn += 1 }
                if action < 400 { kept = consume frame }
            }
            if action == 999 {
                if let frame = kept.take(), NumberedFrames.number(of: frame) == nil { tally.torn += 1 }
            }
        }
        shared.add(tally)
    }
}

extension RegistryStressTests.Shared {
    fileprivate func add(_ part: RegistryStressTests.Tally) {
        tally.withLock { sum in
            sum.published += part.published
            sum.unseen += part.unseen
            sum.copied += part.copied
            sum.torn += part.torn
            sum.registered += part.registered
        }
    }
}
