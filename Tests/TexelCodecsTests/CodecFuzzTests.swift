import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

/// Probing, decoding and rewriting must end without a trap, in bounded time and memory. Results are not checked.
@Suite struct CodecFuzzTests {
    /// All small files, and one of a kind that only exists handmade.
    private static func seeds() throws -> [(name: String, bytes: [UInt8])] {
        let images = try TestImage.all().filter { $0.bytes.count < 5000 }.map { ($0.name, $0.bytes) }
        let restarts = HandmadeJPEG.gray(blocks: Array(stride(from: -60, through: 60, by: 4)), restartInterval: 3)
        return images + [("restarts.jpg", restarts)]
    }

    private func exercise(_ bytes: [UInt8], _ strictness: Strictness, _ shrink: Int) {
        var options = DecodeOptions()
        options.policy.strictness = strictness
        options.shrink = shrink
        options.policy.limits.pixels = 1 << 20
        options.policy.limits.codecBytes = 64 << 20
        options.policy.limits.metadataBytes = 1 << 20
        do throws(TexelError) {
            let source = try bytes.source(options.policy.limits)
            _ = source.info.metadata.exif?.summary
            let metadata = source.info.metadata.kept(
                under: .all, orientation: .identity, size: source.info.size, keepsThumbnail: false)
            let copy = try source.rewritten(metadata: metadata, keeping: [.color], stop: nil)
            let decoded = try source.decodedAsStored(options)
            // A file that decodes under strict rules can still be read with other metadata.
            if strictness != .none { #expect(try copy.source(options.policy.limits).info.size == source.info.size) }
            _ = try? decoded.image.convertedToSRGB()
        } catch {
            #expect(!"\(error)".isEmpty)
        }
    }

    private func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
            // Half of the changes are in the header, which has the most effect.
            let end = Bool.random(using: &generator) ? min(bytes.count, 120) : bytes.count
            let place = Int.random(in: 0..<end, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[place] = .random(in: 0 ... .max, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &generator) ?? 0
            case 3: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            case 4:
                let count = min(Int.random(in: 1...64, using: &generator), bytes.count - place)
                bytes.insert(contentsOf: bytes[place..<(place + count)], at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...32, using: &generator)))
            }
        }
        return bytes
    }

    /// Corrects the checksums of a PNG; with wrong ones a decoder would never reach the damage.
    private func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.starts(with: PNGFile.signature) else { return bytes }
        var bytes = bytes
        let file = PNGFile(bytes: InputBytes(bytes))
        for chunk in file.chunks {
            let checksum = HandmadePNG.bigEndian(file.checksums(of: chunk).computed)
            bytes.replaceSubrange(chunk.data.upperBound..<(chunk.data.upperBound + 4), with: checksum)
        }
        return bytes
    }

    @Test(.timeLimit(.minutes(30)), arguments: [Strictness.none, .truncated])
    func mutationsNeverTrap(strictness: Strictness) throws {
        var generator = SeededGenerator(seed: strictness == .none ? 71 : 72)
        for (_, bytes) in try Self.seeds() {
            for round in 0..<60 {
                let mutant = mutated(bytes, using: &generator)
                let shrink = [1, 1, 2, 8][round % 4]
                exercise(mutant, strictness, shrink)
                if mutant.first == 0x89 { exercise(withRightChecksums(mutant), strictness, shrink) }
            }
        }
    }

    @Test(.timeLimit(.minutes(30)), arguments: ["metadata.jpg", "glass-palette-alpha.png", "ycck.jpg", "size-3x7.png"])
    func everyTruncationIsRead(name: String) throws {
        let bytes = try TestFolders.testImage(name)
        for count in 0..<bytes.count {
            exercise(Array(bytes[..<count]), count.isMultiple(of: 2) ? .none : .truncated, 1)
        }
    }

    @Test func noiseIsNoImage() throws {
        var generator = SeededGenerator(seed: 5)
        let heads: [[UInt8]] = [PNGFile.signature, [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8], []]
        for round in 0..<2000 {
            let noise = [UInt8].random(count: Int.random(in: 0...400, using: &generator), using: &generator)
            exercise(heads[round % heads.count] + noise, .none, 1)
        }
    }
}
