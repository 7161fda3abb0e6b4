import Foundation
import TestSupport
import Testing

import TexelCore
@testable import TexelMetrics
@testable import TexelPixels

@Suite struct MetricTests {
    /// Waves of several lengths, so that every scale has some detail.
    private func image(width: Int, height: Int) throws -> PixelBuffer {
        try .make(width: width, height: height) { x, y in
            let wave = UInt32((x * x / 7 + y * 3) % 200) + 20
            let other = UInt32((x / 9 * 31 + y / 5 * 57) % 230)
            return 0xFF00_0000 | wave << 16 | other << 8 | (wave + other) / 2
        }
    }

    /// The image with `amount` added to or subtracted from each colour, alternating every `period` pixels.
    private func disturbed(_ image: PixelBuffer, by amount: Int, period: Int = 1) throws -> PixelBuffer {
        try .make(width: image.width, height: image.height, alphaMode: image.alphaMode) { x, y in
            let pixel = image[x, y]
            let sign = (x / period + y / period) % 2 == 0 ? amount : -amount
            let colors = [16, 8, 0].map { UInt32(min(max(Int(pixel >> $0 & 255) + sign, 0), 255)) }
            return pixel & 0xFF00_0000 | colors[0] << 16 | colors[1] << 8 | colors[2]
        }
    }

    @Test(arguments: [(1, 1), (7, 3), (8, 8), (9, 200), (64, 64), (113, 150), (260, 131)])
    func equalImagesAreAsGoodAsCanBe(width: Int, height: Int) throws {
        let image = try image(width: width, height: height)
        #expect(try image.ssimulacra2(against: image) == 100)
        #expect(try image.psnr(against: image) == .infinity)
        #expect(try image.structuralSimilarity(to: image) == 1)
        #expect(try image.haarPSI(against: image) == 1)
        #expect(try image.butteraugli(against: image) == ButteraugliDistance(maximum: 0, norm3: 0))
    }

    @Test(arguments: [(1, 1), (8, 8), (37, 64), (300, 200)])
    func moreDisturbanceIsWorse(width: Int, height: Int) throws {
        let image = try image(width: width, height: height)
        let candidates = try [0, 2, 8, 30].map { try disturbed(image, by: $0) }
        let scores = try candidates.map { try $0.ssimulacra2(against: image) }
        #expect(scores == scores.sorted(by: >) && Set(scores).count == 4, "\(scores)")
        let noise = try candidates.map { try $0.psnr(against: image) }
        #expect(noise == noise.sorted(by: >) && Set(noise).count == 4, "\(noise)")
        let similarities = try candidates.map { try $0.structuralSimilarity(to: image) }
        #expect(similarities == similarities.sorted(by: >) && Set(similarities).count == 4, "\(similarities)")
        let distances = try candidates.map { try $0.butteraugli(against: image).norm3 }
        #expect(distances == distances.sorted(by: <) && Set(distances).count == 4, "\(distances)")
    }

    @Test func noiseRatioIsThatOfItsFormula() throws {
        let gray = try PixelBuffer(width: 5, height: 3, filledWith: 0xFF80_8080, alphaMode: .opaque)
        let lighter = try PixelBuffer(width: 5, height: 3, filledWith: 0xFF90_8080, alphaMode: .opaque)
        // A difference of 16 in one of three channels: 10 log₁₀ (65,025 × 3 / 256).
        #expect(abs(try lighter.psnr(against: gray) - 28.819617) < 1e-5)
        let black = try PixelBuffer(width: 5, height: 3, filledWith: 0xFF00_0000, alphaMode: .opaque)
        let white = try PixelBuffer(width: 5, height: 3, filledWith: 0xFFFF_FFFF, alphaMode: .opaque)
        #expect(try white.psnr(against: black) == 0)
    }

    @Test func similarityOfFlatImagesIsThatOfTheirMeans() throws {
        let dark = try PixelBuffer(width: 20, height: 17, filledWith: 0xFF64_6464, alphaMode: .opaque)
        let light = try PixelBuffer(width: 20, height: 17, filledWith: 0xFFC8_C8C8, alphaMode: .opaque)
        let expected = (2 * 100.0 * 200 + 6.5025) / (100.0 * 100 + 200.0 * 200 + 6.5025)
        #expect(abs(try light.structuralSimilarity(to: dark) - expected) < 1e-4)
    }

    /// Recorded from this implementation when it agreed with the reference implementation on real images. Searches for
    /// an encoding use these scores, so they must not drift.
    @Test(arguments: [(4, 1, 92.19413358), (4, 5, 86.30453055), (20, 3, 58.10233368)])
    func scoresStayTheSame(amount: Int, period: Int, expected: Double) throws {
        let image = try image(width: 250, height: 190)
        let score = try disturbed(image, by: amount, period: period).ssimulacra2(against: image)
        #expect(abs(score - expected) < 1e-6, "\(score)")
    }

    @Test func similarityIsThatOfItsFormula() throws {
        let image = try image(width: 40, height: 30)
        let candidate = try disturbed(image, by: 12, period: 2)
        #expect(abs(try candidate.structuralSimilarity(to: image) - similarity(image, candidate)) < 1e-5)
    }

