import Testing
import TexelPixels

@testable import TexelFrames

@Suite("Frame pool")
struct FramePoolTests {
    @Test("A buffer comes back with the last of its leases, and is used again")
    func lastHolder() throws {
        let pool = FramePool(capacity: 2)
        let address: Int
        do {
            let lease = try #require(try pool.leaseIfFree(byteCount: 10_000))
            address = lease.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
            #expect(address % 4096 == 0)
            #expect(lease.byteCount >= 10_000)
            let other = lease.shared()
            #expect(!lease.isUnique)
            #expect(pool.freeCount == 1)
            _ = consume lease
            #expect(pool.freeCount == 1)
            #expect(other.isUnique)
        }
        #expect(pool.freeCount == 2)
        let again = try #require(try pool.leaseIfFree(byteCount: 5_000))
        #expect(again.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } == address)
        #expect(pool.byteCount >= 10_000)
    }

    @Test("There are never more buffers than the capacity")
    func capacity() throws {
        let pool = FramePool(capacity: 1)
        let lease = try pool.leaseIfFree(byteCount: 1)
        let second = try pool.leaseIfFree(byteCount: 1)
        #expect(lease != nil)
        #expect(second == nil)
    }

    @Test("A lease outlives everybody else's interest in the pool")
    func poolIsKept() throws {
        var pool: FramePool? = FramePool(capacity: 1)
        weak let watched = pool
        var lease = try #require(try pool?.leaseIfFree(byteCount: 4096))
        pool = nil
        #expect(watched != nil)
        lease.withUnsafeMutableBytes { $0[4095] = 7 }
        #expect(lease.withUnsafeBytes { $0[4095] } == 7)
        _ = consume lease
        #expect(watched == nil)
    }

    @Test("Nobody waits for a buffer of a closed pool")
    func closing() throws {
        let pool = FramePool(capacity: 1)
        let first = try pool.lease(byteCount: 1)
        pool.close()
        let second = try pool.lease(byteCount: 1)
        #expect(first != nil)
        #expect(second == nil)
    }
}
