import CPixelKernels
import TestSupport
import Testing
import TexelPixels

/// The kernels of live frames at every level of this machine against their scalar references, byte for byte.
@Suite struct FrameKernelTests {
    typealias Level = KernelTests.Level

    @Test(arguments: Level.all) func rowsAreHalved(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 71)
        for width in YUVKernelTests.widths {
            for content in SampleContent.allCases {
                let upper = content.bytes(width, using: &generator)
                let lower = content.bytes(width, using: &generator)
                let result = ByteRow((width + 1) / 2)
                try withUnaligned(upper) { upper in
                    try withUnaligned(lower) { kernels.halve_rows(result.base, upper, $0, width) }
                }
                let comment = "\(level.testDescription), width \(width), \(content)"
                #expect(result.content == ScalarKernels.halve(upper, lower), "\(comment)")
                #expect(result.isIntact, "\(comment): wrote outside")
            }
        }
    }

    @Test(arguments: Level.all) func rowsAreMixed(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 72)
        for width in YUVKernelTests.widths {
            for weight in [0, 1, 127, 128, 255, 256] {
                for content in SampleContent.allCases {
                    let first = content.bytes(width * 4, using: &generator)
                    let second = content.bytes(width * 4, using: &generator)
                    let result = ByteRow(width * 4)
                    try withUnaligned(first) { first in
                        try withUnaligned(second) { kernels.mix_row(result.base, first, $0, width, Int32(weight)) }
                    }
                    let comment = "\(level.testDescription), width \(width), weight \(weight), \(content)"
                    #expect(result.content == ScalarKernels.mix(first, second, weight: weight), "\(comment)")
                    #expect(result.isIntact, "\(comment): wrote outside")
                    if weight == 0 { #expect(result.content == first, "\(comment)") }
                    if weight == 256 { #expect(result.content == second, "\(comment)") }
                    // In place: mixing a row with itself does not change it.
                    kernels.mix_row(result.base, result.base, result.base, width, Int32(weight))
                    #expect(result.content == ScalarKernels.mix(first, second, weight: weight), "\(comment), in place")
                }
            }
        }
    }

    @Test(arguments: Level.all) func missingRowsOfFields(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 73)
        for width in YUVKernelTests.widths {
            for (bits, content) in [8, 10, 12].flatMap({ bits in SampleContent.allCases.map { (bits, $0) } }) {
                let sampleBytes = bits > 8 ? 2 : 1
                // Similar rows, so that all limits take part; words have any value and count as the maximum at most.
                let base = content.bytes(width * sampleBytes, using: &generator)
                let rows = (0..<18).map { _ in
                    base.map { Bool.random(using: &generator) ? $0 : $0 &+ UInt8.random(in: 0...40, using: &generator) }
                }
                let result = ByteRow(width * sampleBytes)
                try withUnaligned(rows.flatMap { $0 }) { base in
                    func row(_ index: Int) -> UnsafePointer<UInt8> { base + index * width * sampleBytes }
                    let sources = texel_field_rows(
                        before: (row(0), row(1), row(2), row(3), row(4)),
                        after: (row(5), row(6), row(7), row(8), row(9)),
                        shown: (row(10), row(11), row(12), row(13)), earlier: (row(14), row(15)),
                        later: (row(16), row(17)))
                    withUnsafePointer(to: sources) { kernels.missing_field_row(result.base, $0, Int32(bits), width) }
                }
                func samples(_ bytes: [UInt8]) -> [Int] {
                    guard bits > 8 else { return bytes.map { Int($0) } }
                    return stride(from: 0, to: bytes.count, by: 2).map {
                        min(Int(bytes[$0]) + Int(bytes[$0 + 1]) * 256, 1 << bits - 1)
                    }
                }
                let words = rows.map(samples)
                let fields = FieldRows(
                    before: Array(words[0..<5]), after: Array(words[5..<10]), shown: Array(words[10..<14]),
                    earlier: Array(words[14..<16]), later: Array(words[16..<18]))
                let comment = "\(level.testDescription), width \(width), \(bits) bits, \(content)"
                let found = samples(result.content)
                #expect(found == ScalarKernels.missingFieldRow(fields, bits: bits), "\(comment)")
                let exact = ScalarKernels.exactMissingFieldRow(fields, bits: bits)
                let limit = bits == 8 ? 1 : 2
                #expect(zip(found, exact).allSatisfy { abs($0 - $1) <= limit }, "\(comment): far from the formula")
                #expect(result.isIntact, "\(comment): wrote outside")
            }
        }
    }
}
