import Foundation
import TexelFrames

/// How long a frame takes from its producer to a consumer that sleeps: from before `publish` and `textureFrameAvailable`
/// until after `waitForFrame` and `copyPixelBuffer`. A frame every two milliseconds, so that both threads are idle.
struct HandOver {
    private let registry = TextureRegistry()
    private let texture = LatestFrameTexture()
    private let pool = FramePool(capacity: 4)
    private let clock = SystemFrameClock()

    func run(count: Int) throws {
        let id = registry.register(texture)
        let finished = DispatchSemaphore(value: 0)
        let times = Times()
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
        times.report()
    }

    private static let warmUp = 100

    /// Unchecked because one thread adds, and the other reads when that has ended.
    private final class Times: @unchecked Sendable {
        private var microseconds: [Double] = []

        func add(_ duration: Duration) { microseconds.append(duration / .microseconds(1)) }

        func report() {
            let sorted = microseconds.dropFirst(HandOver.warmUp).sorted()
            guard let last = sorted.last else { return print("no frame came") }
            print("\(sorted.count) frames")
            for percentile in [50, 90, 95, 99, 99.9] {
                let time = sorted[Int(Double(sorted.count - 1) * percentile / 100)]
                print(String(format: "p%-5g %8.1f µs", percentile, time))
            }
            print(String(format: "max    %8.1f µs", last))
            var lower = 0.0
            for upper in [2.0, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 200, 500, 1000, .infinity] {
                let count = sorted.count { $0 >= lower && $0 < upper }
                if count > 0 {
                    let bar = String(repeating: "#", count: max(1, count * 60 / sorted.count))
                    print(String(format: "%6.0f… %6d ", lower, count) + bar)
                }
                lower = upper
            }
        }
    }
}
