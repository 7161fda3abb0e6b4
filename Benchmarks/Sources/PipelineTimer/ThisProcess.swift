import Foundation

/// What the system knows of this process.
enum ThisProcess {
    /// Bytes in memory.
    static var memory: Int { status("VmRSS:") }

    /// The most bytes that were in memory at once.
    static var peakMemory: Int { status("VmHWM:") }

    /// From now on the peak is that of what follows.
    static func forgetPeakMemory() {
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    }

    /// Gives back to the system what the allocator keeps for later.
    static func trimMemory() {
        // glibc's alone, and not in Swift's module of it.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (Int) -> CInt
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }

    /// What all threads have used of the processors.
    static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func status(_ key: String) -> Int {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let fields = lines.first { $0.hasPrefix(key) }?.split(whereSeparator: \.isWhitespace) ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) << 10 : 0
    }
}
