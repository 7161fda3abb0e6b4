import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What threads sleep by until a frame comes: descriptors, so that they can be told to stop by another at the same time.
///
/// There are 64, made when they are first wanted and kept. They are taken and rung without a lock.
final class FrameAlarms: Sendable {
    private let free = Atomic(UInt64.max)
    private let alarms = (0..<UInt64.bitWidth).map { _ in FrameAlarm() }

    /// An alarm of one's own; `nil` where 64 threads have one or the system gives none.
    func take() -> Int? {
        while true {
            let number = free.load(ordering: .relaxed).trailingZeroBitCount
            guard number < alarms.count else { return nil }
            let bit = UInt64(1) << UInt64(number)
            guard free.bitwiseAnd(~bit, ordering: .acquiring).oldValue & bit != 0 else { continue }
            if alarms[number].open() { return number }
            giveBack(number)
            return nil
        }
    }

    func giveBack(_ number: Int) { free.bitwiseOr(UInt64(1) << UInt64(number), ordering: .releasing) }

    subscript(number: Int) -> FrameAlarm { alarms[number] }

    /// Wakes those whose bits are set. Ringing too often does no harm: whoever wakes looks what there is.
    func ring(_ waiting: UInt64) {
        var waiting = waiting
        while waiting != 0 {
            alarms[waiting.trailingZeroBitCount].ring()
            waiting &= waiting - 1
        }
    }
}

/// A descriptor that becomes readable.
///
/// Unchecked because of the descriptors: the first that takes the alarm makes them, before anybody can ring.
final class FrameAlarm: @unchecked Sendable {
    private var reading: CInt = -1
    private var writing: CInt = -1

    /// Never rings.
    static let none = FrameAlarm()

    deinit {
        if reading >= 0 { close(reading) }
        if writing >= 0 { close(writing) }
    }

    fileprivate func open() -> Bool {
        guard reading < 0 else { return true }
        guard let ends = try? FileDescriptor.privatePipe() else { return false }
        (reading, writing) = (ends.readEnd.rawValue, ends.writeEnd.rawValue)
        for end in [reading, writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return true
    }

    func ring() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Sleeps until the alarm rings, `stop` is readable (-1: never), or the time is over; rung or not, it is silent
    /// then.
    func sleep(orUntil stop: CInt, atMost milliseconds: CInt) {
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { watched in
            watched[0] = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            watched[1] = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
            guard poll(watched.baseAddress, 2, milliseconds) > 0, watched[0].revents != 0 else { return }
            var rings: UInt64 = 0
            while read(reading, &rings, MemoryLayout<UInt64>.size) == MemoryLayout<UInt64>.size {}
        }
    }
}
