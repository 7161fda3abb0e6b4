import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPNG
import TexelPixels

@testable import TexelFrames

@Suite("Directories being filled")
struct DirectorySourceTests {
    private let directory: TemporaryDirectory
    private let image: [UInt8]

    init() throws {
        directory = try TemporaryDirectory()
        image = try PixelBuffer.random(width: 6, height: 4).encoded(as: .png(PNGOptions(effort: .fast)))
    }

    private func name(_ frame: SeenFrame?) -> String? {
        guard case .file(let path) = frame?.image else { return nil }
        return path.lastComponent?.string
    }

    /// A clock that runs one change to the directory for each wait, and stops at the end.
    private final class SteppingClock: FrameClock {
        private let state: Monitor<(now: Duration, steps: [@Sendable () throws -> Void])>

        init(_ steps: [@Sendable () throws -> Void]) { state = Monitor((.zero, steps)) }

        var now: Duration { state.withLock { $0.now } }

        func sleep(until time: Duration, stop: StopToken) {
            let step = state.withLock { state in
                state.now = max(state.now, time)
                return state.steps.isEmpty ? nil : state.steps.removeFirst()
            }
            guard let step else { return stop.cancel() }
            do { try step() } catch { stop.cancel() }
        }
    }

    /// The names reported while the directory changes, with a scan every second.
    private func polledNames(includesExisting: Bool, _ steps: [@Sendable () throws -> Void]) throws -> [String] {
        let (clock, stop) = (SteppingClock(steps), StopToken())
        let source = try DirectorySource(
            FilePath(directory.path), includesExisting: includesExisting, lookingEvery: .seconds(1), clock: clock,
            stop: stop)
        var names: [String] = []
        while let frame = try source.nextSeen(stop) { names.append(name(frame) ?? "") }
        return names
    }

