import Foundation
import TexelFrames

/// Measures the latency of a frame from its producer to a sleeping consumer: from before `publish` and
/// `textureFrameAvailable` until after `waitForFrame` and `copyPixelBuffer`. A frame every 2 ms, so that both threads
/// are idle in between.
struct HandOver {
    private let registry = TextureRegistry()
    private let texture = LatestFrameTexture()
    private let pool = FramePool(capacity: 4)
    private let clock = SystemFrameClock()

    func run(count: Int) throws {
        let id = registry.register(texture)
        let finished = DispatchSemaphore(value: 0)
        let times = FrameTimes(capacity: count + Self.warmUp)
        Thread.detachNewThread { [registry, clock] in
            var seen = 0
            while let next = registry.waitForFrame(id, after: seen) {
                seen = next
                if let frame = registry.copyPixelBuffer(id) { times.add(clock.now - frame.arrival) }
            }
            finished.signal()
        }
        for index in 0..<count + Self.warmUp {
            usleep(2000)
            let frame = try pool.makeFrameIfFree(size: .init(width: 1920, height: 1080), time: .zero, index: index) {
                _, _ in
            }
            guard var frame else { continue }
            frame.arrival = clock.now
            texture.publish(frame)
            registry.textureFrameAvailable(id)
        }
        usleep(100_000)
        registry.unregister(id)
        finished.wait()
        let counted = times.microseconds.dropFirst(Self.warmUp)
        print("\(counted.count) frames")
        FrameTimes.report(counted)
    }

    private static let warmUp = 100
}
