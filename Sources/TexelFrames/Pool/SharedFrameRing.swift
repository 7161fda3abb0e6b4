import TexelCodecs

#if os(Linux)
    public import SystemPackage
    public import TexelPixels

    /// Frames that other processes see without a copy: the counterpart of Apple's IOSurface.
    ///
    /// Frames are rendered into buffers of ``pool``, which lie in memory that readers map through ``descriptor``. How
    /// it is laid out there, and how to read it, says the C header `texel_frame_ring.h`; `Examples/` has readers in C
    /// and Python. Readers hold nothing: what they do, and where they die, harms nobody. One that is too slow notices
    /// that its frame was overwritten and takes the next.
    public final class SharedFrameRing: Sendable {
        /// For frames that are to be published without a copy.
        public let pool: FramePool
        private let memory: SharedFrameMemory
        /// The hold of the latest frame: it is not overwritten before there is another.
        private let latest: Monitor<Latest>

        private struct Latest: ~Copyable { var frame: Frame? }

        /// - Parameters:
        ///   - slotCount: How many frames there are at most, 3…31. The latest is one of them, those that are being
        ///     rendered are others; readers have the time of the rest.
        ///   - size: The most that a frame may have of pixels.
        /// - Throws: `pixels(.invalidSize)`, `outOfMemory`, `cannotWrite`.
        public init(slotCount: Int = 8, size: PixelSize) throws(FrameError) {
            memory = try SharedFrameMemory(
                slotCount: max(3, slotCount), slotByteCount: try Frame.byteCount(size))
            pool = FramePool(capacity: memory.slotCount, memory: memory)
            latest = Monitor(Latest())
        }

        public var slotCount: Int { memory.slotCount }

        /// The memory, for reading only; open as long as the ring lives.
        public var descriptor: FileDescriptor { memory.descriptor }

        /// From now on this is the latest frame for readers. One that is not of ``pool`` is copied.
        ///
        /// - Returns: `false` where the frame had to be copied and somebody holds all buffers.
        /// - Throws: `unsupported` when a frame that must be copied is too large.
        @discardableResult
        public func publish(_ frame: borrowing Frame) throws(FrameError) -> Bool {
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

        /// Tells readers that there will be no more frames. The latest stays.
        public func end() { memory.end() }

        private func show(_ frame: borrowing Frame, in slot: Int) {
            // Let go outside the lock.
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
