import TestSupport
import Testing
import TexelCodecs
import TexelOperations

/// BLAKE2b digests.
@Suite(.timeLimit(.minutes(30))) struct ContentDigestTests {
    /// Computed with another implementation of RFC 7693: Python's `hashlib.blake2b(…, digest_size=32)`.
    @Test(arguments: [
        ([], "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
        (Array("abc".utf8), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
        (
            (0..<10240).map { UInt8(truncatingIfNeeded: $0) },
            "1ed0d7616785400ccd2dc0ba224e13482b6120adff1b9cd7fb31be806b6892d1"
        ),
    ])
    func digestsEqualKnownValues(bytes: [UInt8], expected: String) {
        #expect(ContentDigest(of: bytes).hexadecimal == expected)
        #expect("\(ContentDigest(of: bytes))" == expected)
    }

    @Test func piecesMakeTheWhole() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            let bytes = [UInt8].random(count: .random(in: 0...5000, using: &generator), using: &generator)
            var hasher = ContentHasher()
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(.random(in: 0...700, using: &generator))
                hasher.update(piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(hasher.finish() == ContentDigest(of: bytes))
        }
    }

    @Test func digestIgnoresTheMemoryLayout() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let digest = ContentDigest(of: bytes)
        #expect(ContentDigest(of: InputBytes(bytes)) == digest)
        #expect(ContentDigest(of: bytes.lazy.map { $0 }) == digest)
        #expect(ContentDigest(of: AnySequence(bytes)) == digest)
        #expect(ContentDigest(of: ([0] + bytes)[1...]) == digest)
    }

    @Test func writtenFormsRestoreTheDigest() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<100 {
            let bytes = [UInt8].random(count: ContentDigest.byteCount, using: &generator)
            let digest = ContentDigest(bytes: bytes)
            #expect(digest?.bytes == bytes)
            #expect(digest.flatMap { ContentDigest(hexadecimal: $0.hexadecimal) } == digest)
        }
    }

    @Test(arguments: [
        "", "0", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "g", count: 64),
        String(repeating: "A", count: 64), String(repeating: "é", count: 32), String(repeating: " ", count: 64),
    ])
    func wrongFormsAreRefused(text: String) {
        #expect(ContentDigest(hexadecimal: text) == nil)
        #expect(ContentDigest(bytes: Array(text.utf8.prefix(31))) == nil)
    }

    @Test func everyByteCounts() {
        var bytes = [UInt8](repeating: 0, count: 200)
        var digests: Set = [ContentDigest(of: bytes)]
        for index in bytes.indices {
            bytes[index] = 1
            digests.insert(ContentDigest(of: bytes))
            bytes[index] = 0
        }
        #expect(digests.count == 201)
    }

    /// The first use may come from any thread.
    @Test func digestsAreEqualOnEveryThread() async {
        let expected = ContentDigest(of: "abc".utf8)
        let wrong = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 { group.addTask { ContentDigest(of: "abc".utf8) != expected } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wrong == 0)
    }
}
