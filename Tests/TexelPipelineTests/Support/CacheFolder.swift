import CacheTestSupport
import Foundation
import SystemPackage
import TestSupport
import TexelOperations

@testable import TexelPipeline

extension CacheKey {
    /// A key for each number.
    static func test(_ index: Int) -> CacheKey { CacheKey(digest: CachedContent.digest(index)) }
}

// A cache in the folder `cache` of a temporary directory, inspected from outside.
extension TemporaryDirectory {
    /// The file of an entry.
    func entry(_ key: CacheKey) -> String {
        let name = key.digest.hexadecimal
        return self("cache/\(name.prefix(2))/\(name)")
    }

    func relative(_ file: FilePath) -> String { String(file.string.dropFirst(path.count + 1)) }

    /// The names of all files that are entries.
    func entries() throws -> [String] {
        try files().filter { file in
            let parts = file.split(separator: "/")
            return parts.count == 3 && parts[1].count == 2 && ContentDigest(hexadecimal: parts[2]) != nil
        }
    }

    /// The bytes of all entries, in whole blocks.
    func entryBytes() throws -> Int {
        // Entries may be removed meanwhile.
        try entries().reduce(0) { sum, file in
            sum + ((FileStatus(FilePath(self(file)))?.byteCount).map { ($0 + 4095) / 4096 * 4096 } ?? 0)
        }
    }

    func unfinished() throws -> [String] {
        try files().filter { $0.hasPrefix("cache/unfinished/") }.map { String($0.dropFirst("cache/unfinished/".count)) }
    }
}
