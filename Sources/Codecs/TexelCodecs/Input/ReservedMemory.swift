import PlatformLibc

/// Reserved address space that becomes writable from the start as needed, so that it grows and never moves.
///
/// Reserved pages do not count as used memory under any accounting: with `vm.overcommit_memory=2` Linux charges
/// writable pages to its commit limit, but not pages without access. If the address space of the process is limited,
/// the initial reservation may be smaller than requested; more is then reserved when it is needed.
final class ReservedMemory {
    let base: UnsafeMutableRawPointer
    /// The number of bytes that may be written.
    private(set) var writableCount = 0
    private var reservedCount: Int

    /// The initial writable size in bytes. It is doubled from there, so that a file of any size costs a few system
    /// calls.
    private static let firstCount = 256 * 1024

    /// - Returns: `nil` if not even a small reservation succeeds.
    init?(byteCount: Int) {
        var count = Self.wholePages(byteCount)
        var memory = Self.reserve(count)
        while memory == nil, count > Self.firstCount {
            count = Self.wholePages(count / 2)
            memory = Self.reserve(count)
        }
        guard let memory else { return nil }
        base = memory
        reservedCount = count
    }

    deinit { munmap(base, reservedCount) }

    /// Makes at least the first `count` bytes writable; returns whether that succeeded.
    func makeWritable(_ count: Int) -> Bool {
        guard count > writableCount else { return true }
        guard count <= reservedCount || extend(to: Self.wholePages(count)) else { return false }
        let ample = min(max(Self.wholePages(count), 2 * writableCount, Self.firstCount), reservedCount)
        for wanted in [ample, Self.wholePages(count)] where mprotect(base, wanted, PROT_READ | PROT_WRITE) == 0 {
            writableCount = wanted
            return true
        }
        return false
    }

    /// Reserves the address space that follows, if it is free.
    private func extend(to count: Int) -> Bool {
        let end = base + reservedCount
        guard let memory = Self.reserve(count - reservedCount, at: end) else { return false }
        guard memory == end else {
            munmap(memory, count - reservedCount)
            return false
        }
        reservedCount = count
        return true
    }

    private static func reserve(_ count: Int, at hint: UnsafeMutableRawPointer? = nil) -> UnsafeMutableRawPointer? {
        let memory = mmap(hint, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }

    private static func wholePages(_ count: Int) -> Int {
        let page = Int(getpagesize())
        return (min(max(1, count), .max - page) + page - 1) / page * page
    }
}
