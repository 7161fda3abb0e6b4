import SystemPackage
import TexelPixels

@testable import TexelCodecs
@testable import TexelBatch
import TexelOperations
@testable import TexelPipeline

extension FuzzTarget {
    /// The manifest of a batch's results.
    static let manifest = FuzzTarget("manifest", maximumLength: 1 << 12) { bytes in
        let contents = ManifestContents(bytes)
        if contents.isManifest {
            let copy = ManifestContents(Array(contents.text.utf8))
            expect(copy.isManifest && copy.endsWithLine && copy.ignoredLineCount == 0, "what is written is a manifest")
            expect(copy.done == contents.done, "what is done stays done")
            // An output that was replaced by another result is forgotten.
            expect(Set(copy.known.keys).isSubset(of: contents.known.keys), "no output is made up")
        }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if let entry = ManifestLine(line) {
                expect(ManifestLine(Array(entry.text.utf8)[...]) == entry, "a line is what it was")
            }
            // Paths cannot contain zero bytes.
            guard !line.contains(0) else { continue }
            let path = FilePath(bytes: Array(line))
            let name = ManifestLine.name(bytes: path.bytes)
            expect(name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a name has no control characters")
            expect(ManifestLine.path(of: name) == path, "a path is what it was")
        }
    }

    /// A disk cache entry: damaged files, and the contents of valid ones.
    static let cache = FuzzTarget("cache", maximumLength: 1 << 13) { bytes, choices in
        let key = CacheKey(digest: ContentDigest(of: [1, 2, 3]))
        let metadataCount = choices.index(below: 600)
        guard choices.isSet() else {
            // The input is the file; insert the digest of the key.
            var file = bytes
            for (index, byte) in key.digest.bytes.enumerated() where file.indices.contains(8 + index) {
                file[8 + index] = byte
            }
            guard let stored = MemoryFile.file(file) else { return }
            if case .entry(let entry) = CacheEntryFile.read(stored.descriptor, size: file.count, key: key) {
                let beginning = CacheEntryFile.beginning(key, metadata: entry.metadata, content: entry.content)
                expect(beginning + Array(entry.content) == file, "an entry is what was stored")
            }
            return
        }
        let metadata = Array(bytes.prefix(metadataCount))
        let content = Array(bytes.dropFirst(metadataCount))
        let file = CacheEntryFile.beginning(key, metadata: metadata, content: content) + content
        guard let stored = MemoryFile.file(file),
            case .entry(let entry) = CacheEntryFile.read(stored.descriptor, size: file.count, key: key)
        else { return expect(false, "what is stored is found") }
        expect(entry.metadata == metadata && Array(entry.content) == content, "an entry is what was stored")
        if let image = EncodedImage(entry) {
            expect((try? image.cacheMetadata()) == metadata && image.bytes == content, "a result is what was stored")
        }
        if let image = PixelBuffer(entry, limits: .fuzzing) {
            image.expectSound()
            expect((try? image.cacheMetadata()) == metadata, "a picture is what was stored")
        }
    }
}
