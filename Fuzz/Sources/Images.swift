import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelPNG

/// Limits that keep each run short.
extension Limits {
    static let fuzzing: Limits = {
        var limits = Limits()
        limits.pixels = 1 << 19
        limits.side = 8192
        limits.inputBytes = 1 << 20
        limits.metadataBytes = 1 << 18
        limits.scans = 100
        limits.frames = 40
        limits.codecBytes = 32 << 20
        return limits
    }()
}

extension DecodeOptions {
    init(_ choices: inout FuzzChoices) {
        self.init()
        policy = DecodePolicy(limits: .fuzzing, strictness: choices.one(of: Strictness.allCases))
        shrink = choices.one(of: [1, 2, 4, 8])
        readsUnneededScans = choices.isSet()
    }
}

extension PixelBuffer {
    /// A checksum of all pixels. Reading them lets a sanitizer detect uninitialised memory.
    var checksum: UInt64 {
        withUnsafePixels { pixels in
            (0..<height).reduce(UInt64(height)) { sum, y in
                pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)].reduce(sum) { $0 &* 31 &+ UInt64($1) }
            }
        }
    }

    /// Reads all pixels and checks that they match the buffer's properties.
    func expectSound() {
        expect(size.isPositive, "a picture has pixels")
        let isOpaque =
            alphaMode != .opaque
            || withUnsafePixels { pixels in
                (0..<height).allSatisfy { y in
                    pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)].allSatisfy { $0 >= 0xFF00_0000 }
                }
            }
        expect(isOpaque, "an opaque picture has only opaque pixels")
        expect(checksum == checksum, "pixels stay what they are")
    }
}

/// Corrects a PNG's checksums; otherwise decoders would reject the file before they reach other damage.
func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: PNGFile.signature) else { return bytes }
    var bytes = bytes
    let file = PNGFile(bytes: InputBytes(bytes))
    for chunk in file.chunks {
        let checksum = file.checksums(of: chunk).computed
        for index in 0..<4 {
            bytes[chunk.data.upperBound + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32(index)))
        }
    }
    return bytes
}

/// The result of decoding, reduced to what two decoders can be compared by.
enum Outcome: Equatable, Sendable {
    case image(PixelSize, AlphaMode, ColorSpace, checksum: UInt64, ImageMetadata)
    case failure(TexelError)

    init(_ work: () throws(TexelError) -> DecodedImage) {
        do throws(TexelError) {
            let decoded = try work()
            let pixels = decoded.image
            pixels.expectSound()
            self = .image(
                pixels.size, pixels.alphaMode, pixels.colorSpace, checksum: pixels.checksum, decoded.metadata)
        } catch {
            expectSentence(error)
            self = .failure(error)
        }
    }

    var isImage: Bool { if case .image = self { true } else { false } }
}

/// Checks that tolerating errors does not change images: an image accepted at one strictness is accepted and identical
/// at every lower one.
func expectSame(
    _ outcome: Outcome, as file: InputBytes, _ options: DecodeOptions, underStrictness choices: inout FuzzChoices
) {
    let ranks = Strictness.allCases
    var other = options
    other.policy.strictness = choices.one(of: ranks)
    guard other.policy.strictness != options.policy.strictness else { return }
    let otherOutcome = Outcome { () throws(TexelError) in
        try CodecRegistry.shared.open(file, limits: other.policy.limits).decodedAsStored(other)
    }
    let isStricter =
        (ranks.firstIndex(of: other.policy.strictness) ?? 0) > (ranks.firstIndex(of: options.policy.strictness) ?? 0)
    let (strict, lenient) = isStricter ? (otherOutcome, outcome) : (outcome, otherOutcome)
    guard strict.isImage else { return }
    expect(strict == lenient, "\(options.policy.strictness) and \(other.policy.strictness) give the same picture")
}
