import Dispatch
import Synchronization
import TexelCodecs

/// The two halves of a picture's way at the same time: one thread fills bands, the caller's thread uses them, in their
/// order, and no more of them are in memory than there are.
enum BandRelay {
    /// Fills and uses bands until there are no more.
    ///
    /// - Parameters:
    ///   - bands: memory to pass round, at least one; two or more let both halves work at the same time.
    ///   - isParallel: whether `fill` runs on a thread of its own. The calls are the same in any case.
    ///   - fill: fills a band and says whether there was anything left to fill it with.
    ///   - use: uses a filled band.
    /// - Throws: the first error of either half; the other half ends before.
    static func run<Band>(
        _ bands: [Band], isParallel: Bool, fill: (Band) throws(CodecError) -> Bool,
        use: (Band) throws(CodecError) -> Void
    ) throws(CodecError) {
        guard isParallel, bands.count > 1 else {
            guard let band = bands.first else { return }
            while try fill(band) { try use(band) }
            return
        }
        let result = withoutActuallyEscaping(fill) { fill in
            Result { () throws(CodecError) in try Exchange(bands, fill).run(use) }
        }
        try result.get()
    }
}

/// What both threads know of each other.
///
/// Unchecked because of `bands` and `fill`: a band is touched by one thread at a time, the semaphores hand it over, and
/// `fill` is called by the new thread only, which has ended before `run(_:)` returns.
private final class Exchange<Band>: @unchecked Sendable {
    private let bands: [Band]
    private let fill: (Band) throws(CodecError) -> Bool
    private let free: DispatchSemaphore
    private let filled = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        /// How many bands were filled, once it is known.
        var end: Int?
        var error: CodecError?
        /// Nobody wants more bands.
        var isAbandoned = false
    }

    init(_ bands: [Band], _ fill: @escaping (Band) throws(CodecError) -> Bool) {
        self.bands = bands
        self.fill = fill
        // A semaphore that ends below its first value traps, so it begins at 0.
        free = DispatchSemaphore(value: 0)
        for _ in bands { free.signal() }
    }

    func run(_ use: (Band) throws(CodecError) -> Void) throws(CodecError) {
        guard let thread = WorkerThread({ self.fillAll() }) else {
            // The machine gives no more threads; the work must be done nevertheless.
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
            do throws(CodecError) {
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
        var failure: CodecError?
        while true {
            free.wait()
            if state.withLock({ $0.isAbandoned }) { return }
            do throws(CodecError) {
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
