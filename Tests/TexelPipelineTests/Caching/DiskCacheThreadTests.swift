import CacheTestSupport
import Foundation
import SystemPackage
import TestSupport
import Testing

import TexelCore
@testable import TexelPipeline

/// The disk cache, used by many threads at the same time.
@Suite(.timeLimit(.minutes(30))) struct DiskCacheThreadTests {
    private let folder: TemporaryDirectory
    private let path: FilePath

    init() throws {
        folder = try TemporaryDirectory()
        path = FilePath(folder("cache"))
    }

    private func cache(_ limit: Int = 1 << 30) -> DiskCache { DiskCache(directory: path, sizeLimit: limit) }

    @Test func oneKeyOfMany() async throws {
        let cache = cache()
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for _ in 0..<20 {
                        try cache.store(
                            metadata: [1], content: [UInt8](repeating: UInt8(task), count: 9000), for: .test(0))
                        let content = cache.entry(for: .test(0)).map { Array($0.content) }
                        if content?.count != 9000 || Set(content ?? []).count != 1 { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect(cache.statistics.damaged == 0)
        #expect(try folder.unfinished().isEmpty)
    }

    @Test func limitHoldsWithManyThreads() async throws {
        let limit = 60 * 4096
        let caches = (0..<4).map { _ in cache(limit) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { [caches, folder] in
                    let cache = caches[task % 4]
                    var generator = SeededGenerator(seed: UInt64(task))
                    for _ in 0..<80 {
                        let index = Int.random(in: 0..<100, using: &generator)
                        if let entry = cache.entry(for: .test(index)) {
                            #expect(Array(entry.content) == CachedContent.bytes(index))
                        } else {
                            try cache.store(metadata: [], content: CachedContent.bytes(index), for: .test(index))
                        }
                    }
                    #expect(try folder.entryBytes() <= limit + 8 * CachedContent.largest)
                }
            }
            try await group.waitForAll()
        }
        #expect(caches.allSatisfy { $0.statistics.damaged == 0 })
        #expect(caches.contains { $0.statistics.evictions > 0 })
        #expect(try folder.unfinished().isEmpty)
    }

    @Test func folderThatIsDeletedAgainAndAgain() async throws {
        let cache = cache()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { [path] in
                    for index in 0..<60 {
                        do {
                            try cache.store(metadata: [], content: CachedContent.bytes(index), for: .test(index))
                        } catch {
                            // The folder was deleted again before it could be created.
                            #expect(error as? TexelError == .cannotWriteCache(path, .noSuchFileOrDirectory))
                        }
                        if let entry = cache.entry(for: .test(index)) {
                            #expect(Array(entry.content) == CachedContent.bytes(index))
                        }
                        if task == 0, index % 5 == 0 { try? FileManager.default.removeItem(atPath: path.string) }
                    }
                }
            }
        }
        #expect(cache.statistics.damaged == 0)
        #expect(try cache.store(metadata: [], content: [1], for: .test(1)))
        #expect(cache.entry(for: .test(1)) != nil)
    }
}
