import TexelCodecs

#if os(Linux)
    public import SystemPackage

    /// Shows a stream to other processes: frames in shared memory, whose descriptor whoever connects to a Unix socket
    /// gets (see ``SharedFrameRing``).
    ///
    /// A pipeline renders straight into the ring. The socket's file is there from the first frame's format on until the
    /// stream has ended; only the same user can connect.
    public final class SharedMemorySink: FrameSink {
        private let path: FilePath
        private let minimumSlotCount: Int
        private let state = Monitor(State())

        private struct State: Sendable {
            var ring: SharedFrameRing?
            var server: DescriptorServer?
        }

        /// - Parameters:
        ///   - path: Of the socket. One that is left of a process that is gone is replaced, nothing else.
        ///   - slotCount: How many frames the ring has at least, 3…31. The more, the longer readers may take.
        public init(_ path: FilePath, slotCount: Int = 8) {
            self.path = path
            minimumSlotCount = slotCount
        }

        public var isLive: Bool { true }

        /// - Throws: what the socket and the memory cannot be made for.
        public func makePool(for stream: FrameStream, capacity: Int) throws(FrameError) -> FramePool {
            try ring(for: stream, capacity: capacity).pool
        }

        public func makeWriter(for stream: FrameStream) throws(FrameError) -> any FrameWriter {
            Writer(ring: try ring(for: stream, capacity: 0))
        }

        /// Tells readers that the stream has ended, and ends their connections. What they have mapped they keep.
        public func finish() throws(FrameError) { close() }

        deinit { close() }

        private func close() {
            let former = state.withLock { state in
                defer { state.server = nil }
                return (state.ring, state.server)
            }
            former.0?.end()
        }

        /// The pool has two buffers more than are worked on: the latest frame, and one that readers still look at.
        private func ring(for stream: FrameStream, capacity: Int) throws(FrameError) -> SharedFrameRing {
            try state.withLock { (state) throws(FrameError) in
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

            func write(_ frame: borrowing Frame) throws(FrameError) { try ring.publish(frame) }
        }
    }
#endif
