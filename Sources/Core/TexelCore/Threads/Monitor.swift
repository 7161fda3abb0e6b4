package import PlatformLibc

/// A state that threads change one at a time, and on whose changes they can wait.
///
/// Uses POSIX primitives, because `Mutex` has no condition variable, and the thread sanitizer understands them.
/// Allocates nothing after initialisation; inlinable, so that this also holds in other modules.
///
/// Unchecked because of the pointers and the state: the mutex guards the state, and both live as long as this object.
package final class Monitor<State: ~Copyable>: @unchecked Sendable {
    @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline package let condition: UnsafeMutablePointer<pthread_cond_t>
    @usableFromInline package var state: State

    /// Creates a monitor with an initial state.
    @inlinable
    package init(_ state: consuming State) {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        self.state = state
        pthread_mutex_init(mutex, nil)
        #if os(Linux)
            // The monotonic clock, so that changing the system time does not prolong a wait.
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #else
            pthread_cond_init(condition, nil)
        #endif
    }

    @inlinable deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Calls `body` with the state, without waking waiting threads.
    @inlinable
    package func withLock<Value: ~Copyable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the state and wakes all waiting threads.
    @inlinable
    package func update<Value: ~Copyable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until `body` returns a value. It is called at once and after every update; changes that it makes to the
    /// state when it returns a value wake the other threads.
    @inlinable
    package func wait<Value: ~Copyable>(_ body: (inout State) -> Value?) -> Value {
        pthread_mutex_lock(mutex)
        while true {
            if let value = body(&state) {
                pthread_cond_broadcast(condition)
                pthread_mutex_unlock(mutex)
                return value
            }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Waits until `body` returns a value, at most for `duration`.
    ///
    /// - Returns: `nil` after the timeout.
    @inlinable
    package func wait<Value: ~Copyable>(atMost duration: Duration, _ body: (inout State) -> Value?) -> Value? {
        var deadline = Self.deadline(in: duration)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value = body(&state) {
                pthread_cond_broadcast(condition)
                return value
            }
            if pthread_cond_timedwait(condition, mutex, &deadline) != 0 { return body(&state) }
        }
    }

    /// Returns the time `duration` from now, on the clock of the condition variable.
    @inlinable package static func deadline(in duration: Duration) -> timespec {
        var now = timespec()
        #if os(Linux)
            clock_gettime(CLOCK_MONOTONIC, &now)
        #else
            clock_gettime(CLOCK_REALTIME, &now)
        #endif
        let (seconds, attoseconds) = min(duration, .seconds(1 << 30)).components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }
}
