import PlatformLibc
import SystemPackage
import TexelCore

import TexelCodecs
import TexelPixels
@testable import TexelFrames

/// A clock that the test advances: a sleep ends when its time is reached or when it is stopped.
final class ManualFrameClock: FrameClock {
    private let state: Monitor<State>

    private struct State {
        var now: Duration
        /// The wake time of each sleeper, by the descriptor that wakes it.
        var sleepers: [FileDescriptor: Duration] = [:]
    }

    init(_ now: Duration = .zero) { state = Monitor(State(now: now)) }

    var now: Duration { state.withLock { $0.now } }

    func advance(by duration: Duration) { advance(to: now + duration) }

    func advance(to time: Duration) {
        state.update { state in
            state.now = time
            for (descriptor, wakeTime) in state.sleepers where wakeTime <= time {
                state.sleepers[descriptor] = nil
                _ = try? descriptor.writeAll([1])
            }
        }
    }

    /// Waits until a thread sleeps; returns the earliest wake time.
    func waitForSleeper() -> Duration { state.wait { $0.sleepers.values.min() } }

    func sleep(until time: Duration, stop: StopToken) {
        guard let pipe = try? FileDescriptor.privatePipe() else { return }
        defer {
            try? pipe.readEnd.close()
            try? pipe.writeEnd.close()
        }
        let mustWait = state.update { state in
            guard time > state.now else { return false }
            state.sleepers[pipe.writeEnd] = time
            return true
        }
        guard mustWait else { return }
        var descriptors = [
            pollfd(fd: pipe.readEnd.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        poll(&descriptors, 2, -1)
        state.update { $0.sleepers[pipe.writeEnd] = nil }
    }
}

/// A clock that jumps to each requested wake time and records it.
final class JumpingFrameClock: FrameClock {
    private let state: Monitor<(now: Duration, wakeTimes: [Duration])>

    init(_ now: Duration = .zero) { state = Monitor((now, [])) }

    var now: Duration { state.withLock { $0.now } }
    var wakeTimes: [Duration] { state.withLock { $0.wakeTimes } }

    func advance(by duration: Duration) { state.withLock { $0.now += duration } }

    func sleep(until time: Duration, stop: StopToken) {
        state.withLock { state in
            state.now = max(state.now, time)
            state.wakeTimes.append(time)
        }
    }
}
