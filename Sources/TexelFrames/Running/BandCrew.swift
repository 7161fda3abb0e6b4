import TexelCodecs
import TexelPipeline

/// Work that several threads do together, part by part.
protocol BandJob: AnyObject, Sendable {
    var partCount: Int { get }

    /// Does a part; each is done once.
    ///
    /// - Parameter member: the number of the thread that does it, from 0; it does one part at a time.
    func run(part: Int, member: Int)
}

/// Threads that share the work of one frame after the other; whoever asks them is one of them.
///
/// Between two frames they wait. Nothing is allocated for a frame.
final class BandCrew: Sendable {
    /// How many threads there are, with the caller.
    let size: Int
    private let state = Monitor(State())

    private struct State {
        var job: (any BandJob)?
        /// The next part that nobody does yet.
        var nextPart = 0
        var partCount = 0
        var unfinishedCount = 0
        var isDismissed = false

        mutating func takePart() -> Int? {
            guard nextPart < partCount else { return nil }
            nextPart += 1
            return nextPart - 1
        }
    }

    /// - Parameter size: the caller and so many threads less one; what threads the machine does not give, others do.
    init(size: Int) {
        self.size = max(1, size)
        for member in 1..<self.size {
            // The threads know only what they share, so that they do not keep the crew.
            let state = state
            WorkerThread { Self.serve(state, member) }?.detach()
        }
    }

    /// The threads end.
    func dismiss() { state.update { $0.isDismissed = true } }

    /// Has all parts of a job done, and waits for the last of them.
    func run(_ job: any BandJob) {
        state.update { state in
            state.job = job
            state.nextPart = 0
            state.partCount = job.partCount
            state.unfinishedCount = job.partCount
        }
        while let part = state.withLock({ $0.takePart() }) {
            job.run(part: part, member: 0)
            state.withLock { $0.unfinishedCount -= 1 }
        }
        state.wait { state -> Void? in
            guard state.unfinishedCount == 0 else { return nil }
            state.job = nil
            return ()
        }
    }

    private struct Part {
        var job: any BandJob
        var number: Int
    }

    private static func serve(_ state: Monitor<State>, _ member: Int) {
        while true {
            let part = state.wait { state -> Part?? in
                if state.isDismissed { return .some(nil) }
                guard let job = state.job, let number = state.takePart() else { return nil }
                return Part(job: job, number: number)
            }
            guard let part else { return }
            part.job.run(part: part.number, member: member)
            state.update { $0.unfinishedCount -= 1 }
        }
    }
}
