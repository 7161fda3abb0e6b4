import Foundation

/// Resource usage of this process.
enum ThisProcess {
    /// The resident memory in bytes.
    static var memory: Int { status("VmRSS:") }

    /// The peak resident memory in bytes.
    static var peakMemory: Int { status("VmHWM:") }

    /// Resets ``peakMemory``.
    static func forgetPeakMemory() {
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    }

    /// Returns the allocator's free memory to the system.
    static func trimMemory() {
        // `malloc_trim` exists only in glibc and is not in Swift's module.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (Int) -> CInt
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }

    /// The processor time of all threads.
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
