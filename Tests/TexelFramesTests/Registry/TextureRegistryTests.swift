import Synchronization
import Testing
import TexelCodecs
import TexelCore
import TexelPNG
import TexelPipeline
import TexelPixels

@testable import TexelFrames

@Suite("Texture registry", .onThreads)
struct TextureRegistryTests {
    /// A texture whose copies wait until the test continues them.
    private final class SlowTexture: Texture {
        let texture = LatestFrameTexture()
        let step = Monitor(Step.idle)
        let unregisteredCount = Atomic(0)

        enum Step { case idle, copying, released }

        func copyPixelBuffer() -> Frame? {
            step.update { if $0 == .idle { $0 = .copying } }
            _ = step.wait { $0 == .released ? true : nil }
            return texture.latestFrame()
        }

        func textureUnregistered() { unregisteredCount.add(1, ordering: .relaxed) }
    }

    private final class CountedTexture: Texture {
        static let alive = Atomic(0)
        static let unregistered = Atomic(0)

        init() { Self.alive.add(1, ordering: .relaxed) }
        deinit { Self.alive.subtract(1, ordering: .relaxed) }
        func copyPixelBuffer() -> Frame? { nil }
        func textureUnregistered() { Self.unregistered.add(1, ordering: .relaxed) }
    }

    @Test("Register, announce, copy, unregister")
    func textureIsReachableUntilUnregistered() throws {
        let announced = Monitor<[TextureID]>([])
        let unregistered = Monitor(0)
        let registry = TextureRegistry { id in announced.withLock { $0.append(id) } }
        let pool = FramePool(capacity: 2)
        let texture = LatestFrameTexture { unregistered.withLock { $0 += 1 } }
        let id = registry.register(texture)
        #expect(id.rawValue > 0)
        #expect(registry.count == 1)
        #expect(registry.copyPixelBuffer(id).isThere == false)
        #expect(registry.frameCount(id) == 0)

        texture.publish(try NumberedFrames.make(7, in: pool))
        #expect(registry.textureFrameAvailable(id))
        #expect(registry.frameCount(id) == 1)
        #expect(announced.withLock { $0 } == [id])
        let frame = try registry.copyPixelBuffer(id).orFail()
        #expect(NumberedFrames.number(of: frame) == 7)

        #expect(registry.unregister(id))
        #expect(unregistered.withLock { $0 } == 1)
        #expect(registry.count == 0)
        // The consumer still holds its frame, the texture does not.
        #expect(pool.freeCount == 1)
        #expect(NumberedFrames.number(of: frame) == 7)
        _ = consume frame
        #expect(pool.freeCount == 2)

        // All later calls find no texture.
        #expect(!registry.unregister(id))
        #expect(!registry.textureFrameAvailable(id))
        #expect(registry.copyPixelBuffer(id).isThere == false)
        #expect(registry.frameCount(id) == nil)
        #expect(registry.waitForFrame(id) == nil)
        #expect(announced.withLock { $0.count } == 1)
        #expect(unregistered.withLock { $0 } == 1)
    }

    private static let foreign: [Int64] = [0, -1, 1, 64, 1 << 30, 1 << 30 | 63, .max, .min]

    @Test("Numbers that were never given", arguments: Self.foreign)
    func unknownNumbersFindNoTexture(rawValue: Int64) {
        let registry = TextureRegistry()
        let id = TextureID(rawValue: rawValue)
        #expect(registry.copyPixelBuffer(id).isThere == false)
        #expect(!registry.textureFrameAvailable(id))
        #expect(!registry.unregister(id))
        #expect(registry.waitForFrame(id) == nil)
    }

