import CacheTestSupport
import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPNG

@testable import TexelPipeline

/// The disk cache in a single process.
@Suite struct DiskCacheTests {
    let folder: TemporaryDirectory
    let path: FilePath

    init() throws {
        folder = try TemporaryDirectory()
        path = FilePath(folder("cache"))
    }

    private func cache(_ limit: Int = 1 << 30) -> DiskCache { DiskCache(directory: path, sizeLimit: limit) }

    // MARK: Storing

    @Test func storedEntriesAreFoundUnchanged() throws {
        var generator = SeededGenerator(seed: 1)
        let counts = [0, 1, 2, 87, 88, 89, 4095, 4096, 20_000, 300_000]
        var kept: [(key: CacheKey, metadata: [UInt8], content: [UInt8])] = []
        let writer = cache()
        for (index, count) in counts.enumerated() {
            let content = [UInt8].random(count: count, using: &generator)
            let metadata = [UInt8].random(count: counts[(index + 3) % 7], using: &generator)
            #expect(writer.entry(for: .test(index)) == nil)
            // The content may be any collection.
            if index % 2 == 0 {
                #expect(try writer.store(metadata: metadata, content: content, for: .test(index)))
            } else {
                #expect(try writer.store(metadata: metadata, content: InputBytes(content), for: .test(index)))
            }
            kept.append((.test(index), metadata, content))
        }
        for cache in [writer, cache()] {
            for (key, metadata, content) in kept {
                let entry = cache.entry(for: key)
                #expect(entry?.metadata == metadata)
                #expect(entry.map { Array($0.content) == content } == true)
            }
            #expect(cache.statistics.hits == counts.count)
        }
        #expect(writer.statistics.misses == counts.count)
        #expect(writer.statistics.stores == counts.count)
        #expect(try writer.statistics.byteCount == folder.entryBytes())
    }

