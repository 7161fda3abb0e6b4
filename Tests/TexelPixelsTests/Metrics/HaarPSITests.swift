import CPixelKernels
import Foundation
import TestSupport
import Testing

import TexelCore
@testable import TexelPixels

@Suite struct HaarPSITests {
    private func noisy(_ size: PixelSize, seed: UInt64) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        return try .make(width: size.width, height: size.height) { x, y in
            let wave = UInt32((x * 7 + y * 3) % 160)
            return 0xFF00_0000 | wave << 16 | UInt32((x / 9 + y / 5) % 2) * 90 << 8
                | UInt32.random(in: 0..<0x40, using: &generator) * 0x01_0101
        }
    }

    @Test(arguments: [(1, 1), (2, 3), (9, 9), (33, 40), (70, 21)]) func similarityFollowsItsDefinition(
        width: Int, height: Int
    ) throws {
        let size = PixelSize(width: width, height: height)
        let (first, second) = (try noisy(size, seed: 1), try noisy(size, seed: 2))
        let similarity = try second.haarPSI(against: first)
        #expect(abs(similarity - Self.similarity(first, second)) < 1e-5)
        #expect(try first.haarPSI(against: second) == similarity)
    }

    @Test func sizesMustAgree() throws {
        let (first, second) = (
            try noisy(PixelSize(width: 9, height: 9), seed: 1), try noisy(PixelSize(width: 9, height: 8), seed: 1)
        )
        #expect(throws: TexelError.self) { try second.haarPSI(against: first) }
    }

    /// HaarPSI by its definition, with zeros outside of the planes.
    private static func similarity(_ first: PixelBuffer, _ second: PixelBuffer) -> Double {
        typealias Plane = [[Double]]
        func planes(_ image: PixelBuffer) -> [Plane] {
            let factors = [[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]]
            return factors.map { row in
                (0..<((image.height + 1) / 2)).map { y in
                    (0..<((image.width + 1) / 2)).map { x in
                        var sum = 0.0
                        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)]
                        where 2 * x + dx < image.width && 2 * y + dy < image.height {
                            let pixel = image[2 * x + dx, 2 * y + dy]
                            sum +=
                                row[0] * Double(pixel >> 16 & 255) + row[1] * Double(pixel >> 8 & 255)
                                + row[2] * Double(pixel & 255)
                        }
                        return sum / 4
                    }
                }
            }
        }
        /// The magnitude of a filter whose window begins `size` / 2 − 1 samples before the place.
        func magnitude(_ plane: Plane, _ x: Int, _ y: Int, _ size: Int, _ sign: (Bool, Bool) -> Double) -> Double {
            var sum = 0.0
            for row in 0..<size {
                for column in 0..<size {
                    let (u, v) = (x + column - size / 2 + 1, y + row - size / 2 + 1)
                    guard plane.indices.contains(v), plane[v].indices.contains(u) else { continue }
                    sum += sign(row < size / 2, column < size / 2) * plane[v][u]
                }
            }
            return abs(sum) / Double(size)
        }
        func alike(_ a: Double, _ b: Double) -> Double { (2 * a * b + 30) / (a * a + b * b + 30) }
        func logistic(_ value: Double) -> Double { 1 / (1 + exp(-4.2 * value)) }
        let (a, b) = (planes(first), planes(second))
        var (sum, total) = (0.0, 0.0)
        for y in a[0].indices {
            for x in a[0][y].indices {
                var weights = 0.0
                for isUpright in [false, true] {
                    let sign: (Bool, Bool) -> Double = { ($0 && !isUpright) || ($1 && isUpright) ? 1 : -1 }
                    let values = [2, 4, 8].map { (magnitude(a[0], x, y, $0, sign), magnitude(b[0], x, y, $0, sign)) }
                    let weight = max(values[2].0, values[2].1)
                    sum += weight * logistic((alike(values[0].0, values[0].1) + alike(values[1].0, values[1].1)) / 2)
                    weights += weight
                }
                let chroma = (1...2).map { plane in
                    alike(
                        magnitude(a[plane], x, y, 2) { _, _ in 0.5 }, magnitude(b[plane], x, y, 2) { _, _ in 0.5 })
                }
                sum += weights / 2 * logistic((chroma[0] + chroma[1]) / 2)
                total += 1.5 * weights
            }
        }
        let mean = sum / total
        return total == 0 ? 1 : pow(log(mean / (1 - mean)) / 4.2, 2)
    }

    // MARK: Kernels

    /// Every level gives the same bits.
    @Test func everyLevelGivesTheSameBits() throws {
        var generator = SeededGenerator(seed: 43)
        let kernels = try KernelTests.Level.all.map { try $0.kernels() }
        for width in [1, 2, 15, 16, 17, 31, 64, 95] {
            let bytes = [UInt8].random(count: width * 8, using: &generator)
            let rows = try (0..<16).map { _ in try MetricRow([Float].random(width, in: 0...400, using: &generator)) }
            defer { withExtendedLifetime(rows) {} }
            let sources = rows.map(\.source)
            let results = try kernels.map { kernels in
                let outputs = try (0..<10).map { _ in try MetricRow([Float](repeating: 0, count: width)) }
                defer { withExtendedLifetime(outputs) {} }
                let pointers = outputs.map(\.pointer)
                bytes.withUnsafeBufferPointer { bytes in
                    guard let base = bytes.baseAddress else { return }
                    kernels.haar_colors(pointers[0], pointers[1], pointers[2], base, base + width * 4, width)
                }
                kernels.haar_row(Array(pointers[3..<6]), Array(pointers[6..<9]), sources[0], width)
                kernels.haar_column(pointers[9], sources, width, 8, true)
                var sums = [0.5, 0.25]
                kernels.haar_similarities(&sums, Array(sources[0..<8]), Array(sources[8..<16]), width)
                return (outputs.map { $0.values.bits }, sums)
            }
            for result in results.dropFirst() {
                #expect(result.0 == results[0].0 && result.1 == results[0].1, "width \(width)")
            }
        }
    }
}
