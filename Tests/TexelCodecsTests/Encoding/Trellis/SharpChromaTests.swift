import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG

@Suite struct SharpChromaTests {
    private let rows = BlockRows(parallelism: 2, stop: nil)

    /// Returns a row or column as decoders interpolate it.
    private func interpolated(_ samples: [Double], count: Int) -> [Double] {
        (0..<count).map { x in
            let other = min(max(x % 2 == 0 ? x / 2 - 1 : x / 2 + 1, 0), samples.count - 1)
            return 0.75 * samples[x / 2] + 0.25 * samples[other]
        }
    }

    /// Returns the means of pairs; the last sample of an odd count is used twice.
    private func halved(_ samples: [Double]) -> [Double] {
        stride(from: 0, to: samples.count, by: 2).map { x -> Double in
            let next = min(x + 1, samples.count - 1)
            return (samples[x] + samples[next]) / 2
        }
    }

    private func transposed(_ rows: [[Double]]) -> [[Double]] { rows[0].indices.map { x in rows.map { $0[x] } } }

    private func across(_ rows: [[Double]], _ map: ([Double]) -> [Double]) -> [[Double]] { rows.map(map) }

    private func down(_ rows: [[Double]], _ map: ([Double]) -> [Double]) -> [[Double]] {
        transposed(transposed(rows).map(map))
    }

    @Test(arguments: [(2, 2), (2, 1)]) func theErrorIsFedBackOnce(factors: (Int, Int)) throws {
        var generator = SeededGenerator(seed: 12)
        for (width, height) in [(1, 1), (2, 2), (1, 9), (9, 1), (16, 11), (33, 20), (70, 7)] {
            let samples = (0..<height).map { _ in
                (0..<width).map { _ in Int16.random(in: -1200...1200, using: &generator) }
            }
            let result = try SharpChroma.samples(
                of: PixelSize(width: width, height: height), reducedBy: factors, rows
            ) { y, words in
                for x in 0..<width { words[x] = samples[y][x] }
            }
            let original = samples.map { $0.map { Double($0) / 16 } }
            func reduced(_ rows: [[Double]]) -> [[Double]] {
                let halves = across(rows, halved)
                return factors.1 == 2 ? down(halves, halved) : halves
            }
            let means = reduced(original)
            let seen = across(means) { interpolated($0, count: width) }
            let upsampled = factors.1 == 2 ? down(seen) { interpolated($0, count: height) } : seen
            let lacks = reduced(zip(original, upsampled).map { zip($0, $1).map { $0 - $1 } })
            #expect(result.size == PixelSize(width: means[0].count, height: means.count))
            for y in means.indices {
                for x in means[y].indices {
                    let expected = min(max(means[y][x] + lacks[y][x], -128), 127)
                    #expect(
                        abs(Double(result.row(y)[x]) / 64 - expected) <= 1.0 / 64, "\(width)×\(height) at \(x), \(y)")
                }
            }
        }
    }

    @Test func edgesOfColoursAreSharper() throws {
        // Red and blue rectangles with odd sides, compared after decoding.
        let image = try PixelBuffer.make(width: 96, height: 64) { x, y in
            (x / 5 + y / 7) % 2 == 0 ? 0xFFC0_3020 : 0xFF20_40C0
        }
        func meanError(_ effort: Effort) throws -> Double {
            let options = JPEGOptions(quality: 100, subsampling: .yuv420, effort: effort)
            return meanDifference(try image.encoded(as: .jpeg(options)).decoded(), image)
        }
        #expect(try meanError(.balanced) < 0.95 * meanError(.fast))
    }
}
