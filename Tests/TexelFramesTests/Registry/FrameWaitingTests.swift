import Testing
import TexelCodecs
import TexelCore
import TexelPipeline

import TexelPixels
@testable import TexelFrames

@Suite("Waiting for frames of a texture", .onThreads)
struct FrameWaitingTests {
    @Test("A consumer's thread gets every count that it can keep up with, in order")
    func consumerGetsEveryCountInOrder() {
        let registry = TextureRegistry()
        let id = registry.register(LatestFrameTexture())
        let seen = Monitor<[Int]>([])
        let consumer = WorkerThread {
            var count = 0
            while let next = registry.waitForFrame(id, after: count) {
                count = next
                seen.update { $0.append(next) }
            }
        }
        for number in 1...200 {
            registry.textureFrameAvailable(id)
            // Wait until the consumer has seen this frame.
            _ = seen.wait { $0.last == number ? true : nil }
        }
        registry.unregister(id)
        consumer?.join()
        #expect(seen.withLock { $0 } == Array(1...200))
    }

    @Test("What was announced before is there at once")
    func earlierAnnouncementsAreSeenAtOnce() {
        let registry = TextureRegistry()
        let id = registry.register(LatestFrameTexture())
        for _ in 0..<3 { registry.textureFrameAvailable(id) }
        #expect(registry.waitForFrame(id) == 3)
        #expect(registry.waitForFrame(id, after: 2) == 3)
        #expect(registry.waitForFrame(id, after: 3, atMost: .zero) == nil)
        #expect(registry.waitForFrame(id, after: 3, atMost: .milliseconds(1)) == nil)
    }

    @Test("Whoever waits is told to stop")
    func stopEndsTheWait() {
        let registry = TextureRegistry()
        let texture = LatestFrameTexture()
        let id = registry.register(texture)
        let stop = StopToken()
        let waiting = WorkerThread { _ = registry.waitForFrame(id, stop: stop) }
        stop.cancel()
        waiting?.join()
        #expect(registry.waitForFrame(id, stop: stop) == nil)
        // The registry still works for other waiters.
        registry.textureFrameAvailable(id)
        #expect(registry.waitForFrame(id) == 1)
    }

    @Test("More threads than the registry has alarms: each is woken by a frame, and by the end")
    func everyWaitingThreadIsWoken() {
        let registry = TextureRegistry()
        let unregistered = Monitor(0)
        let id = registry.register(LatestFrameTexture { unregistered.withLock { $0 += 1 } })
        let arrived = Monitor(0)
        let threads = (0..<80).compactMap { _ in
            WorkerThread {
                var count = 0
                while let next = registry.waitForFrame(id, after: count) {
                    count = next
                    arrived.update { $0 += 1 }
                }
            }
        }
        #expect(threads.count == 80)
        for round in 1...3 {
            registry.textureFrameAvailable(id)
            _ = arrived.wait { $0 == 80 * round ? true : nil }
        }
        registry.unregister(id)
        for thread in threads { thread.join() }
        #expect(unregistered.withLock { $0 } == 1)
        #expect(registry.count == 0)
    }
}
