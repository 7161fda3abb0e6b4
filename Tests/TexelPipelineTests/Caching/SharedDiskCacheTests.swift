import CacheTestSupport
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import TexelPipeline

/// The disk cache, used by several processes.
@Suite(.timeLimit(.minutes(30))) struct SharedDiskCacheTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A process that writes into the cache until it is killed.
    private struct Writer {
        private let program: RunningProgram

        init(_ directory: String, limit: Int, seed: Int) throws {
            program = try RunningProgram(
                Program.built("DiskCacheWriter"), ["write", directory, "\(limit)", "\(seed)"])
        }

        /// Waits until the process has printed something.
        ///
        /// - Returns: the error that it found, if any.
        func fault() throws -> String? {
            let text = try program.readSome()
            return text.isEmpty ? "ended" : text.contains("wrong") ? text : nil
        }

        func kill() throws {
            program.send(SIGKILL)
            _ = try program.wait()
        }
    }

    @Test func killedProcessesLeaveOnlyCompleteEntries() throws {
        var generator = SeededGenerator(seed: 7)
        let limit = 100 * 4096
        var writers: [Writer] = []
        for seed in 0..<16 {
            writers.append(try Writer(folder("cache"), limit: limit, seed: seed))
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                #expect(try writers[.random(in: writers.indices, using: &generator)].fault() == nil)
            }
            if writers.count == 3 { try writers.remove(at: .random(in: 0..<3, using: &generator)).kill() }
        }
        for writer in writers {
            #expect(try writer.fault() == nil)
            try writer.kill()
        }

        let cache = DiskCache(directory: FilePath(folder("cache")), sizeLimit: limit)
        let entries = try folder.entries()
        #expect(!entries.isEmpty)
        // At the last count of the files, three processes were writing one entry each.
        #expect(try folder.entryBytes() <= limit + 3 * CachedContent.largest)
        var found = 0
        for index in 0..<200 {
            guard let entry = cache.entry(for: .test(index)) else { continue }
            #expect(Array(entry.content) == CachedContent.bytes(index))
            found += 1
        }
        #expect(found == entries.count)
        #expect(cache.statistics.damaged == 0)
        // The first store of another process removes the unfinished files.
        try cache.store(metadata: [], content: [1], for: .test(1000))
        #expect(try folder.unfinished().isEmpty)
    }

    /// An error of the system reaches the caller, leaves no file, and does not affect other calls.
    @Test func errorsOfTheSystemReachTheCaller() throws {
        let output = try Program.run(Program.built("DiskCacheWriter"), ["fill", folder("cache"), "8192"])
        #expect(String(decoding: output, as: UTF8.self) == "refused: \(EFBIG)\n")
        #expect(try folder.unfinished().isEmpty)
        #expect(try folder.entries().count == 1)
    }

    #if os(Linux)
        /// A small file system that exists for one command only.
        private static let small = [
            "-c", "exec unshare -rm sh -c 'mount -t tmpfs -o size=300k none \"$1\" && shift && exec \"$@\"' sh \"$@\"",
            "sh",
        ]

        private static let canMount: Bool = {
            guard let folder = try? TemporaryDirectory() else { return false }
            return (try? Program.run("/bin/sh", small + [folder.path, "true"])) != nil
        }()

        @Test(.enabled(if: canMount, "needs user namespaces"))
        func fullDiskIsReportedToTheCaller() throws {
            let output = try Program.run(
                "/bin/sh",
                Self.small + [folder.path, Program.built("DiskCacheWriter"), "fill", folder("cache")])
            #expect(String(decoding: output, as: UTF8.self) == "refused: \(ENOSPC)\n")
        }
    #endif
}
