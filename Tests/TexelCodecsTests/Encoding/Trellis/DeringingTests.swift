import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG

@Suite struct DeringingTests {
    /// Returns strokes on white with grey edges.
    private func text() throws -> PixelBuffer {
        var generator = SeededGenerator(seed: 4)
        let places = (0..<60).map { _ in
            (Int.random(in: 0..<200, using: &generator), Int.random(in: 0..<120, using: &generator))
        }
        return try .make(width: 200, height: 120) { x, y in
            let distances = places.map { place -> Int in abs(x - place.0) * 3 + abs(y - place.1) / 4 }
            let distance = distances.min() ?? 0
            let value = UInt32(min(255, distance * 60))
            return 0xFF00_0000 | value << 16 | value << 8 | value
        }
    }

    @Test func textTakesFewerBytesForTheSameError() throws {
        let image = try text()
        let rows = BlockRows(parallelism: 1, stop: nil)
        let own = try ImageCoefficients(image, isGray: true, sampling: (1, 1), rows)
        // The same image without information about saturated samples.
        let neutral = try ImageCoefficients(
            try PixelBuffer(width: 200, height: 120, filledWith: 0xFF80_8080), isGray: true, sampling: (1, 1), rows)
        let none = ImageCoefficients(
            size: own.size, sampling: own.sampling, components: own.components, saturated: neutral.saturated)
        func result(_ frequencies: ImageCoefficients, quality: Double) throws -> (count: Int, error: Double) {
            let bytes = try TrellisJPEGEncoder(
                frequencies, isProgressive: nil, metadata: WrittenMetadata(), profile: nil, rows
            ).encode(quality: quality)
            return (bytes.count, meanDifference(try bytes.decoded(), image))
        }
        for quality in [40.0, 75] {
            let with = try result(own, quality: quality)
            // No encoding with at most as many bytes has a smaller error.
            let others = try stride(from: quality - 10, to: 99, by: 1).map { try result(none, quality: $0) }
            #expect(others.allSatisfy { $0.count > with.count || $0.error > with.error }, "quality \(quality)")
            #expect(others.contains { $0.count > with.count } && others.contains { $0.count < with.count })
        }
    }

    @Test func onlyBlocksWithSaturatedEdgesChange() throws {
        let image = try PixelBuffer.make(width: 64, height: 16) { x, y in
            switch x / 16 {
            case 0: 0xFFFF_FFFF
            case 1: 0xFF00_0000
            case 2: (x + y) % 3 == 0 ? 0xFF40_4040 : 0xFF90_9090
            default: (x / 3 + y / 3) % 2 == 0 ? 0xFF00_0000 : 0xFFFF_FFFF
            }
        }
        let rows = BlockRows(parallelism: 1, stop: nil)
        let frequencies = try ImageCoefficients(image, isGray: true, sampling: (1, 1), rows)
        let table = QuantizationTable(steps: Array(repeating: 40, count: 64))
        let luma = frequencies.components[0]
        let result = try luma.copy(rows)
        try Deringing.apply(to: result, frequencies.saturated, table, rows)
        for block in 0..<luma.count {
            let isSame = (0..<64).allSatisfy { luma.base[block * 64 + $0] == result.base[block * 64 + $0] }
            #expect(isSame == (block % 8 < 6), "block \(block)")
        }
    }
}
