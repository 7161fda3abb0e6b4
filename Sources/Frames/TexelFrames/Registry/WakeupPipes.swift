import PlatformLibc
import Synchronization
import SystemPackage

/// 64 wake-up pipes for threads that wait for a frame. Pipes instead of condition variables, because `poll` can wait
/// for an alarm and for a stop descriptor at the same time.
///
/// Each alarm opens its pipe on first use and keeps it. Taking and ringing an alarm needs no lock.
final class WakeupPipes: Sendable {
    private let free = Atomic(UInt64.max)
    private let alarms = (0..<UInt64.bitWidth).map { _ in WakeupPipe() }

    /// Reserves an alarm and returns its number; `nil` if all 64 are in use or the pipe cannot be created.
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

    /// Releases a reserved alarm.
    func giveBack(_ number: Int) { free.bitwiseOr(UInt64(1) << UInt64(number), ordering: .releasing) }

    subscript(number: Int) -> WakeupPipe { alarms[number] }

    /// Wakes the threads whose bits are set. Spurious wake-ups are harmless: every waiter checks its condition again.
    func ring(_ waiting: UInt64) {
        var waiting = waiting
        while waiting != 0 {
            alarms[waiting.trailingZeroBitCount].ring()
            waiting &= waiting - 1
        }
    }
}

/// A pipe that becomes readable when the alarm rings.
///
/// Unchecked because of the descriptors: the first thread that takes the alarm sets them, before any other can ring it.
final class WakeupPipe: @unchecked Sendable {
    private var reading: CInt = -1
    private var writing: CInt = -1

    /// An alarm without a pipe: it never rings, and ``sleep(orUntil:atMost:)`` only waits for `stop` or the time.
    static let none = WakeupPipe()

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

    /// Sleeps until the alarm rings, `stop` is readable (-1: ignored), or `milliseconds` have passed (-1: no limit).
    /// Drains the alarm before it returns.
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
