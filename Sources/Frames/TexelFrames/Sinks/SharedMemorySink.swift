import TexelCodecs
public import TexelCore

#if os(Linux)
    public import SystemPackage
    import TexelPixels

    /// Shows a stream to other processes: frames in shared memory, whose descriptor every client of a Unix socket
    /// receives (see ``SharedFrameRing``).
    ///
    /// The pipeline renders directly into the shared memory. The socket exists from the start of the run until the
    /// stream has ended; only the same user can connect.
    public final class SharedMemorySink: FrameSink {
        private let path: FilePath
        private let minimumSlotCount: Int
        private let state = Monitor(State())

        private struct State: Sendable {
            var ring: SharedFrameRing?
            var server: DescriptorServer?
        }

        /// Creates a sink; the socket and the memory are created at the start of a run.
        ///
        /// - Parameters:
        ///   - path: The path of the socket. A stale socket of an ended process is replaced; any other file is an
        ///     error.
        ///   - slotCount: The minimum number of frames in the ring, 3…31. With more, readers have more time.
        public init(_ path: FilePath, slotCount: Int = 8) {
            self.path = path
            minimumSlotCount = slotCount
        }

        public var isLive: Bool { true }

        /// Creates the socket and the shared memory.
        ///
        /// - Throws: `cannotWrite`, `outOfMemory`, `invalidSize`.
        public func makePool(for stream: FrameStream, capacity: Int) throws(TexelError) -> FramePool {
            try ring(for: stream, capacity: capacity).pool
        }

        public func makeWriter(for stream: FrameStream) throws(TexelError) -> any FrameWriter {
            Writer(ring: try ring(for: stream, capacity: 0))
        }

        /// Tells readers that the stream has ended and closes their connections. Their mappings stay valid.
        public func finish() throws(TexelError) { close() }

        deinit { close() }

        private func close() {
            let former = state.withLock { state in
                defer { state.server = nil }
                return (state.ring, state.server)
            }
            former.0?.end()
        }

        /// Two buffers more than the pipeline uses: the latest frame, and one that readers may still be reading.
        private func ring(for stream: FrameStream, capacity: Int) throws(TexelError) -> SharedFrameRing {
            try state.withLock { (state) throws(TexelError) in
                if let ring = state.ring { return ring }
                let ring = try SharedFrameRing(slotCount: max(minimumSlotCount, capacity + 2), size: stream.size)
                state.server = try DescriptorServer(path: path, serving: ring.descriptor)
                state.ring = ring
                return ring
            }
        }

        private final class Writer: FrameWriter {
            let ring: SharedFrameRing

            init(ring: SharedFrameRing) { self.ring = ring }

            func write(_ frame: borrowing Frame) throws(TexelError) { try ring.publish(frame) }
        }
    }
#endif
