import Dispatch
import Synchronization

/// Overlaps the two halves of a pipeline: one thread fills bands while the caller's thread uses them in order. Memory
/// is limited to the given bands.
package enum BandRelay {
    /// Fills and uses bands until `fill` has no more.
    ///
    /// - Parameters:
    ///   - bands: the buffers to reuse, at least one; with two or more, both halves can run at the same time.
    ///   - isParallel: whether `fill` runs on its own thread. The sequence of calls is the same in both cases.
    ///   - fill: fills a band; returns `false` if there was nothing left to fill it with.
    ///   - use: uses a filled band.
    /// - Throws: the first error of either half, after the other half has ended.
    package static func run<Band>(
        _ bands: [Band], isParallel: Bool, fill: (Band) throws(TexelError) -> Bool,
        use: (Band) throws(TexelError) -> Void
    ) throws(TexelError) {
        guard isParallel, bands.count > 1 else {
            guard let band = bands.first else { return }
            while try fill(band) { try use(band) }
            return
        }
        let result = withoutActuallyEscaping(fill) { fill in
            Result { () throws(TexelError) in try Exchange(bands, fill).run(use) }
        }
        try result.get()
    }
}

/// The state that both threads share.
///
/// Unchecked because of `bands` and `fill`: a band is touched by one thread at a time, the semaphores hand it over, and
/// `fill` is called by the new thread only, which has ended before `run(_:)` returns.
private final class Exchange<Band>: @unchecked Sendable {
    private let bands: [Band]
    private let fill: (Band) throws(TexelError) -> Bool
    private let free: DispatchSemaphore
    private let filled = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        /// The total number of filled bands; `nil` until it is known.
        var end: Int?
        var error: TexelError?
        /// Whether `use` has failed, so that no more bands are needed.
        var isAbandoned = false
    }

    init(_ bands: [Band], _ fill: @escaping (Band) throws(TexelError) -> Bool) {
        self.bands = bands
        self.fill = fill
        // Dispatch traps if a semaphore is destroyed with a value below its initial one, so it starts at 0.
        free = DispatchSemaphore(value: 0)
        for _ in bands { free.signal() }
    }

    func run(_ use: (Band) throws(TexelError) -> Void) throws(TexelError) {
        guard let thread = WorkerThread({ self.fillAll() }) else {
            // No thread could be created; do the work on this one.
            while try fill(bands[0]) { try use(bands[0]) }
            return
        }
        defer { thread.join() }
        var index = 0
        while true {
            filled.wait()
            let (end, error) = state.withLock { ($0.end, $0.error) }
            if end == index {
                if let error { throw error }
                return
            }
            do throws(TexelError) {
                try use(bands[index % bands.count])
            } catch {
                state.withLock { $0.isAbandoned = true }
                free.signal()
                throw error
            }
            index += 1
            free.signal()
        }
    }

    private func fillAll() {
        var index = 0
        var failure: TexelError?
        while true {
            free.wait()
            if state.withLock({ $0.isAbandoned }) { return }
            do throws(TexelError) {
                guard try fill(bands[index % bands.count]) else { break }
            } catch {
                failure = error
                break
            }
            index += 1
            filled.signal()
        }
        state.withLock { [failure] state in
            state.end = index
            state.error = failure
        }
        filled.signal()
    }
}
