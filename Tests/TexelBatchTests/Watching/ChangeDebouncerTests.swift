import SystemPackage
import TestSupport
import Testing

@testable import TexelPipeline
@testable import TexelWatching

/// When changing files are processed; the test controls the clock.
@Suite struct ChangeSettlingTests {
    private typealias Settling = ChangeDebouncer<Int>

    private static let debounce = Duration.milliseconds(500)
    private static let patience = Duration.seconds(10)
    private let path: FilePath = "a.png"

    private func milliseconds(_ count: Int) -> Duration { .milliseconds(count) }

    @Test func waitsUntilNothingHappens() {
        var settling = Settling(debounce: Self.debounce)
        for time in stride(from: 0, through: 3000, by: 400) {
            #expect(settling.note(path, .isComplete, at: milliseconds(time)) == false)
            #expect(settling.nextDue(at: milliseconds(time + 399)) == nil)
        }
        // The last change was at 2800 ms.
        #expect(settling.nextDue(at: milliseconds(3299)) == nil)
        #expect(settling.nextDue(at: milliseconds(3300)) == path)
        #expect(settling.saw(path, 1, isOpen: false, at: milliseconds(3300)) == .isComplete)
    }

    @Test func waitsForTheWriter() {
        var settling = Settling(debounce: Self.debounce)
        _ = settling.note(path, .isBeingWritten, at: .zero)
        #expect(settling.nextDue(at: Self.debounce) == path)
        #expect(settling.saw(path, 1, isOpen: false, at: Self.debounce) == .waits)
        #expect(settling.nextDue(at: milliseconds(9000)) == nil)
        // Closing the file makes it due after the debounce.
        _ = settling.note(path, .isComplete, at: milliseconds(9000))
        #expect(settling.nextLookTime == milliseconds(9500))
        #expect(settling.nextDue(at: milliseconds(9500)) == path)
        #expect(settling.saw(path, 2, isOpen: false, at: milliseconds(9500)) == .isComplete)
    }

    /// A writer that never closes its file does not delay it forever, once it has stopped writing.
    @Test func idleWriterDoesNotDelayForever() {
        var settling = Settling(debounce: Self.debounce, patience: Self.patience)
        _ = settling.note(path, .isBeingWritten, at: .zero)
        #expect(settling.nextDue(at: Self.debounce) == path)
        #expect(settling.saw(path, 1, isOpen: false, at: Self.debounce) == .waits)
        #expect(settling.nextDue(at: Self.patience) == path)
        #expect(settling.saw(path, 1, isOpen: false, at: Self.patience) == .waits)
        let end = Self.patience + Self.debounce
        #expect(settling.nextDue(at: end) == path)
        #expect(settling.saw(path, 1, isOpen: false, at: end) == .isComplete)
    }

    @Test func fileWithoutEventsMustBeUnchangedTwice() {
        var settling = Settling(debounce: Self.debounce)
        _ = settling.note(path, .isUnknown, at: .zero)
        for look in 1...5 {
            let time = Self.debounce * look
            #expect(settling.nextDue(at: time) == path)
            #expect(settling.saw(path, look, isOpen: false, at: time) == .waits)
        }
        #expect(settling.nextDue(at: Self.debounce * 6) == path)
        #expect(settling.saw(path, 5, isOpen: false, at: Self.debounce * 6) == .isComplete)
    }

    /// A writer without events: it had opened the file before, or opens it again.
    @Test(arguments: [.isUnknown, .isComplete] as [ChangeDebouncer<Int>.Sign])
    func waitsForAWriterThatIsFound(_ sign: ChangeDebouncer<Int>.Sign) {
        var settling = Settling(debounce: Self.debounce, patience: Self.patience)
        _ = settling.note(path, sign, at: .zero)
        #expect(settling.nextDue(at: Self.debounce) == path)
        #expect(settling.saw(path, 1, isOpen: true, at: Self.debounce) == .waits)
        #expect(settling.nextDue(at: Self.patience - milliseconds(1)) == nil)
        _ = settling.note(path, .isComplete, at: milliseconds(9000))
        #expect(settling.nextDue(at: milliseconds(9500)) == path)
        #expect(settling.saw(path, 2, isOpen: false, at: milliseconds(9500)) == .isComplete)
    }

    /// A file that was found, on a file system that does not tell whether it has a writer.
    @Test func waitsForAWriterThatMayExist() {
        var settling = Settling(debounce: Self.debounce, patience: Self.patience)
        _ = settling.note(path, .isUnknown, at: .zero)
        #expect(settling.nextDue(at: Self.debounce) == path)
        #expect(settling.saw(path, 1, isOpen: nil, at: Self.debounce) == .waits)
        #expect(settling.nextDue(at: Self.patience) == path)
        #expect(settling.saw(path, 1, isOpen: nil, at: Self.patience) == .waits)
        let end = Self.patience + Self.debounce
        #expect(settling.nextDue(at: end) == path)
        #expect(settling.saw(path, 1, isOpen: nil, at: end) == .isComplete)
    }

