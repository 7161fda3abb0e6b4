import Foundation
import TestSupport
import Testing

@testable import TexelMetrics
@testable import TexelPixels

/// BlurHash and ThumbHash, against values of their authors' implementations.
@Suite struct PreviewHashTests {
    /// 24×16 pixels, opaque.
    private func pattern() throws -> PixelBuffer {
        try PixelBuffer.make(width: 24, height: 16) { x, y in
            0xFF00_0000 | UInt32((x * 11 % 256) << 16 | (y * 15 % 256) << 8 | x * y % 256)
        }
    }

    /// 20×30 pixels, from transparent to opaque.
    private func translucentPattern() throws -> PixelBuffer {
        try PixelBuffer.make(width: 20, height: 30, alphaMode: .straight) { x, y in
            UInt32(min(255, x * 13 + y * 2)) << 24
                | UInt32((x * 12 % 256) << 16 | (y * 8 % 256) << 8 | (x + y) * 5 % 256)
        }
    }

    /// 64×40 pixels, opaque.
    private func largerPattern() throws -> PixelBuffer {
        try PixelBuffer.make(width: 64, height: 40) { x, y in
            0xFF00_0000 | UInt32(((x * x + y * 3) % 256) << 16 | (x * 4 % 256) << 8 | y * 6 % 256)
        }
    }

    // MARK: BlurHash

    @Test(arguments: [
        (4, 3, "L#He5e2lwuX9qdWGjwe-f|fmfNfl"), (1, 1, "00He5e"), (3, 5, "c#He5e2lwuqdWGjwf|fmfNsqWmjve.f9fR"),
    ])
    func blurHashesEqualTheReferenceValues(horizontal: Int, vertical: Int, text: String) throws {
        let hash = try BlurHash(of: pattern(), horizontal: horizontal, vertical: vertical)
        #expect(hash.text == text)
        #expect(hash.components == (horizontal, vertical))
    }

    @Test func blurHashOfAllComponents() throws {
        #expect(
            try BlurHash(of: pattern(), horizontal: 9, vertical: 9).text
                == """
                |#He5e2lwuX9WnoeSMs-SLqdWGjwe-fSjHa{jIa{f|fmfNflfPfhfSfhfRsqWmjvfPfPjva_jua{e.f9fRf5fSf5fRf6fPt5W;jr\
                flfOj[a{j?a}epf6fSf5fRf6fPf8fPt5W;jrflfPj?a}j=a}eof8fRf6fPf8fOf8fP
                """)
        #expect(try BlurHash(of: pattern(), horizontal: 99, vertical: -1).components == (9, 1))
    }

    /// The example of the format's description, decoded by the author's C program.
    @Test func decodedBlurHash() throws {
        let image = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")).image(
            size: PixelSize(width: 12, height: 8))
        let expected = [(0, 0, [135, 164, 177]), (11, 7, [135, 143, 147]), (5, 3, [160, 138, 131])]
        for (x, y, color) in expected {
            #expect(zip(image.channels(x, y).prefix(3).reversed(), color).allSatisfy { abs($0 - $1) <= 1 })
        }
        #expect(image.alphaMode == .opaque)
    }

    @Test(arguments: [
        "", "L", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnjj", "LEHV6nWB2yk8pyo0adR*.7kCMdn ",
        "LEHV6nWB2yk8pyo0adR*.7kCMdné", "00~~~~", "~EHV6n", "LEHV6n~~2yk8pyo0adR*.7kCMdnj",
    ])
    func wrongBlurHashes(text: String) {
        #expect(BlurHash(text) == nil)
    }

    @Test func blurHashOfLargeAndTransparentImages() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 500, height: 333))
        let preview = try BlurHash(of: image).image(size: PixelSize(width: 50, height: 33))
        let mean = (preview.mean(ofChannelAt: 8), image.mean(ofChannelAt: 8))
        #expect(abs(mean.0 - mean.1) < 12)
        let translucent = try translucentPattern()
        #expect(try BlurHash(of: translucent) == BlurHash(of: translucent.flattened(on: .white)))
        for size in awkwardSizes { #expect(try BlurHash(of: .noise(size)).text.count == 28) }
    }

    @Test func blurHashIsCodable() throws {
        let hash = try BlurHash(of: pattern())
        let data = try JSONEncoder().encode([hash])
        #expect(try JSONDecoder().decode([BlurHash].self, from: data) == [hash])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([BlurHash].self, from: Data("[\"x\"]".utf8)) }
    }

    // MARK: ThumbHash

    @Test func thumbHashesEqualTheReferenceValues() throws {
        #expect(try ThumbHash(of: pattern()).description == "WhkOFZpwd4eAeIiHh3eHh/cqD+eI")
        #expect(try ThumbHash(of: translucentPattern()).description == "4ieKCw45o7CIeIijXyf7dnB3dniHd3c=")
        #expect(try ThumbHash(of: largerPattern()).description == "HvgJXJZwdnZwd3eHh3dzf/d3dw==")
    }

    @Test func decodedThumbHash() throws {
        let hash = try ThumbHash(of: translucentPattern())
        #expect(hash.aspectRatio == 0.6)
        let color = hash.averageColor
        #expect([color.red, color.green, color.blue, color.alpha] == [146, 126, 140, 153])
        let image = try hash.image()
        #expect(image.size == PixelSize(width: 19, height: 32) && image.alphaMode == .straight)
        #expect(image[0, 0] == 0x0092_5D78 && image[5, 0] == 0x417A_5468 && image[9, 16] == 0x9277_8384)
        #expect(image[18, 31] == 0xDDE1_D2E2)
        let opaque = try ThumbHash(of: pattern()).image()
        #expect(opaque.size == PixelSize(width: 32, height: 23) && opaque.alphaMode == .opaque)
        #expect(opaque[0, 0] == 0xFF1A_1700 && opaque[31, 22] == 0xFFDA_B486)
    }

    @Test func thumbHashOfBytes() throws {
        let hash = try ThumbHash(of: translucentPattern())
        #expect(ThumbHash(bytes: hash.bytes) == hash)
        #expect(ThumbHash(bytes: hash.bytes + [1, 2]) == hash)
        for count in hash.bytes.indices { #expect(ThumbHash(bytes: Array(hash.bytes.prefix(count))) == nil) }
        // No component along the shorter side.
        #expect(ThumbHash(bytes: [UInt8](repeating: 0, count: 30)) == nil)
        // Any bytes that are accepted can be drawn.
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 { _ = try ThumbHash(bytes: .random(count: 40, using: &generator))?.image() }
    }

    @Test(arguments: awkwardSizes + [PixelSize(width: 300, height: 150), PixelSize(width: 1, height: 400)])
    func everySizeHasAThumbHash(size: PixelSize) throws {
        for mode in [AlphaMode.opaque, .straight] {
            let hash = try ThumbHash(of: .noise(size, alphaMode: mode))
            #expect(ThumbHash(bytes: hash.bytes) == hash)
            #expect((5...26).contains(hash.bytes.count), "\(hash.bytes.count)")
            let preview = try hash.image()
            #expect(max(preview.width, preview.height) == 32)
        }
    }

    /// Rounding errors of an image of one colour are not stored as a pattern.
    @Test func thumbHashOfOneColor() throws {
        let image = try PixelBuffer.make(width: 5, height: 5) { _, _ in 0xFFC8_6432 }
        let hash = try ThumbHash(of: image)
        #expect(hash.bytes.dropFirst(5).allSatisfy { $0 == 0 })
        #expect(try hash.image().pixels.allSatisfy { $0 == 0xFFC9_6431 })
    }
}