    @Test("A name is not given twice, and names of the past do not reach who came after")
    func namesAreNeverGivenTwice() {
        let registry = TextureRegistry()
        var names: Set<TextureID> = []
        for _ in 0..<500 {
            let id = registry.register(LatestFrameTexture())
            #expect(names.insert(id).inserted)
            #expect(registry.unregister(id))
        }
        let texture = SlowTexture()
        let current = registry.register(texture)
        for id in names { #expect(!registry.unregister(id)) }
        #expect(texture.unregisteredCount.load(ordering: .relaxed) == 0)
        #expect(registry.unregister(current))
        #expect(texture.unregisteredCount.load(ordering: .relaxed) == 1)
    }

    @Test("Unregistering does not wait for a copy that is running; the texture hears of it after the last copy")
    func unregisterDuringCopy() throws {
        let registry = TextureRegistry()
        let pool = FramePool(capacity: 1)
        let texture = SlowTexture()
        texture.texture.publish(try NumberedFrames.make(3, in: pool))
        let id = registry.register(texture)
        let copied = Monitor<[Int?]>([])
        let copies = (0..<2).compactMap { _ in
            WorkerThread {
                let number = registry.copyPixelBuffer(id)?.index
                copied.withLock { $0.append(number) }
            }
        }
        #expect(copies.count == 2)
        _ = texture.step.wait { $0 == .copying ? true : nil }

        #expect(registry.unregister(id))
        #expect(!registry.unregister(id))
        #expect(texture.unregisteredCount.load(ordering: .relaxed) == 0)
        #expect(registry.count == 1)
        #expect(registry.copyPixelBuffer(id).isThere == false)

        texture.step.update { $0 = .released }
        for copy in copies { copy.join() }
        #expect(texture.unregisteredCount.load(ordering: .relaxed) == 1)
        #expect(registry.count == 0)
        // The second copy may come before or after the unregistration.
        #expect(copied.withLock { $0.contains(3) && $0.allSatisfy { $0 == 3 || $0 == nil } })
    }

    @Test("Frames published after unregistering do no harm")
    func framesAfterUnregisteringDoNoHarm() throws {
        let registry = TextureRegistry()
        let pool = FramePool(capacity: 2)
        var texture: LatestFrameTexture? = LatestFrameTexture()
        let id = registry.register(try #require(texture))
        registry.unregister(id)
        for number in 1...5 {
            texture?.publish(try NumberedFrames.make(number, in: pool))
            #expect(!registry.textureFrameAvailable(id))
        }
        #expect(registry.copyPixelBuffer(id).isThere == false)
        texture = nil
        #expect(pool.freeCount == 2)
    }

    @Test("10,000 textures come and go, and nothing is left of them")
    func texturesLeaveNothingBehind() {
        let registry = TextureRegistry()
        var kept: [TextureID] = []
        for turn in 0..<10_000 {
            kept.append(registry.register(CountedTexture()))
            if kept.count == 10 {
                #expect(CountedTexture.alive.load(ordering: .relaxed) == 10)
                for id in kept { registry.unregister(id) }
                kept = []
                #expect(CountedTexture.unregistered.load(ordering: .relaxed) == turn + 1)
            }
        }
        #expect(CountedTexture.alive.load(ordering: .relaxed) == 0)
        #expect(registry.count == 0)
        // They all used the initial slots.
        #expect(registry.capacity == 64)
    }

    @Test("A registry that ends unregisters what it has, many more than it began with")
    func endingRegistryUnregistersItsTextures() {
        let count = Monitor(0)
        var registry: TextureRegistry? = TextureRegistry()
        var names: Set<TextureID> = []
        for _ in 0..<1000 {
            let texture = LatestFrameTexture { count.withLock { $0 += 1 } }
            if let id = registry?.register(texture) { names.insert(id) }
        }
        #expect(names.count == 1000)
        for id in names.prefix(400) { registry?.unregister(id) }
        #expect(count.withLock { $0 } == 400)
        registry = nil
        #expect(count.withLock { $0 } == 1000)
    }

    @Test("A sink shows what it is given until it is closed, and keeps no buffer then")
    func sinkShowsFramesUntilClosed() throws {
        let registry = TextureRegistry()
        let pool = FramePool(capacity: 2)
        let released = Monitor(0)
        let sink = RegistrySink(registry) { released.withLock { $0 += 1 } }
        let writer = try sink.makeWriter(for: FrameStream(size: NumberedFrames.size))
        for number in 1...3 {
            let frame = try NumberedFrames.make(number, in: pool)
            try writer.prepare(frame)
            try writer.write(frame)
            #expect(registry.copyPixelBuffer(sink.id)?.index == number)
        }
        try sink.finish()
        #expect(registry.copyPixelBuffer(sink.id)?.index == 3)
        #expect(registry.frameCount(sink.id) == 3)
        sink.close()
        #expect(released.withLock { $0 } == 1)
        let late = try NumberedFrames.make(4, in: pool)
        try writer.write(late)
        #expect(registry.copyPixelBuffer(sink.id).isThere == false)
        _ = consume late
        #expect(pool.freeCount == 2)
    }
}
