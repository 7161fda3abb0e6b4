import TexelCore

#if os(Linux)
    import Glibc
    import SystemPackage
    import TestSupport
    import TexelCodecs
    import TexelPipeline
    import TexelPixels
    import Testing

    @testable import TexelFrames

    @Suite("Frames served to other processes", .onThreads)
    struct SharedMemorySinkTests {
        private static let size = PixelSize(width: 161, height: 90)

        /// Publishes numbered frames in bursts at full speed, which overwrites frames that are being read.
        private final class Producer: Sendable {
            let pool: FramePool
            private let state = Monitor(State())
            private let thread: WorkerThread

            private struct State {
                var allowed = 40
                var published = 0
                var isStopped = false
            }

            init(_ sink: SharedMemorySink) throws {
                let stream = FrameStream(size: SharedMemorySinkTests.size)
                let pool = try sink.makePool(for: stream, capacity: 1)
                self.pool = pool
                let state = state
                let writer = try sink.makeWriter(for: stream)
                let publish: @Sendable () -> Void = { [writer = Writer(writer)] in
                    while let number = Self.next(state) {
                        guard
                            let frame = try? NumberedFrames.makeIfFree(
                                number, in: pool, size: SharedMemorySinkTests.size)
                        else { continue }
                        try? writer.writer.write(frame)
                        state.update { $0.published = number }
                    }
                }
                thread = try WorkerThread(publish).orFail()
            }

            /// Unchecked: only the producer's thread uses it.
            private struct Writer: @unchecked Sendable {
                let writer: any FrameWriter
                init(_ writer: any FrameWriter) { self.writer = writer }
            }

            private static func next(_ state: Monitor<State>) -> Int? {
                state.wait { state -> Int?? in
                    if state.isStopped { return .some(nil) }
                    return state.published < state.allowed ? .some(state.published + 1) : nil
                }
            }

            /// Starts another burst.
            func goOn() { state.update { $0.allowed = $0.published + 40 } }

            func waitForBurst() { _ = state.wait { $0.published == $0.allowed ? true : nil } }

            func end() {
                state.update { $0.isStopped = true }
                thread.join()
            }
        }

        /// The lines that a reader prints; each one starts another burst.
        private func lines(of reader: RunningProgram, _ producer: Producer) throws -> [String] {
            var lines: [String] = []
            while case let line = try reader.readLine(), !line.isEmpty {
                lines.append(line)
                producer.goOn()
            }
            return lines
        }

        private func isWhole(_ line: String) -> Bool {
            guard let frame = ReportedFrame(line) else { return false }
            return frame == ReportedFrame(number: frame.number, width: Self.size.width, height: Self.size.height)
        }

        private func isInOrder(_ lines: [String]) -> Bool {
            let numbers = lines.compactMap { ReportedFrame($0)?.number }
            return numbers.count == lines.count && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
        }

        @Test("Readers in C and Python see whole frames of a producer that does not wait for them")
        func readersSeeWholeFrames() throws {
            let directory = try TemporaryDirectory()
            let sink = SharedMemorySink(FilePath(directory("frames.sock")), slotCount: 3)
            let producer = try Producer(sink)
            for (program, arguments) in try FrameReaders.commands(in: directory) {
                let reader = try RunningProgram(program, arguments + [directory("frames.sock"), "100"])
                producer.goOn()
                let lines = try lines(of: reader, producer)
                #expect(try reader.wait().status == 0)
                #expect(lines.count == 100)
                #expect(isInOrder(lines))
                for line in lines { #expect(isWhole(line), "\(line)") }
            }
            producer.end()
            try sink.finish()
        }

        @Test("A reader that is killed while it reads harms nobody", .enabled(if: FrameReaders.compiler != nil))
        func killedReaderHarmsNobody() throws {
            let directory = try TemporaryDirectory()
            let sink = SharedMemorySink(FilePath(directory("frames.sock")), slotCount: 3)
            let producer = try Producer(sink)
            let program = try FrameReaders.compiledReader(in: directory)
            for _ in 0..<5 {
                let victim = try RunningProgram(program, [directory("frames.sock"), "1000000"])
                producer.goOn()
                #expect(isWhole(try victim.readLine()))
                // The reader is in the middle of one of these frames.
                producer.goOn()
                victim.send(SIGKILL)
                #expect(try victim.wait().status == -SIGKILL)
                producer.waitForBurst()
            }
            let reader = try RunningProgram(program, [directory("frames.sock"), "10"])
            producer.goOn()
            #expect(try lines(of: reader, producer).filter(isWhole).count == 10)
            #expect(try reader.wait().status == 0)
            producer.end()
            // All buffers except the latest frame's were returned.
            #expect(producer.pool.freeCount == producer.pool.capacity - 1)
            try sink.finish()
        }

        @Test("Readers see the last frame, then the end of the stream", .enabled(if: FrameReaders.compiler != nil))
        func readersSeeTheEndOfTheStream() throws {
            let directory = try TemporaryDirectory()
            let path = directory("frames.sock")
            let commands = try FrameReaders.commands(in: directory)
            let sink = SharedMemorySink(FilePath(path))
            let stream = FrameStream(size: Self.size)
            let pool = try sink.makePool(for: stream, capacity: 1)
            let writer = try sink.makeWriter(for: stream)
            let readers = try commands.map { try RunningProgram($0, $1 + [path, "1000"]) }
            try writer.write(NumberedFrames.makeIfFree(1, in: pool, size: Self.size).orFail())
            // Wait until each reader has printed the first frame.
            for reader in readers { #expect(isWhole(try reader.readLine())) }
            try writer.write(NumberedFrames.makeIfFree(2, in: pool, size: Self.size).orFail())
            try sink.finish()
            for reader in readers {
                let outcome = try reader.wait()
                #expect(outcome.lines.compactMap { ReportedFrame($0)?.number } == [2])
                #expect(outcome.status == 0)
            }
            #expect(access(path, F_OK) != 0)
        }

        @Test("Readers learn when a producer ends without a word", .enabled(if: FrameReaders.compiler != nil))
        func readersNoticeALostProducer() throws {
            let directory = try TemporaryDirectory()
            let path = directory("frames.sock")
            let ring = try SharedFrameRing(size: Self.size)
            var server: DescriptorServer? = try DescriptorServer(path: FilePath(path), serving: ring.descriptor)
            let readers = try FrameReaders.commands(in: directory).map { try RunningProgram($0, $1 + [path, "1000"]) }
            try ring.publish(NumberedFrames.makeIfFree(1, in: ring.pool, size: Self.size).orFail())
            for reader in readers { #expect(isWhole(try reader.readLine())) }
            _ = server
            server = nil
            for reader in readers {
                let outcome = try reader.wait()
                #expect(outcome.lines.isEmpty && outcome.status == 0)
            }
        }
    }
#endif
