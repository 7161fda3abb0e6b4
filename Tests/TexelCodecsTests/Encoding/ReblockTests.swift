import CDeflate
import CDeflateBlocks
import TestSupport
import Testing

@testable import TexelCodecs
@testable import TexelPNG

/// Streams that are rewritten in other deflate blocks inflate to the same bytes, or are rejected.
@Suite struct ReblockTests {
    /// Returns the rewritten stream; `nil` if it was not rewritten.
    private func reblocked(
        _ stream: [UInt8], isLast: Bool = true, pieces: Int32 = 1024, passes: Int32 = 0, usesThread: Bool = false,
        capacity: Int? = nil
    ) -> [UInt8]? {
        let padded = stream + [UInt8](repeating: 0xFF, count: Int(texel_deflate_padding))
        let capacity = capacity ?? 2 * stream.count + 4096
        let result = [UInt8](unsafeUninitializedCapacity: capacity) { result, count in
            guard let base = result.baseAddress else { return count = 0 }
            count = texel_deflate_reblock(padded, stream.count, isLast, pieces, passes, usesThread, base, capacity)
        }
        return result.isEmpty ? nil : result
    }

    /// Returns the inflated stream, up to `limit` bytes; `nil` if it is invalid.
    private func inflated(_ stream: [UInt8], atMost limit: Int) throws -> [UInt8]? {
        let inflater = try #require(libdeflate_alloc_decompressor())
        defer { libdeflate_free_decompressor(inflater) }
        var status = LIBDEFLATE_BAD_DATA
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { result, count in
            status = libdeflate_deflate_decompress(
                inflater, stream, stream.count, result.baseAddress, limit, &count)
            if status != LIBDEFLATE_SUCCESS { count = 0 }
        }
        return status == LIBDEFLATE_SUCCESS ? bytes : nil
    }

    private func deflated(_ bytes: [UInt8], level: Int) throws -> [UInt8] {
        let deflate = try Deflate(level: level)
        return [UInt8](unsafeUninitializedCapacity: deflate.bound(bytes.count)) { result, count in
            count = bytes.withUnsafeBytes { deflate.compress($0, into: UnsafeMutableRawBufferPointer(result)) }
        }
    }