    /// SSIM by its formula, window by window, in double precision.
    private func similarity(_ first: PixelBuffer, _ second: PixelBuffer) -> Double {
        func luma(_ image: PixelBuffer, _ x: Int, _ y: Int) -> Double {
            let pixel = image[x, y]
            return 0.299 * Double(pixel >> 16 & 255) + 0.587 * Double(pixel >> 8 & 255) + 0.114 * Double(pixel & 255)
        }
        let side = (-5...5).map { exp(-Double($0 * $0) / 4.5) }
        let total = side.reduce(0, +)
        var values: [Double] = []
        for y in 5..<(first.height - 5) {
            for x in 5..<(first.width - 5) {
                var (a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0)
                for dy in -5...5 {
                    for dx in -5...5 {
                        let weight = side[dy + 5] * side[dx + 5] / (total * total)
                        let (p, q) = (luma(first, x + dx, y + dy), luma(second, x + dx, y + dy))
                        a += weight * p
                        b += weight * q
                        aa += weight * p * p
                        bb += weight * q * q
                        ab += weight * p * q
                    }
                }
                let numerator = (2 * a * b + 6.5025) * (2 * (ab - a * b) + 58.5225)
                values.append(numerator / ((a * a + b * b + 6.5025) * (aa - a * a + bb - b * b + 58.5225)))
            }
        }
        return values.reduce(0, +) / Double(values.count)
    }

    @Test func threadsDoNotChangeTheScore() throws {
        let image = try image(width: 301, height: 207)
        let candidate = try disturbed(image, by: 5, period: 3)
        let reference = try SSIMULACRA2Reference(image)
        let alone = try reference.score(of: candidate)
        for threads in [0, 2, 3, 8] { #expect(try reference.score(of: candidate, threads: threads) == alone) }
    }

    @Test func paddingBetweenRowsDoesNotCount() throws {
        let image = try image(width: 80, height: 60)
        let part = try image.cropped(to: PixelRectangle(x: 3, y: 5, width: 64, height: 40))
        let copy = try PixelBuffer(width: 64, height: 40, pixels: part.pixels, alphaMode: .opaque)
        let worse = try disturbed(copy, by: 9)
        #expect(try worse.ssimulacra2(against: part) == worse.ssimulacra2(against: copy))
        #expect(try worse.psnr(against: part) == worse.psnr(against: copy))
        #expect(try worse.structuralSimilarity(to: part) == worse.structuralSimilarity(to: copy))
    }

    @Test func hiddenColoursDoNotCount() throws {
        let first = try PixelBuffer(width: 40, height: 40, filledWith: 0x00FF_0000, alphaMode: .straight)
        let second = try PixelBuffer(width: 40, height: 40, filledWith: 0x0000_FF00, alphaMode: .straight)
        #expect(try second.ssimulacra2(against: first) == 100)
        #expect(try second.psnr(against: first) == .infinity)
        #expect(try second.structuralSimilarity(to: first) == 1)
    }

    /// A difference that is visible on only one of the backgrounds counts.
    @Test(arguments: [0xFF1A_1A1A as UInt32, 0xFFE6_E6E6]) func theWorseBackgroundCounts(color: UInt32) throws {
        let transparent = try PixelBuffer(width: 40, height: 40, filledWith: 0, alphaMode: .straight)
        var filled = try PixelBuffer(width: 40, height: 40, filledWith: color, alphaMode: .straight)
        filled[0, 0] = 0
        #expect(try filled.ssimulacra2(against: transparent) < 50)
        #expect(try transparent.ssimulacra2(against: filled) < 50)
        #expect(try filled.psnr(against: transparent) < 10)
    }

    /// The background on which an opaque copy was composited is unknown.
    @Test func opaqueCopiesOfTransparentImages() throws {
        let transparent = try PixelBuffer.make(width: 60, height: 50, alphaMode: .straight) { x, y in
            UInt32((x * 4 + y) & 255) << 24 | UInt32(x * 4) << 16 | UInt32(y * 5) << 8
        }
        let colors = try PixelBuffer(
            width: 60, height: 50, pixels: transparent.pixels.map { $0 | 0xFF00_0000 }, alphaMode: .opaque)
        let copies = [
            try transparent.flattened(on: .white),
            try transparent.flattened(on: PixelColor(red: 0, green: 0, blue: 0)), colors,
        ]
        for copy in copies {
            #expect(try copy.ssimulacra2(against: transparent) > 95)
            #expect(try transparent.ssimulacra2(against: copy) > 95)
            #expect(try copy.psnr(against: transparent) == .infinity)
            #expect(try copy.structuralSimilarity(to: transparent) == 1)
            #expect(try disturbed(copy, by: 60).ssimulacra2(against: transparent) < 90)
        }
        let other = try transparent.flattened(on: PixelColor(red: 255, green: 0, blue: 0))
        #expect(try other.ssimulacra2(against: transparent) < 50)
    }

    @Test func premultipliedImagesAreTheSame() throws {
        let straight = try PixelBuffer.make(width: 60, height: 50, alphaMode: .straight) { x, y in
            x % 3 == 0 ? 0xFF20_80C0 : 0x8000_0000 | UInt32(x * 4) << 16 | UInt32(y * 5) << 8
        }
        let score = try straight.premultiplied().ssimulacra2(against: straight)
        #expect(score > 95)
    }

    @Test func sizesMustAgree() throws {
        let first = try PixelBuffer(width: 10, height: 10), second = try PixelBuffer(width: 10, height: 11)
        let error = TexelError.sizesDiffer(first.size, second.size)
        #expect(throws: error) { try second.ssimulacra2(against: first) }
        #expect(throws: error) { try second.psnr(against: first) }
        #expect(throws: error) { try second.structuralSimilarity(to: first) }
    }

    @Test func stopsWhenAsked() throws {
        let image = try image(width: 100, height: 100)
        let reference = try SSIMULACRA2Reference(image)
        #expect(try reference.score(of: image, threads: 2) { true } == nil)
    }
}
