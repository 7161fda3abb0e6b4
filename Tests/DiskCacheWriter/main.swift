// Uses a disk cache as a process of its own, until it is killed or has found something wrong. Tests run it.
//
//     DiskCacheWriter write DIRECTORY LIMIT SEED      stores and reads, and prints a line now and then
//     DiskCacheWriter fill DIRECTORY                  stores until the system refuses, and goes on reading
//     DiskCacheWriter fill DIRECTORY FILE-SIZE        the same where no file may be larger

import CacheTestSupport
import PlatformLibc
import SystemPackage
import TestSupport
import TexelCore
import TexelPipeline

func say(_ text: String) { _ = try? FileDescriptor.standardOutput.writeAll(Array("\(text)\n".utf8)) }

func fail(_ text: String) -> Never {
    say("wrong: \(text)")
    exit(1)
}

/// Whether there is an entry; a wrong one is the end.
func isKept(_ index: Int, in cache: DiskCache) -> Bool {
    guard let entry = cache.entry(for: CacheKey(digest: CachedContent.digest(index))) else { return false }
    if Array(entry.content) != CachedContent.bytes(index) { fail("entry \(index)") }
    return true
}

func store(_ index: Int, in cache: DiskCache) throws(TexelError) {
    try cache.store(
        metadata: [], content: CachedContent.bytes(index), for: CacheKey(digest: CachedContent.digest(index)))
}

func write(_ cache: DiskCache, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for step in 1... {
        let index = Int.random(in: 0..<200, using: &generator)
        do {
            if !isKept(index, in: cache) || index % 3 == 0 { try store(index, in: cache) }
        } catch {
            fail("\(error)")
        }
        if cache.statistics.damaged > 0 { fail("a damaged entry") }
        if step % 10 == 0 { say("\(step)") }
    }
}

func fill(_ cache: DiskCache) {
    var stored: [Int] = []
    var refusal: TexelError?
    for index in 0..<100 {
        do {
            try store(index, in: cache)
            stored.append(index)
        } catch {
            refusal = refusal ?? error
            if isKept(index, in: cache) { fail("entry \(index) was refused, and is there") }
        }
    }
    guard let reason = refusal?.systemError else { fail("nothing was refused") }
    if stored.isEmpty { fail("everything was refused") }
    for index in stored where !isKept(index, in: cache) { fail("entry \(index) is gone") }
    // With room again, it goes on.
    for index in stored { cache.remove(for: CacheKey(digest: CachedContent.digest(index))) }
    do { try store(stored[0], in: cache) } catch { fail("\(error)") }
    if !isKept(stored[0], in: cache) { fail("nothing can be stored any more") }
    say("refused: \(reason)")
}

let arguments = CommandLine.arguments
if arguments.count == 5, arguments[1] == "write", let limit = Int(arguments[3]), let seed = UInt64(arguments[4]) {
    write(DiskCache(directory: FilePath(arguments[2]), sizeLimit: limit), seed: seed)
} else if arguments.count >= 3, arguments[1] == "fill" {
    if arguments.count > 3, let bytes = UInt(arguments[3]) {
        // The system answers with an error then, instead of a signal.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
            setrlimit(RLIMIT_FSIZE, &limit)
        #endif
    }
    fill(DiskCache(directory: FilePath(arguments[2]), sizeLimit: 1 << 30))
} else {
    fail("usage")
}
