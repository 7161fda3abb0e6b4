import Synchronization
import Testing

@testable import TexelCore
@testable import TexelPixels

@Suite struct ParallelJobsTests {
    private struct Failure: Error, Equatable { var index: Int }

    @Test(arguments: [1, 2, 5, 40]) func everyJobRunsOnce(threads: Int) {
        for count in [0, 1, 2, 3, 100] {
            let runs = Mutex([Int](repeating: 0, count: count))
            ParallelJobs.forEach(count, threads: threads) { index in runs.withLock { $0[index] += 1 } }
            #expect(runs.withLock { $0.allSatisfy { $0 == 1 } })
            let squares = ParallelJobs.map(count, threads: threads) { $0 * $0 }
            #expect(squares == (0..<count).map { $0 * $0 })
        }
    }

    @Test(arguments: [0, 1, 255, 256, 257, 1000]) func elementsKeepTheirOrder(count: Int) {
        let squares = ParallelJobs.map(Array(0..<count)) { $0 * $0 }
        #expect(squares == (0..<count).map { $0 * $0 })
    }

    /// Jobs wait for the jobs that they start, on more levels and in greater numbers than there are threads.
    @Test func jobsStartJobs() {
        let sums = ParallelJobs.map(40, threads: 20) { outer in
            ParallelJobs.map(30, threads: 20) { middle in
                ParallelJobs.map(3, threads: 3) { outer + middle + $0 }.reduce(0, +)
            }.reduce(0, +)
        }
        #expect(sums == (0..<40).map { outer in 30 * 3 * outer + 3 * 435 + 30 * 3 })
    }

    @Test func errorsEndTheRest() {
        for threads in [1, 4] {
            let begun = Mutex(0)
            #expect(throws: Failure(index: 3)) {
                try ParallelJobs.forEach(100_000, threads: threads) { index throws(Failure) in
                    begun.withLock { $0 += 1 }
                    if index == 3 { throw Failure(index: 3) }
                }
            }
            #expect(begun.withLock { $0 } < 100_000)
        }
    }

    /// Work that no thread has begun does not run after its end.
    @Test func endedWorkDoesNotBegin() {
        for _ in 0..<200 {
            let state = Mutex((isEnded: false, ranAfterwards: false))
            withoutActuallyEscaping({ state.withLock { if $0.isEnded { $0.ranAfterwards = true } } }) { body in
                nonisolated(unsafe) let body = body
                let work = HelperThreads.begin { body() }
                work.end()
                state.withLock { $0.isEnded = true }
            }
            #expect(!state.withLock { $0.ranAfterwards })
        }
    }
}
