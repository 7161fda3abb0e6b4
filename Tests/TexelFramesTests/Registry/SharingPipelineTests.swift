import Testing
import TexelCodecs
import TexelCore
import TexelPipeline
import TexelPixels

@testable import TexelFrames

@Suite("Pipelines whose frames are kept by others", .onThreads)
struct SharingPipelineTests {
    private let size = PixelSize(width: 64, height: 48)

    private var options: FramePipelineOptions {
        var options = FramePipelineOptions()
        options.policy = .block
        options.workers = 1
        return options
    }

    @Test("A texture shows every frame, while a consumer keeps one of the first")
    func textureShowsFramesWhileOneIsKept() throws {
        let registry = TextureRegistry()
        let sink = RegistrySink(registry, consumerCount: 1)
        let source = try PatternSource(size: size, count: 30)
        let run = try FramePipeline(from: source, into: sink, options: options).start()
        #expect(registry.waitForFrame(sink.id) != nil)
        let kept = try registry.copyPixelBuffer(sink.id).orFail()
        let (index, image) = (kept.index, try kept.pixelBuffer().bytes(in: .bgra))
        try run.wait()
        #expect(registry.frameCount(sink.id) == 30)
        #expect(registry.copyPixelBuffer(sink.id)?.index == 29)
        // The frame was not overwritten.
        #expect(kept.index == index)
        #expect(try kept.pixelBuffer().bytes(in: .bgra) == image)
    }

    #if os(Linux)
        /// A full ring: its third buffer is held, so that nothing can be copied into it.
        private final class FullRing: FrameSink {
            let ring: SharedFrameRing
            let published = Monitor<[Bool]>([])
            private let held: FrameLease

            init(size: PixelSize) throws {
                ring = try SharedFrameRing(slotCount: 3, size: size)
                held = try ring.pool.leaseIfFree(byteCount: 1).orFail()
            }

            func makePool(for stream: FrameStream, capacity: Int) -> FramePool { ring.pool }
            func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(sink: self) }

            private final class Writer: FrameWriter {
                let sink: FullRing
                init(sink: FullRing) { self.sink = sink }
                func write(_ frame: borrowing Frame) throws(TexelError) {
                    let isSeen = try sink.ring.publish(frame)
                    sink.published.withLock { $0.append(isSeen) }
                }
            }
        }

        @Test("Frames are rendered into shared memory, not copied there")
        func framesAreRenderedIntoSharedMemory() throws {
            let sink = try FullRing(size: size)
            let source = try PatternSource(size: size, count: 30)
            try FramePipeline(from: source, into: sink, options: options).start().wait()
            #expect(sink.published.withLock { $0 } == Array(repeating: true, count: 30))
        }
    #endif
}
