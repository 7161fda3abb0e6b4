#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Address space whose beginning becomes memory as it is needed, so that it grows and never moves.
///
/// What is only reserved counts nowhere as memory, however the system accounts for it (Linux charges writable pages to
/// its commit limit under `vm.overcommit_memory=2`, and pages without access never). A process whose address space is
/// limited may get less than it asks for; the rest is then asked for when it is needed.
final class ReservedMemory {
    let base: UnsafeMutableRawPointer
    /// Bytes that may be written.
    private(set) var writableCount = 0
    private var reservedCount: Int

    /// What becomes writable first; doubled from there, so that a file of any size costs a few system calls.
    private static let firstCount = 256 * 1024

    /// - Returns: `nil` where not even a little is left.
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

    /// Makes at least the first `count` bytes writable, and says whether the system had them.
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

    /// Reserves what follows, if nobody has it.
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
