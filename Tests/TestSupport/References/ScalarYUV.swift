package import TexelPixels

/// Simple reference implementations of the YUV kernels of `CPixelKernels`, as `ScalarKernels`.
package enum ScalarYUV {
    /// The product of two fractions in 1/32,768, rounded.
    private static func multiply(_ a: Int, _ b: Int) -> Int { (a * b + 1 << 14) >> 15 }

    /// Samples of 8 or 10 bits in 1/128 of an 8-bit step.
    package static func widened(_ samples: [UInt8], sampleBytes: Int) -> [Int] {
        if sampleBytes == 1 { return samples.map { Int($0) * 128 } }
        return stride(from: 0, to: samples.count - 1, by: 2).map { index in
            min(1023, Int(samples[index]) | Int(samples[index + 1]) << 8) * 32
        }
    }

    /// Chroma samples as words, with neutral at 0.
    package static func widenChroma(_ samples: [UInt8], sampleBytes: Int) -> [Int16] {
        widened(samples, sampleBytes: sampleBytes).map { Int16($0 - 128 * 128) }
    }

    /// The sum of four samples at distances of 7/4, 3/4, 1/4 and 5/4, weighted by cubic convolution (Keys 1981) with B
    /// = 0 and C = 0.6.
    private static func cubic(_ farthest: Int16, _ near: Int16, _ nearest: Int16, _ far: Int16) -> Int {
        multiply(Int(farthest), -922) + multiply(Int(near), 7885) + multiply(Int(nearest), 28570)
            + multiply(Int(far), -2765)
    }

    /// Doubles the columns of a row.
    package static func doubleChroma(_ row: [Int16]) -> (even: [Int16], odd: [Int16]) {
        func at(_ index: Int) -> Int16 { row[min(max(index, 0), row.count - 1)] }
        func limited(_ value: Int) -> Int16 { Int16(min(value, 128 * 128 - 1)) }
        return (
            row.indices.map { limited(cubic(at($0 - 2), at($0 - 1), at($0), at($0 + 1))) },
            row.indices.map { limited(cubic(at($0 + 2), at($0 + 1), at($0), at($0 - 1))) }
        )
    }

    /// The rows a quarter of a row below the second and above the third of four rows.
    package static func blendChroma(_ rows: [[Int16]]) -> (upper: [Int16], lower: [Int16]) {
        let columns = rows[0].indices
        return (
            columns.map { Int16(cubic(rows[3][$0], rows[2][$0], rows[1][$0], rows[0][$0])) },
            columns.map { Int16(cubic(rows[0][$0], rows[1][$0], rows[2][$0], rows[3][$0])) }
        )
    }

    /// Words of Cg and Co as the words that the factors expect.
    package static func turnChroma(green: [Int16], orange: [Int16]) -> (u: [Int16], v: [Int16]) {
        let pairs = zip(green, orange).map { (Int($0), Int($1)) }
        return (pairs.map { Int16(-(($0 + $1) >> 1)) }, pairs.map { Int16(($1 - $0) >> 1) })
    }

    /// Alpha samples as bytes, rounded.
    package static func alpha(_ samples: [UInt8], sampleBytes: Int) -> [UInt8] {
        let top = sampleBytes == 1 ? 255.0 * 128 : 1023 * 32
        return widened(samples, sampleBytes: sampleBytes).map { UInt8((Double($0) * 255 / top).rounded()) }
    }

    /// A row of BGRA. `u` and `v` have a word for every column; if they are empty, the row is grey. Without `alpha` the
    /// row is opaque.
    package static func bgra(
        luma: [UInt8], sampleBytes: Int, u: [Int16], v: [Int16], alpha: [UInt8]? = nil, factors: YUVFactors
    ) -> [UInt8] {
        let alpha = alpha.map { Self.alpha($0, sampleBytes: sampleBytes) }
        return widened(luma, sampleBytes: sampleBytes).enumerated().flatMap { x, sample in
            let y = multiply(sample, Int(factors.luma)) - Int(factors.black)
            let (u, v) = u.isEmpty ? (0, 0) : (Int(u[x]), Int(v[x]))
            let blue = y + multiply(u, Int(factors.blueU))
            let green = y + multiply(u, Int(factors.greenU)) + multiply(v, Int(factors.greenV))
            let red = y + multiply(v, Int(factors.redV))
            return [blue, green, red].map { UInt8(min(max($0 >> 5, 0), 255)) } + [alpha?[x] ?? 255]
        }
    }

    // From BGRA to YUV, with words in 1/64.

    private static func weighed(_ bgra: [UInt8], _ x: Int, _ factors: RGBFactors.Channels) -> Int {
        Int(bgra[x * 4]) * Int(factors.blue) + Int(bgra[x * 4 + 1]) * Int(factors.green)
            + Int(bgra[x * 4 + 2]) * Int(factors.red)
    }

    package static func luma(bgra: [UInt8], factors: RGBFactors) -> [UInt8] {
        (0..<(bgra.count / 4)).map { UInt8((weighed(bgra, $0, factors.luma) + Int(factors.black)) >> 15) }
    }

    /// One of the chroma channels.
    package static func chroma(bgra: [UInt8], factors: RGBFactors.Channels) -> [Int16] {
        (0..<(bgra.count / 4)).map { Int16((weighed(bgra, $0, factors) + 256) >> 9) }
    }

    /// Filters eight consecutive samples; the result is at the middle of the fourth and fifth.
    private static func halved(_ samples: [Int16]) -> Int16 {
        let sums = (0..<4).map { samples[$0] + samples[7 - $0] }
        return Int16((cubic(sums[0], sums[2], sums[3], sums[1]) + 1) >> 1)
    }

    /// Halves the columns of a row.
    package static func halveChroma(_ row: [Int16]) -> [Int16] {
        stride(from: 0, to: row.count, by: 2).map { x in
            halved((x - 3...x + 4).map { row[min(max($0, 0), row.count - 1)] })
        }
    }

    /// Computes one row from eight.
    package static func halveChromaRows(_ rows: [[Int16]]) -> [Int16] {
        rows[0].indices.map { x in halved(rows.map { $0[x] }) }
    }

    /// Words as one-byte samples.
    package static func narrowChroma(_ row: [Int16]) -> [UInt8] {
        row.map { UInt8(min(max((Int($0) + 32) >> 6 + 128, 0), 255)) }
    }
}
