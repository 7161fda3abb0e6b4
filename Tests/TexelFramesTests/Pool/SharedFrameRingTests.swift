#if os(Linux)
    import CFrameRing
    import Glibc
    import SystemPackage
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelFrames

    @Suite("Frames in shared memory")
    struct SharedFrameRingTests {
        /// A reader in this process, with its own mapping of the memory.
        private final class Mapping {
            let base: UnsafeMutableRawPointer
            let byteCount: Int
            var ring: UnsafePointer<texel_frame_ring> {
                UnsafePointer(base.assumingMemoryBound(to: texel_frame_ring.self))
            }

            init(_ descriptor: FileDescriptor) throws {
                byteCount = Int(try descriptor.seek(offset: 0, from: .end))
                let base = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor.rawValue, 0)
                self.base = try (base == MAP_FAILED ? nil : base).orFail()
            }

            deinit { munmap(base, byteCount) }

            var latest: Int? {
                let latest = texel_frame_ring_latest(ring)
                return latest == .max ? nil : Int(latest)
            }

            func slot(_ number: Int) -> UnsafePointer<texel_frame_slot> {
                let slots = UnsafeRawPointer(ring) + (MemoryLayout<texel_frame_ring>.offset(of: \.slots) ?? 0)
                return slots.assumingMemoryBound(to: texel_frame_slot.self) + number
            }

            /// The number shown by all pixels of a slot; `nil` if it is torn.
            func pixels(_ number: Int) -> UInt32? {
                let slot = slot(number).pointee
                let first = base + Int(ring.pointee.first_slot) + number * Int(ring.pointee.slot_bytes)
                let pixels = UnsafeBufferPointer(
                    start: first.assumingMemoryBound(to: UInt32.self), count: Int(slot.bytes_per_row / 4 * slot.height))
                return pixels.allSatisfy { $0 == pixels[0] } ? pixels[0] : nil
            }
        }

        private let size = NumberedFrames.size

        @Test("A frame rendered into the ring is seen by readers where it lies, with all that belongs to it")
        func publishedFramesAreSeenInPlace() throws {
            let ring = try SharedFrameRing(slotCount: 4, size: size)
            let reader = try Mapping(ring.descriptor)
            #expect(reader.byteCount == 4096 + 4 * Int(reader.ring.pointee.slot_bytes))
            #expect(reader.ring.pointee.slot_count == 4)
            #expect(reader.latest == nil)
            for number in 1...20 {
                var frame = try NumberedFrames.make(number, in: ring.pool)
                frame.duration = .milliseconds(40)
                let changes = texel_frame_ring_change_count(reader.ring)
                try ring.publish(frame)
                #expect(texel_frame_ring_change_count(reader.ring) != changes)
                let latest = try reader.latest.orFail()
                let address = frame.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
                #expect(address % 4096 == 0)
                let slot = reader.slot(latest).pointee
                #expect(slot.sequence % 2 == 0)
                #expect(slot.number == UInt64(number))
                #expect(slot.time == Int64(number) * 1_000_000)
                #expect(slot.duration == 40_000_000)
                #expect(slot.index == Int64(number))
                #expect((slot.width, slot.height) == (UInt32(size.width), UInt32(size.height)))
                #expect(Int(slot.bytes_per_row) == frame.bytesPerRow)
                #expect(slot.alpha_mode == UInt32(texel_alpha_opaque))
                #expect(reader.pixels(latest) == UInt32(number))
            }
            #expect(texel_frame_ring_has_ended(reader.ring) == 0)
            ring.end()
            #expect(texel_frame_ring_has_ended(reader.ring) == 1)
        }

        @Test("The latest frame stays, others are overwritten oldest first, and readers can tell")
        func oldestFramesAreOverwrittenFirst() throws {
            let ring = try SharedFrameRing(slotCount: 4, size: size)
            let reader = try Mapping(ring.descriptor)
            var slots: [Int] = []
            for number in 1...4 {
                try ring.publish(NumberedFrames.make(number, in: ring.pool))
                slots.append(try reader.latest.orFail())
            }
            #expect(Set(slots).count == 4)
            let sequences = slots.map { texel_frame_slot_begin(reader.slot($0)) }
            #expect(sequences.allSatisfy { $0 % 2 == 0 })

            // All buffers that are free: the first three, in the order in which they were published.
            for count in 1...3 {
                let lease = try ring.pool.leaseIfFree(byteCount: 1).orFail()
                // Never released.
                lease.buffer.retain()
                let unchanged = zip(slots, sequences).map { texel_frame_slot_is_unchanged(reader.slot($0), $1) != 0 }
                #expect(unchanged == (0..<4).map { $0 >= count })
            }
            let another = try ring.pool.leaseIfFree(byteCount: 1)
            #expect(another.isThere == false)
            #expect(reader.pixels(slots[3]) == 4)
        }

        @Test("A buffer that was leased for nothing is no frame, and can be one later")
        func unusedLeasesAreNoFrames() throws {
            let ring = try SharedFrameRing(slotCount: 3, size: size)
            let reader = try Mapping(ring.descriptor)
            for _ in 0..<5 { _ = try ring.pool.leaseIfFree(byteCount: 1).orFail() }
            #expect(reader.latest == nil)
            #expect((0..<3).allSatisfy { texel_frame_slot_begin(reader.slot($0)) % 2 == 1 })
            try ring.publish(NumberedFrames.make(9, in: ring.pool))
            let latest = try reader.latest.orFail()
            #expect(texel_frame_slot_begin(reader.slot(latest)) % 2 == 0)
            #expect(reader.slot(latest).pointee.number == 1)
        }

        @Test("Frames of elsewhere are copied in; those that do not fit are refused, and when all buffers are held")
        func framesOfOtherPoolsAreCopied() throws {
            let ring = try SharedFrameRing(slotCount: 3, size: size)
            let reader = try Mapping(ring.descriptor)
            let pool = FramePool(capacity: 1)
            for number in 1...5 {
                let isSeen = try ring.publish(NumberedFrames.make(number, in: pool))
                #expect(isSeen)
                #expect(reader.pixels(try reader.latest.orFail()) == UInt32(number))
                #expect(pool.freeCount == 1)
            }
            let large = PixelSize(width: 400, height: 400)
            let failure = #expect(throws: TexelError.self) {
                try ring.publish(NumberedFrames.makeIfFree(6, in: pool, size: large).orFail())
            }
            guard failure?.kind == .unsupported else { return #expect(Bool(false), "\(String(describing: failure))") }
            #expect(throws: TexelError.self) { _ = try NumberedFrames.makeIfFree(6, in: ring.pool, size: large) }
            #expect(ring.pool.freeCount == 2)

            let first = try NumberedFrames.make(7, in: ring.pool)
            let second = try NumberedFrames.make(8, in: ring.pool)
            let isSeen = try ring.publish(NumberedFrames.make(9, in: pool))
            #expect(!isSeen)
            #expect(reader.pixels(try reader.latest.orFail()) == 5)
            try ring.publish(second)
            #expect(reader.pixels(try reader.latest.orFail()) == 8)
            #expect(NumberedFrames.number(of: first) == 7)
        }

        @Test("The same frame may be published again")
        func sameFrameMayBePublishedAgain() throws {
            let ring = try SharedFrameRing(slotCount: 3, size: size)
            let reader = try Mapping(ring.descriptor)
            let frame = try NumberedFrames.make(5, in: ring.pool)
            try ring.publish(frame)
            let slot = try reader.latest.orFail()
            let sequence = texel_frame_slot_begin(reader.slot(slot))
            var later = frame.shared()
            later.time = .seconds(1)
            try ring.publish(later)
            #expect(reader.latest == slot)
            #expect(texel_frame_slot_begin(reader.slot(slot)) == sequence + 2)
            #expect(reader.slot(slot).pointee.time == 1_000_000_000)
            #expect(reader.slot(slot).pointee.number == 2)
        }

        @Test("Readers can neither write nor change the size, also by another way to the same memory")
        func readersCanNeitherWriteNorResize() throws {
            let ring = try SharedFrameRing(slotCount: 3, size: size)
            let other = open("/proc/self/fd/\(ring.descriptor.rawValue)", O_RDWR | O_CLOEXEC)
            defer { if other >= 0 { close(other) } }
            for descriptor in [ring.descriptor.rawValue, other] where descriptor >= 0 {
                #expect(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) == MAP_FAILED)
                #expect(ftruncate(descriptor, 0) != 0)
                #expect(ftruncate(descriptor, 1 << 30) != 0)
                #expect(pwrite(descriptor, "x", 1, 0) == -1)
            }
            let mapping = mmap(nil, 4096, PROT_READ, MAP_SHARED, ring.descriptor.rawValue, 0)
            #expect(mapping != MAP_FAILED)
            #expect(mprotect(mapping, 4096, PROT_READ | PROT_WRITE) != 0)
            munmap(mapping, 4096)
        }

        @Test("What was mapped outlives the ring; buffers that are held do too")
        func mappingsAndFramesOutliveTheRing() throws {
            var ring: SharedFrameRing? = try SharedFrameRing(slotCount: 3, size: size)
            let reader = try Mapping((try ring.orFail()).descriptor)
            let frame = try NumberedFrames.make(3, in: (try ring.orFail()).pool)
            try ring?.publish(frame)
            ring = nil
            #expect(NumberedFrames.number(of: frame) == 3)
            _ = consume frame
            #expect(reader.pixels(try reader.latest.orFail()) == 3)
        }

        @Test("No ring can be made of nothing, nor of more than there is")
        func impossibleSizesAreRefused() {
            #expect(throws: TexelError.self) { try SharedFrameRing(size: PixelSize(width: 0, height: 4)) }
            #expect(throws: TexelError.self) { try SharedFrameRing(size: PixelSize(width: 1 << 30, height: 1 << 31)) }
        }
    }
#endif
