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
}
