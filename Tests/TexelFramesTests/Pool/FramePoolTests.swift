import Testing
import TexelPixels

@testable import TexelFrames

@Suite("Frame pool")
struct FramePoolTests {
    private func address(_ lease: borrowing FrameLease) -> Int {
        lease.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
    }

    @Test("A buffer comes back with the last of its leases, and is used again")
    func lastLeaseReturnsTheBuffer() throws {
        let pool = FramePool(capacity: 2)
        let lease = try pool.leaseIfFree(byteCount: 10_000).orFail()
        let (first, byteCount) = (address(lease), lease.byteCount)
        #expect(first % 4096 == 0)
        #expect(byteCount >= 10_000)
        let other = lease.shared()
        let wasUnique = lease.isUnique
        #expect(!wasUnique)
        #expect(pool.freeCount == 1)
        _ = consume lease
        #expect(pool.freeCount == 1)
        let isUnique = other.isUnique
        #expect(isUnique)
        _ = consume other
        #expect(pool.freeCount == 2)

        let again = try pool.leaseIfFree(byteCount: 5_000).orFail()
        let second = address(again)
        #expect(second == first)
        #expect(pool.byteCount >= 10_000)
    }

    @Test("There are never more buffers than the capacity")
    func poolKeepsAtMostItsCapacity() throws {
        let pool = FramePool(capacity: 1)
        let first = try pool.leaseIfFree(byteCount: 1)
        let second = try pool.leaseIfFree(byteCount: 1)
        let (hasFirst, hasSecond) = (first.isThere, second.isThere)
        #expect(hasFirst)
        #expect(!hasSecond)
    }

    @Test("A lease outlives everybody else's interest in the pool")
    func poolIsKept() throws {
        var pool: FramePool? = FramePool(capacity: 1)
        weak let watched = pool
        var lease = try (try pool?.leaseIfFree(byteCount: 4096) ?? nil).orFail()
        pool = nil
        #expect(watched != nil)
        lease.withUnsafeMutableBytes { $0[4095] = 7 }
        let last = lease.withUnsafeBytes { $0[4095] }
        #expect(last == 7)
        _ = consume lease
        #expect(watched == nil)
    }

    @Test("A buffer grows when it must")
    func buffersGrowOnDemand() throws {
        let pool = FramePool(capacity: 1)
        _ = try pool.leaseIfFree(byteCount: 100).orFail()
        var larger = try pool.leaseIfFree(byteCount: 1_000_000).orFail()
        larger.withUnsafeMutableBytes { $0[999_999] = 1 }
        #expect(pool.byteCount >= 1_000_000)
    }

    @Test("Memory can be taken before it is needed")
    func prepareTakesMemoryInAdvance() throws {
        let pool = FramePool(capacity: 3)
        let held = try pool.leaseIfFree(byteCount: 10).orFail()
        try pool.prepare(byteCount: 10_000)
        let byteCount = pool.byteCount
        #expect(byteCount >= 20_000)
        #expect(pool.freeCount == 2)
        let lease = try pool.leaseIfFree(byteCount: 10_000).orFail()
        #expect(pool.byteCount == byteCount)
        _ = consume lease
        _ = consume held
    }

    @Test("Nobody waits for a buffer of a closed pool")
    func closedPoolGivesNoBuffers() throws {
        let pool = FramePool(capacity: 1)
        let first = try pool.lease(byteCount: 1)
        pool.close()
        let second = try pool.lease(byteCount: 1)
        let (hasFirst, hasSecond) = (first.isThere, second.isThere)
        #expect(hasFirst)
        #expect(!hasSecond)
    }
}