    private func start(_ settling: inout Settling) -> Int? { settling.start()?.version }

    @Test func oneAtATime() {
        var settling = Settling(debounce: Self.debounce)
        func settle(_ version: Int, from time: Duration) -> Bool {
            let end = time + Self.debounce
            guard settling.nextDue(at: end) == path else { return false }
            guard settling.saw(path, version, isOpen: false, at: end) == .isComplete else { return false }
            settling.accept(path, version)
            return true
        }
        _ = settling.note(path, .isComplete, at: .zero)
        #expect(settle(1, from: .zero) == true)
        #expect(start(&settling) == 1)
        // The running work is outdated, and the next work waits for its end.
        #expect(settling.note(path, .isComplete, at: .seconds(1)) == true)
        #expect(settle(2, from: .seconds(1)) == false)
        #expect(start(&settling) == nil)
        #expect(settling.finish(path) == true)
        #expect(settle(2, from: .seconds(2)) == true)
        #expect(start(&settling) == 2)
        #expect(settling.finish(path) == false)
        #expect(settling.isIdle)
    }

    /// A file that changes before its turn is processed once, in its latest state.
    @Test func changesBeforeItsTurn() {
        var settling = Settling(debounce: Self.debounce)
        for version in 0..<100 {
            let time = Duration.seconds(version)
            _ = settling.note(path, .isComplete, at: time)
            #expect(settling.nextDue(at: time + Self.debounce) == path)
            #expect(settling.saw(path, version, isOpen: false, at: time + Self.debounce) == .isComplete)
            settling.accept(path, version)
        }
        #expect(start(&settling) == 99)
        #expect(start(&settling) == nil)
        #expect(settling.finish(path) == false)
        #expect(settling.isIdle)
    }

    /// A model of the files and of what was made of them.
    private struct World {
        struct File {
            /// `nil` if there is no file.
            var version: Int?
            var isOpen = false
            var changeTime = Duration.zero
        }

        var files: [FilePath: File] = [:]
        var done: [FilePath: Int] = [:]
        /// The version being processed, and whether the file has changed since.
        var running: [FilePath: (version: Int, isOutdated: Bool)] = [:]
    }

    @Test(arguments: 0..<30) func randomChangesEndInTheLatestVersions(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let paths = (0..<4).map { FilePath("\($0).png") }
        var settling = Settling(debounce: Self.debounce, patience: Self.patience)
        var (world, now, versions) = (World(), Duration.zero, 0)

        func happen(_ path: FilePath) {
            var file = world.files[path] ?? World.File()
            let sign: Settling.Sign
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1: (file.version, file.isOpen, sign) = (versions, true, .isBeingWritten)
            case 2, 3:
                (file.version, file.isOpen, sign) = (file.isOpen ? file.version : versions, false, .isComplete)
            case 4: (file.version, file.isOpen, sign) = (nil, false, .isUnknown)
            default: (file.version, file.isOpen, sign) = (versions, false, .isUnknown)
            }
            versions += 1
            file.changeTime = now
            world.files[path] = file
            world.running[path]?.isOutdated = true
            #expect(settling.note(path, sign, at: now) == (world.running[path] != nil))
        }

        func look() {
            while let path = settling.nextDue(at: now) {
                let file = world.files[path] ?? World.File()
                #expect(now - file.changeTime >= Self.debounce && world.running[path] == nil)
                switch settling.saw(path, file.version, isOpen: false, at: now) {
                case .waits: break
                case .isGone:
                    #expect(file.version == nil)
                    world.done[path] = nil
                case .isComplete:
                    #expect(!file.isOpen || now - file.changeTime >= Self.patience)
                    guard let version = file.version, world.done[path] != version else {
                        settling.drop(path)
                        continue
                    }
                    settling.accept(path, version)
                }
            }
            #expect(settling.nextLookTime.map { $0 > now } ?? true)
            while world.running.count < 2, let (path, version) = settling.start() {
                #expect(world.running[path] == nil && world.files[path]?.version == version)
                world.running[path] = (version, false)
            }
        }

        func finishOne() {
            guard let path = world.running.keys.sorted(by: { $0.string < $1.string }).first,
                let job = world.running.removeValue(forKey: path)
            else { return }
            #expect(settling.finish(path) == job.isOutdated)
            if !job.isOutdated { world.done[path] = job.version }
        }

        for _ in 0..<300 {
            now += .milliseconds(Int.random(in: 0...400, using: &generator))
            if let path = paths.randomElement(using: &generator), Bool.random(using: &generator) { happen(path) }
            look()
            if Int.random(in: 0..<3, using: &generator) == 0 { finishOne() }
        }
        // Without further events, all work ends, and the results are of the latest versions.
        var steps = 0
        while !settling.isIdle, steps < 1000 {
            steps += 1
            now = max(now, settling.nextLookTime ?? now)
            look()
            finishOne()
        }
        #expect(settling.isIdle)
        for path in paths { #expect(world.done[path] == world.files[path]?.version, "\(path)") }
    }
}