    @Test func layoutAndPermissions() throws {
        try cache().store(metadata: [1], content: [2], for: .test(0))
        let name = CacheKey.test(0).digest.hexadecimal
        #expect(
            try folder.files() == ["cache/\(name.prefix(2))/\(name)", "cache/lock", "cache/usage"].sorted())
        for file in ["cache", "cache/\(name.prefix(2))", "cache/unfinished"] + (try folder.files()) {
            let mode = try FileManager.default.attributesOfItem(atPath: folder(file))[.posixPermissions] as? Int
            #expect(mode == (FilePath(folder(file)).isDirectory ? 0o700 : 0o600), "\(file)")
        }
    }

    @Test func replacedEntriesFreeTheirBytes() throws {
        let cache = cache()
        for round in 0..<5 {
            let content = [UInt8](repeating: UInt8(round), count: 10_000 * (5 - round))
            #expect(try cache.store(metadata: [], content: content, for: .test(0)))
            #expect(cache.entry(for: .test(0)).map { Array($0.content) } == content)
            #expect(try cache.statistics.byteCount == folder.entryBytes())
        }
    }

    @Test func removedEntriesAreGone() throws {
        let cache = cache()
        for index in 0..<20 { try cache.store(metadata: [], content: [UInt8(index)], for: .test(index)) }
        cache.remove(for: .test(3))
        cache.remove(for: .test(100))
        #expect(cache.entry(for: .test(3)) == nil)
        #expect(cache.entry(for: .test(4)) != nil)
        #expect(try cache.statistics.byteCount == folder.entryBytes())
        try cache.removeAll()
        #expect(cache.statistics.byteCount == 0)
        #expect(try folder.files() == ["cache/lock", "cache/usage"])
    }

    // MARK: Damage

    @Test func damagedEntriesAreMisses() throws {
        let cache = cache()
        let file = FilePath(folder.entry(.test(0)))
        var damaged = 0
        func expectMiss(_ what: String, _ bytes: [UInt8]) throws {
            try folder.add(folder.relative(file), bytes)
            #expect(cache.entry(for: .test(0)) == nil, "\(what)")
            #expect(!file.exists, "\(what)")
            damaged += 1
            #expect(cache.statistics.damaged == damaged)
        }
        try cache.store(metadata: Array("note".utf8), content: Array("content".utf8), for: .test(0))
        let good = try folder.bytes(folder.relative(file))
        #expect(good.count == CacheEntryFile.headerSize + 11)
        for count in good.indices { try expectMiss("first \(count) bytes", Array(good.prefix(count))) }
        for index in good.indices {
            for bit in 0..<8 {
                var bytes = good
                bytes[index] ^= 1 << bit
                try expectMiss("bit \(bit) of byte \(index)", bytes)
            }
        }
        try expectMiss("one byte more", good + [0])
        try expectMiss("zeros", [UInt8](repeating: 0, count: good.count))
        var huge = good
        for index in 40..<56 { huge[index] = 0xFF }
        try expectMiss("huge lengths", huge)

        try folder.add(folder.relative(file), good)
        #expect(cache.entry(for: .test(0)).map { Array($0.content) } == Array("content".utf8))
        // The entry of another key is intact, but wrong here.
        try folder.add(folder.relative(FilePath(folder.entry(.test(1)))), good)
        #expect(cache.entry(for: .test(1)) == nil)
    }

    @Test func otherThingsInTheirPlace() throws {
        let cache = cache()
        try cache.store(metadata: [], content: [1], for: .test(0))
        let good = try folder.bytes(folder.relative(FilePath(folder.entry(.test(0)))))
        let outside = try folder.add("outside", good)

        // A link, even to an intact entry.
        try FileManager.default.removeItem(atPath: folder.entry(.test(0)))
        try FileManager.default.createSymbolicLink(atPath: folder.entry(.test(0)), withDestinationPath: outside)
        #expect(cache.entry(for: .test(0)) == nil)
        #expect(FilePath(folder.entry(.test(0))).isLink)
        try cache.store(metadata: [], content: [2], for: .test(0))
        #expect(cache.entry(for: .test(0)).map { Array($0.content) } == [2])
        #expect(try folder.bytes("outside") == good)

        // A pipe without a writer.
        try FileManager.default.removeItem(atPath: folder.entry(.test(0)))
        #expect(mkfifo(folder.entry(.test(0)), 0o600) == 0)
        #expect(cache.entry(for: .test(0)) == nil)
        try FileManager.default.removeItem(atPath: folder.entry(.test(0)))

        // A folder that is not empty.
        try folder.add(folder.relative(FilePath(folder.entry(.test(0)))) + "/mine", [7])
        #expect(cache.entry(for: .test(0)) == nil)
        let before = cache.statistics.byteCount
        #expect(throws: TexelError.cannotWriteCache(path, .isDirectory)) {
            try cache.store(metadata: [], content: [2], for: .test(0))
        }
        #expect(try folder.bytes(folder.relative(FilePath(folder.entry(.test(0)))) + "/mine") == [7])
        #expect(try folder.unfinished().isEmpty)
        #expect(cache.statistics.byteCount == before)
    }

    @Test func foreignFilesStay() throws {
        let digest = CacheKey.test(5).digest.hexadecimal
        let foreign = [
            "cache/notes.txt", "cache/aa/picture.png", "cache/unfinished/mine", "cache/zz/\(digest)",
            "cache/\(digest.prefix(2))/\(digest).bak", "cache/\(digest)", "cache/unfinished/texel-1-1",
            "cache/\(digest.prefix(2) == "00" ? "01" : "00")/\(digest)",
        ]
        for name in foreign { try folder.add(name, [1, 2, 3]) }
        let cache = cache(100_000)
        for index in 0..<60 {
            try cache.store(metadata: [], content: [UInt8](repeating: 1, count: 8000), for: .test(index))
        }
        #expect(cache.statistics.evictions > 0)
        try cache.removeAll()
        #expect(Set(try folder.files()) == Set(foreign + ["cache/lock", "cache/usage"]))
        for name in foreign { #expect(try folder.bytes(name) == [1, 2, 3]) }
    }

    // MARK: The limit

    /// Sets an entry's time of use to this many seconds ago.
    private func age(_ index: Int, _ seconds: Int) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date() - TimeInterval(seconds)], ofItemAtPath: folder.entry(.test(index)))
    }

    @Test func longestUnusedGoFirst() throws {
        // Each entry is one block of 4 KiB: 19 of 20 fit before eviction starts, and 18 remain afterwards.
        let cache = cache(20 * 4096)
        for index in 0..<19 {
            try cache.store(metadata: [], content: [UInt8(index)], for: .test(index))
            try age(index, 10_000 - 100 * index)
        }
        #expect(cache.statistics.evictions == 0)
        // A lookup makes the oldest entry the newest.
        #expect(cache.entry(for: .test(0)) != nil)
        try cache.store(metadata: [], content: [19], for: .test(19))
        #expect(cache.statistics.evictions == 2)
        #expect(try folder.entryBytes() == 18 * 4096)
        #expect(cache.statistics.byteCount == 18 * 4096)
        let kept = (0..<20).filter { cache.entry(for: .test($0)) != nil }
        #expect(kept == [0] + Array(3..<20))
    }

    /// Updating the time of each use would cost a write.
    @Test func usesAreNotedNowAndThen() throws {
        let cache = cache()
        try cache.store(metadata: [], content: [1], for: .test(0))
        func changed(by seconds: Int) throws -> Bool {
            try age(0, seconds)
            let before = FileStatus(FilePath(folder.entry(.test(0))))?.modificationTime
            #expect(cache.entry(for: .test(0)) != nil)
            return FileStatus(FilePath(folder.entry(.test(0))))?.modificationTime != before
        }
        #expect(try !changed(by: 5))
        #expect(try changed(by: 3600))
        #expect(try changed(by: -3600))
    }

    @Test func tooLargeEntriesAreRefused() throws {
        let cache = cache(100_000)
        #expect(try cache.store(metadata: [], content: [1], for: .test(0)))
        #expect(try !cache.store(metadata: [], content: [UInt8](repeating: 1, count: 30_000), for: .test(0)))
        // The entry that it would have replaced is outdated.
        #expect(cache.entry(for: .test(0)) == nil)
        #expect(cache.statistics.refusals == 1)
        #expect(try DiskCache(directory: path, sizeLimit: 0).store(metadata: [], content: [], for: .test(1)) == false)
        #expect(try folder.entryBytes() == 0)
    }

    @Test func smallerLimitAppliesToTheNextStore() throws {
        for index in 0..<50 { try cache().store(metadata: [], content: [1], for: .test(index)) }
        let small = cache(10 * 4096)
        try small.store(metadata: [], content: [1], for: .test(50))
        #expect(try folder.entryBytes() <= 10 * 4096)
        #expect(small.entry(for: .test(50)) != nil)
    }

    /// If the recorded number of bytes is lost or invalid, the files are counted.
    @Test(arguments: [nil, [], Array("nonsense".utf8), Array("TEXELUSE".utf8) + [UInt8](repeating: 0xFF, count: 16)])
    func lostByteCountIsRestored(bytes: [UInt8]?) throws {
        for index in 0..<10 { try cache().store(metadata: [], content: [1], for: .test(index)) }
        try FileManager.default.removeItem(atPath: folder("cache/usage"))
        if let bytes { try folder.add("cache/usage", bytes) }
        let cache = cache()
        try cache.store(metadata: [], content: [1], for: .test(10))
        #expect(cache.statistics.byteCount == 11 * 4096)
    }

    /// Processes that died between reserving and writing have left the number too high.
    @Test func tooHighByteCountIsCorrected() throws {
        let cache = cache(100 * 4096)
        try cache.store(metadata: [], content: [1], for: .test(0))
        _ = try cache.usage.update { $0?.byteCount = 100 * 4096 }
        #expect(try cache.store(metadata: [], content: [1], for: .test(1)))
        #expect(cache.statistics.byteCount == 2 * 4096)
        #expect(cache.statistics.evictions == 0)
    }

    // MARK: Other processes

    /// A stopped process may hold any lock forever, so no call waits for one.
    @Test func heldLocksBlockNoCall() throws {
        let cache = cache(20 * 4096)
        try cache.store(metadata: [], content: [1], for: .test(0))
        let usage = try FileDescriptor.open(path.appending("usage"), .readOnly, options: .closeOnExec)
        #expect(usage.takeLock())
        #expect(try !cache.store(metadata: [], content: [1], for: .test(1)))
        #expect(cache.entry(for: .test(0)) != nil)
        try usage.close()

        let lock = try FileDescriptor.open(path.appending("lock"), .readOnly, options: .closeOnExec)
        #expect(lock.takeLock())
        for index in 1..<30 {
            #expect(try cache.store(metadata: [], content: [1], for: .test(index)) == (index < 20))
        }
        #expect(try folder.entryBytes() == 20 * 4096)
        try lock.close()
        #expect(try cache.store(metadata: [], content: [1], for: .test(30)))
        #expect(try folder.entryBytes() == 18 * 4096)
    }

    /// Unfinished files of dead processes are removed; those being written are not.
    @Test func unfinishedFilesOfDeadProcessesAreRemoved() throws {
        try folder.add("cache/unfinished/.abc.texel-1-1.unfinished", [1])
        try folder.add("cache/unfinished/.abc.texel-1-2.unfinished", [1])
        let living = try FileDescriptor.open(
            FilePath(folder("cache/unfinished/.abc.texel-1-2.unfinished")), .readOnly, options: .closeOnExec)
        #expect(living.takeLock())
        try cache().store(metadata: [], content: [1], for: .test(0))
        #expect(try folder.unfinished() == [".abc.texel-1-2.unfinished"])
        try living.close()
        try cache().store(metadata: [], content: [1], for: .test(1))
        #expect(try folder.unfinished().isEmpty)
    }

    @Test func deletedFoldersAreCreatedAgain() throws {
        let cache = cache()
        for round in 0..<3 {
            #expect(try cache.store(metadata: [], content: [1], for: .test(round)))
            #expect(cache.entry(for: .test(round)) != nil)
            try FileManager.default.removeItem(atPath: path.string)
            #expect(cache.entry(for: .test(round)) == nil)
            cache.remove(for: .test(round))
            #expect(cache.statistics.byteCount == 0)
        }
        try cache.removeAll()
        #expect(!path.exists)
        // Parts of the cache.
        for part in ["unfinished", String(CacheKey.test(9).digest.hexadecimal.prefix(2)), "usage", "lock"] {
            #expect(try cache.store(metadata: [], content: [1], for: .test(9)))
            try FileManager.default.removeItem(atPath: folder("cache/\(part)"))
        }
        #expect(try cache.store(metadata: [], content: [1], for: .test(9)))
        #expect(cache.entry(for: .test(9)) != nil)
    }

    @Test func fileInPlaceOfTheFolder() throws {
        try folder.add("cache", [1, 2, 3])
        let cache = cache()
        #expect(throws: TexelError.cannotWriteCache(path, .notDirectory)) {
            try cache.store(metadata: [], content: [1], for: .test(0))
        }
        #expect(cache.entry(for: .test(0)) == nil)
        #expect(try folder.contents() == ["cache": [1, 2, 3]])
        let text = "\(TexelError.cannotWriteCache(path, .noSpace))"
        #expect(text == "cannot write to the cache \(path): \(Errno.noSpace)")
    }
}
