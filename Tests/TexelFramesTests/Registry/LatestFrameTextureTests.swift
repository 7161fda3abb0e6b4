import Testing
import TexelCodecs
import TexelCore
import TexelPipeline
import TexelPixels

@testable import TexelFrames

@Suite("Texture of the latest frame", .onThreads)
struct LatestFrameTextureTests {
    @Test("It shows the latest frame, whole and with its times, as often as it is asked")
    func textureShowsTheLatestFrame() throws {
        let pool = FramePool(capacity: 3)
        let texture = LatestFrameTexture()
        #expect(texture.latestFrame().isThere == false)
        for number in 1...100 {
            let frame = try NumberedFrames.make(number, in: pool)
            let isSeen = texture.publish(frame)
            #expect(isSeen)
            for _ in 0..<2 {
                let shown = try texture.latestFrame().orFail()
                #expect(NumberedFrames.number(of: shown) == number)
            }
            #expect(pool.freeCount == 2)
        }
        texture.clear()
        #expect(pool.freeCount == 3)
        #expect(texture.latestFrame().isThere == false)
    }

    @Test("Consumers that keep their frames keep their buffers, and no others")
    func heldFramesKeepTheirBuffers() throws {
        let pool = FramePool(capacity: 3)
        let texture = LatestFrameTexture()
        texture.publish(try NumberedFrames.make(1, in: pool))
        let first = try texture.latestFrame().orFail()
        texture.publish(try NumberedFrames.make(2, in: pool))
        let second = try texture.latestFrame().orFail()
        texture.publish(try NumberedFrames.make(3, in: pool))

        // The documented limit: the pool is exhausted, and the texture keeps the frame published last.
        let fourth = try NumberedFrames.makeIfFree(4, in: pool)
        #expect(fourth.isThere == false)
        #expect(texture.latestFrame()?.index == 3)
        #expect(NumberedFrames.number(of: first) == 1)
        #expect(NumberedFrames.number(of: second) == 2)

        _ = consume first
        #expect(pool.freeCount == 1)
        texture.publish(try NumberedFrames.make(5, in: pool))
        #expect(texture.latestFrame()?.index == 5)
        #expect(pool.freeCount == 1)
        #expect(second.index == 2)
    }

    @Test("The same picture may be published again with another time")
    func sameImageMayBePublishedAgain() throws {
        let pool = FramePool(capacity: 1)
        let texture = LatestFrameTexture()
        texture.publish(try NumberedFrames.make(1, in: pool))
        let first = try texture.latestFrame().orFail()
        var again = first.shared()
        again.time = .seconds(9)
        texture.publish(again)
        #expect(texture.latestFrame()?.time == .seconds(9))
        #expect(first.time == .milliseconds(1))
        texture.clear()
        #expect(pool.freeCount == 0)
        _ = consume first
        #expect(pool.freeCount == 1)
    }

    @Test("A texture that ends gives its frame back")
    func releasedTextureReturnsItsFrame() throws {
        let pool = FramePool(capacity: 1)
        var texture: LatestFrameTexture? = LatestFrameTexture()
        texture?.publish(try NumberedFrames.make(1, in: pool))
        #expect(pool.freeCount == 0)
        texture = nil
        #expect(pool.freeCount == 1)
    }

    @Test("Producers and consumers of one texture: no frame is torn, none goes back in time, all buffers come home")
    func concurrentUseTearsNoFrame() throws {
        let pools = (0..<2).map { _ in FramePool(capacity: 6) }
        let texture = LatestFrameTexture()
        let stop = StopToken()
        let torn = Monitor(0)
        let consumers = (0..<3).compactMap { _ in
            WorkerThread {
                // One producer publishes even numbers, the other odd ones, each in order.
                var newest = [0, 0]
                while !stop.isStopped {
                    guard let frame = texture.latestFrame() else { continue }
                    let isInOrder = frame.index >= newest[frame.index % 2]
                    newest[frame.index % 2] = frame.index
                    if !isInOrder || NumberedFrames.number(of: frame) == nil { torn.withLock { $0 += 1 } }
                }
            }
        }
        let producers = (0..<2).compactMap { producer in
            WorkerThread {
                var number = 2 + producer
                while number < 2000 {
                    guard let frame = try? NumberedFrames.makeIfFree(number, in: pools[producer]) else { continue }
                    texture.publish(frame)
                    number += 2
                }
            }
        }
        #expect(consumers.count == 3 && producers.count == 2)
        for producer in producers { producer.join() }
        stop.cancel()
        for consumer in consumers { consumer.join() }
        #expect(torn.withLock { $0 } == 0)
        let last = texture.latestFrame()?.index
        #expect(last == 1998 || last == 1999)
        texture.clear()
        #expect(pools.map(\.freeCount) == [6, 6])
    }
}