    @Test("Looked at again and again: a picture comes when two looks find it unchanged")
    func imagesComeWhenTwoScansAgree() throws {
        let (directory, image) = (directory, image)
        try directory.add("old10.png", image)
        try directory.add("old9.png", image)
        let steps: [@Sendable () throws -> Void] = [
            // The second scan finds both files unchanged.
            { try directory.add("growing.jpg", image[..<20]) },
            { try directory.add("growing.jpg", image[..<40]) },
            { try directory.add("growing.jpg", image) },
            {},
            { try directory.add("empty.png", []) },
            {},
            { try directory.add(".hidden.png", image) },
            { try directory.add("notes.txt", image) },
            { try directory.add("old9.png", image + [0]) },
            {},
            {},
        ]
        #expect(
            try polledNames(includesExisting: true, steps) == ["old9.png", "old10.png", "growing.jpg", "old9.png"])
    }

    @Test("Without those that are there, the first new one is the first frame")
    func pollingNewOnes() throws {
        let (directory, image) = (directory, image)
        try directory.add("old.png", image)
        let steps: [@Sendable () throws -> Void] = [
            { try directory.add("new.png", image) }, {},
            { try FileManager.default.removeItem(atPath: directory("old.png")) },
            { try directory.add("old.png", image + [0]) }, {}, {},
        ]
        #expect(try polledNames(includesExisting: false, steps) == ["new.png", "old.png"])
    }

    @Test("A directory that goes ends the stream with an error")
    func removedDirectoryEndsPollingWithAnError() throws {
        let (directory, image) = (directory, image)
        try directory.add("a.png", image)
        let steps: [@Sendable () throws -> Void] = [{}, { try FileManager.default.removeItem(atPath: directory.path) }]
        #expect(throws: TexelError.missingFile(FilePath(directory.path))) {
            try polledNames(includesExisting: true, steps)
        }
    }

    @Test("The first picture that can be read tells the size; waiting for it can be stopped")
    func firstReadableImageTellsTheSize() throws {
        let (directory, image) = (directory, image)
        let steps: [@Sendable () throws -> Void] = [
            { try directory.add("1bad.png", [1, 2, 3]) }, {}, { try directory.add("2.png", image) }, {},
        ]
        let (clock, stop) = (SteppingClock(steps), StopToken())
        let source = try DirectorySource(
            FilePath(directory.path), lookingEvery: .seconds(1), clock: clock, stop: stop)
        #expect(source.format == FrameFormat(size: PixelSize(width: 6, height: 4), isLive: true, isEncoded: true))
        #expect(name(try source.nextSeen()) == "1bad.png")
        #expect(name(try source.nextSeen()) == "2.png")
        let empty = try TemporaryDirectory()
        #expect(throws: TexelError.stopped(.cancelled)) {
            try DirectorySource(
                FilePath(empty.path), lookingEvery: .seconds(1), clock: SteppingClock([]), stop: StopToken())
        }
    }

    @Test("What is no directory is refused", arguments: [nil, Duration.seconds(1)])
    func filesAndMissingPathsAreRefused(interval: Duration?) throws {
        let (file, nothing) = (FilePath(try directory.add("a.png", image)), FilePath(directory("nothing")))
        #expect(throws: TexelError.missingFile(nothing)) { try DirectorySource(nothing, lookingEvery: interval) }
        #expect(throws: TexelError.cannotRead(file, .notDirectory)) {
            try DirectorySource(file, lookingEvery: interval)
        }
    }

    #if os(Linux)
        @Test("Told by the system: pictures come when they have been closed or moved there, each once")
        func closedOrMovedImagesAreReported() throws {
            let files = try TemporaryDirectory()
            try files.add("whole", image)
            try files.add("longer", image + [0])
            // Written by a shell: a file that this process writes could be inherited by a program that another test
            // starts, and inotify would report it only when that closes it.
            func write(_ script: String) throws {
                try Program.run("/bin/sh", ["-c", script, "sh", files("whole"), files("longer"), directory.path])
            }
            // The third file is incomplete and recent.
            try write("cd $3 && cp $1 b2.png && cp $1 b10.png && head -c \(image.count - 5) $1 > half.png")
            let source = try DirectorySource(FilePath(directory.path))
            #expect(source.format == FrameFormat(size: PixelSize(width: 6, height: 4), isLive: true, isEncoded: true))
            // c.png stays open while other files are created, renamed and removed.
            try write(
                """
                cd $3 && {
                    head -c 10 $1; cp $1 d.txt; cp $1 .e.tmp; mv .e.tmp e.png; cp $1 gone.png; rm gone.png
                    tail -c +11 $1
                } > c.png && cp $2 b2.png
                """)
            let names = try (0..<5).map { _ in name(try source.nextSeen()) }
            #expect(names == ["b2.png", "b10.png", "e.png", "c.png", "b2.png"])
            try FileManager.default.removeItem(atPath: directory.path)
            #expect(throws: TexelError.missingFile(FilePath(directory.path))) { try source.nextSeen() }
        }

        @Test("Old pictures are complete, however they end")
        func oldImagesCountAsComplete() throws {
            let path = try directory.add("half.png", image.dropLast(5))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: path)
            let source = try DirectorySource(FilePath(directory.path))
            #expect(name(try source.nextSeen()) == "half.png")
        }

        @Test("A stop wakes who waits; frames have the times at which they were given")
        func stopWakesTheWaitingReader() throws {
            let clock = ManualFrameClock(.seconds(7))
            try directory.add("1.png", image)
            try directory.add("2.png", image)
            let source = try DirectorySource(FilePath(directory.path), clock: clock)
            clock.advance(by: .seconds(1))
            var frame = try #require(try source.nextSeen())
            #expect(frame.time == .zero && frame.index == 0)
            clock.advance(by: .seconds(2))
            frame = try #require(try source.nextSeen())
            #expect(frame.time == .seconds(2) && frame.index == 1)
            let stop = StopToken()
            let outcome = Monitor<Bool?>(nil)
            let thread = FeedingThread {
                let frame = try? source.nextSeen(stop)
                outcome.update { $0 = frame == nil }
            }
            stop.cancel()
            thread.join()
            #expect(outcome.withLock { $0 } == true)
        }

        @Test("Nothing is lost when more came than the system remembers")
        func queueOverflowLosesNoImages() throws {
            let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
            let events = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
            try directory.add("0.png", image)
            let source = try DirectorySource(FilePath(directory.path))
            #expect(name(try source.nextSeen()) == "0.png")
            // Equal consecutive inotify events are merged, so alternate two files.
            let files = try ["x.txt", "y.txt"].map { try directory.add($0, [1]) }
            for index in 0...events {
                let file = try FileDescriptor.open(FilePath(files[index % 2]), .writeOnly, options: .closeOnExec)
                try file.close()
            }
            try directory.add("late.png", image)
            #expect(name(try source.nextSeen()) == "late.png")
        }
    #endif
}