    /// Returns alternating runs of noise, repetition and a small alphabet.
    private static func bytes(count: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < count {
            let length = Int.random(in: 1...min(count - bytes.count, 6000), using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes += (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            case 1: bytes += (0..<length).map { _ in UInt8.random(in: 0...4, using: &generator) }
            default:
                let distance = Int.random(in: 1...max(1, min(bytes.count, 32_000)), using: &generator)
                for _ in 0..<length { bytes.append(bytes.count >= distance ? bytes[bytes.count - distance] : 7) }
            }
        }
        return bytes
    }

    @Test(arguments: [0, 1, 2, 300, 5000, 200_000], [0, 1, 6, 10, 12])
    func theBytesStayTheSame(count: Int, level: Int) throws {
        let bytes = Self.bytes(count: count, seed: UInt64(count + level))
        let stream = try deflated(bytes, level: level)
        // An empty stream has no blocks to divide.
        guard count > 0 else { return #expect(reblocked(stream) == nil) }
        let anew = try #require(reblocked(stream))
        #expect(try inflated(anew, atMost: count) == bytes)
        for pieces in [1, 2, 7] as [Int32] {
            #expect(try reblocked(stream, pieces: pieces).map { try inflated($0, atMost: count) } == bytes)
        }
        // A stream that is continued by another one.
        let first = try #require(reblocked(stream, isLast: false))
        #expect(try inflated(first + stream, atMost: 2 * count) == bytes + bytes)
        // If the room is too small, nothing is returned or written.
        #expect(reblocked(stream, capacity: anew.count) == anew)
        #expect(reblocked(stream, capacity: anew.count - 1) == nil)
    }

    @Test(arguments: [
        (1, 1), (2, 9), (300, 1), (300, 12), (5000, 1), (5000, 9), (5000, 12), (200_000, 1), (200_000, 12),
        (600_000, 9),
    ])
    func otherTokensStandForTheSameBytes(count: Int, level: Int) throws {
        let bytes = Self.bytes(count: count, seed: UInt64(count + level))
        let stream = try deflated(bytes, level: level)
        let plain = try #require(reblocked(stream))
        for passes in [1, 4] as [Int32] {
            let anew = try #require(reblocked(stream, passes: passes))
            #expect(try inflated(anew, atMost: count) == bytes)
            // Other blocks may be formed from the new tokens, whose headers may be larger.
            #expect(anew.count <= plain.count + plain.count / 1000 + 8)
            #expect(reblocked(stream, passes: passes) == anew)
            #expect(reblocked(stream, passes: passes, usesThread: true) == anew)
            let first = try #require(reblocked(stream, isLast: false, passes: passes))
            #expect(try inflated(first + stream, atMost: 2 * count) == bytes + bytes)
        }
    }

    /// Hundreds of records begin alike; those that are equal are far apart.
    @Test func longMatchesAreFoundAmongManyShortOnes() throws {
        var generator = SeededGenerator(seed: 5)
        let records = (0..<300).map { _ in
            [1, 2, 3, 4] + (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        let bytes = (0..<6000).flatMap { _ in records[Int.random(in: 0..<records.count, using: &generator)] }
        let anew = try #require(reblocked(try deflated(bytes, level: 3), passes: 4))
        #expect(try inflated(anew, atMost: bytes.count) == bytes)
        // Level 12 searches as many positions.
        #expect(try anew.count < deflated(bytes, level: 12).count)
    }

    /// Short matches in noise of unequal probabilities cost more than the literals that they replace.
    @Test func uselessMatchesAreAvoided() throws {
        var generator = SeededGenerator(seed: 9)
        let bytes = (0..<60_000).map { _ in
            (0..<4).reduce(UInt8(0)) { sum, _ in sum &+ UInt8.random(in: 0...20, using: &generator) }
        }
        let stream = try deflated(bytes, level: 9)
        let (plain, anew) = (try #require(reblocked(stream)), try #require(reblocked(stream, passes: 6)))
        #expect(try inflated(anew, atMost: bytes.count) == bytes)
        #expect(anew.count < plain.count)
    }

    /// The first match refers to bytes before the start of the stream.
    @Test func distancesBeforeTheStartKeepTheTokens() {
        // A final block with fixed codes: a literal, then length 3 at distance 2, then its end.
        let bits = "1" + "10" + "00110000" + "0000001" + "00001" + "0000000"
        var stream = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
        for (index, bit) in bits.enumerated() where bit == "1" { stream[index / 8] |= 1 << UInt8(index % 8) }
        #expect(reblocked(stream, passes: 3) == reblocked(stream))
    }

    @Test func cutStreamsAreNone() throws {
        let stream = try deflated(Self.bytes(count: 3000, seed: 1), level: 9)
        for count in 0..<stream.count {
            #expect(reblocked(Array(stream.prefix(count)), passes: 2) == nil, "\(count)")
        }
    }

    @Test func damagedStreamsAreNoneOrTheSame() throws {
        var generator = SeededGenerator(seed: 2)
        var refused = 0
        for round in 0..<400 {
            let count = 1 + round * 20
            var stream = try deflated(Self.bytes(count: count, seed: UInt64(round)), level: round % 13)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                stream[Int.random(in: 0..<stream.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            let limit = 4 << 20
            let (before, anew) = (try inflated(stream, atMost: limit), reblocked(stream, passes: 2))
            #expect(reblocked(stream, passes: 2, usesThread: true) == anew, "\(round)")
            if anew == nil { refused += 1 }
            // The rewriter may accept a stream that the decoder rejects.
            if let before, let anew { #expect(try inflated(anew, atMost: limit) == before, "\(round)") }
        }
        #expect(refused > 20)
    }

    @Test func randomBytesEnd() {
        var generator = SeededGenerator(seed: 3)
        for round in 0..<3000 {
            var stream = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            // Begin with each kind of block.
            if !stream.isEmpty { stream[0] = stream[0] & 0xF8 | UInt8(round % 8) }
            let capacity = Int.random(in: 0...500, using: &generator)
            if let anew = reblocked(stream, passes: 2, capacity: capacity) { #expect(anew.count <= capacity) }
        }
    }
}
