#if os(Linux)
    import CFrameRing
    import Glibc
    import SystemPackage
    import TexelCore
    import TexelPixels

    /// Buffers in memory that other processes map for reading: the slots of a ring with the layout in
    /// `texel_frame_ring.h`.
    ///
    /// Unchecked because of the pointer: the memory lives as long as this object. The pool's lock guards the start of a
    /// slot, only a holder of a slot publishes it, and one frame is published at a time.
    final class SharedFrameMemory: FrameMemory, @unchecked Sendable {
        let slotCount: Int
        let slotByteCount: Int
        /// A read-only descriptor of the memory, for readers. Closed with this object.
        let descriptor: FileDescriptor
        private let ring: UnsafeMutablePointer<texel_frame_ring>

        static let slotLimit = Int(texel_frame_ring_slot_limit)

        /// Creates the ring.
        ///
        /// - Parameters:
        ///   - slotCount: The number of slots, limited to 1...`slotLimit`.
        ///   - slotByteCount: The size of a slot in bytes, rounded up to whole pages.
        /// - Throws: `outOfMemory`, `cannotWrite`.
        init(slotCount: Int, slotByteCount: Int) throws(TexelError) {
            self.slotCount = min(max(1, slotCount), Self.slotLimit)
            guard slotByteCount > 0, slotByteCount < Int.max / 2 / self.slotCount - 4096 else {
                throw .outOfMemory(byteCount: slotByteCount)
            }
            self.slotByteCount = (slotByteCount + 4095) / 4096 * 4096
            var reading: CInt = -1
            guard let ring = texel_frame_ring_create(UInt32(self.slotCount), UInt64(self.slotByteCount), &reading)
            else { throw .cannotWrite(Errno(rawValue: errno)) }
            self.ring = ring
            descriptor = FileDescriptor(rawValue: reading)
        }

        deinit {
            try? descriptor.close()
            texel_frame_ring_destroy(ring)
        }

        /// Slots have a fixed size, because readers have mapped them.
        func allocate(slot: Int, byteCount: Int) throws(TexelError) -> UnsafeMutableRawBufferPointer {
            guard byteCount <= slotByteCount else {
                throw .unsupported(
                    "a frame of \(byteCount) bytes in shared memory with slots of \(slotByteCount) bytes")
            }
            return UnsafeMutableRawBufferPointer(
                start: texel_frame_ring_pixels(ring, UInt32(slot)), count: slotByteCount)
        }

        func willWrite(slot: Int) { texel_frame_ring_will_write(ring, UInt32(slot)) }

        func free(slot: Int) {}

        var isRing: Bool { true }

        /// The slot that holds a frame; `nil` if the frame is in other memory.
        func slot(of frame: borrowing Frame) -> Int? {
            let first = UInt(bitPattern: texel_frame_ring_pixels(ring, 0))
            let address = frame.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            guard address >= first, address - first < UInt(slotCount * slotByteCount) else { return nil }
            return Int(address - first) / slotByteCount
        }

        /// Makes the frame in this slot the latest. Only one thread at a time may publish, and it must hold the frame.
        func publish(_ frame: borrowing Frame, in slot: Int) {
            var description = texel_frame_slot()
            description.time = frame.time.nanoseconds
            description.duration = frame.duration?.nanoseconds ?? -1
            description.index = Int64(frame.index)
            description.width = UInt32(frame.width)
            description.height = UInt32(frame.height)
            description.bytes_per_row = UInt32(frame.bytesPerRow)
            description.alpha_mode = frame.alphaMode.ringNumber
            texel_frame_ring_publish(ring, UInt32(slot), &description)
        }

        /// Marks the end of the stream for readers.
        func end() { texel_frame_ring_end(ring) }
    }

    extension AlphaMode {
        fileprivate var ringNumber: UInt32 {
            switch self {
            case .opaque: UInt32(texel_alpha_opaque)
            case .straight: UInt32(texel_alpha_straight)
            case .premultiplied: UInt32(texel_alpha_premultiplied)
            }
        }
    }

    extension Duration {
        /// The value in nanoseconds, rounded toward zero and clamped to ±292 years.
        fileprivate var nanoseconds: Int64 {
            let (seconds, attoseconds) = components
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            return overflow ? (seconds < 0 ? .min : .max) : whole + attoseconds / 1_000_000_000
        }
    }
#endif
