import TexelCodecs
public import TexelCore

#if os(Linux)
    public import SystemPackage
    public import TexelPixels

    /// Shares frames with other processes without a copy, like Apple's IOSurface.
    ///
    /// Frames are rendered into buffers of ``pool``, whose memory readers map through ``descriptor``. The C header
    /// `texel_frame_ring.h` documents the layout and how to read it; `Examples/` has readers in C and Python. Readers
    /// take no locks, so a slow or crashed reader does not affect the writer. A slow reader detects that its frame was
    /// overwritten and takes the next.
    public final class SharedFrameRing: Sendable {
        /// The pool for frames that are published without a copy.
        public let pool: FramePool
        private let memory: SharedFrameMemory
        /// Holds the latest frame, so that it is not overwritten before another is published.
        private let latest: Monitor<Latest>

        private struct Latest: ~Copyable { var frame: Frame? }

        /// Creates the shared memory.
        ///
        /// - Parameters:
        ///   - slotCount: The number of frames, limited to 3...31: the latest, those being rendered, and the rest,
        ///     which determine how much time readers have.
        ///   - size: The largest frame size in pixels.
        /// - Throws: `invalidSize`, `outOfMemory`, `cannotWrite`.
        public init(slotCount: Int = 8, size: PixelSize) throws(TexelError) {
            memory = try SharedFrameMemory(
                slotCount: max(3, slotCount), slotByteCount: try Frame.byteCount(size))
            pool = FramePool(capacity: memory.slotCount, memory: memory)
            latest = Monitor(Latest())
        }

        /// The number of frames in the ring.
        public var slotCount: Int { memory.slotCount }

        /// A read-only descriptor of the memory; open as long as the ring exists.
        public var descriptor: FileDescriptor { memory.descriptor }

        /// Makes a frame the latest for readers. A frame from another pool is copied.
        ///
        /// - Returns: `false` if the frame had to be copied and all buffers were in use.
        /// - Throws: `unsupported` if a frame that must be copied is larger than a slot.
        @discardableResult
        public func publish(_ frame: borrowing Frame) throws(TexelError) -> Bool {
            if let slot = memory.slot(of: frame) {
                show(frame, in: slot)
                return true
            }
            let byteCount = frame.bytesPerRow * frame.height
            guard var lease = try pool.leaseIfFree(byteCount: byteCount) else { return false }
            lease.withUnsafeMutableBytes { destination in
                frame.withUnsafeBytes { destination.copyMemory(from: $0) }
            }
            let copy = Frame(
                lease, size: frame.size, alphaMode: frame.alphaMode, time: frame.time, duration: frame.duration,
                index: frame.index, arrival: frame.arrival)
            guard let slot = memory.slot(of: copy) else { return false }
            show(copy, in: slot)
            return true
        }

        /// Tells readers that the stream has ended. The latest frame stays valid.
        public func end() { memory.end() }

        private func show(_ frame: borrowing Frame, in slot: Int) {
            // Released outside the lock.
            var former: Frame?
            var shown: Frame? = frame.shared()
            latest.withLock { latest in
                memory.publish(frame, in: slot)
                former = latest.frame.take()
                latest.frame = shown.take()
            }
            _ = consume former
        }
    }
#endif
