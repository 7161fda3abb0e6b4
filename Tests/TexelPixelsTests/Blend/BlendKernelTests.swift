import CPixelKernels
import TestSupport
import Testing

@testable import TexelFilters
@testable import TexelPixels

/// The compositing kernels at every level against their references, byte for byte.
@Suite struct BlendKernelTests {
    typealias Level = KernelTests.Level
    static let alphaModes = [AlphaMode.opaque, .straight, .premultiplied]

    /// Pixels with random and extreme channels. Some premultiplied ones have colours above alpha, as from filters.
    static func row(_ count: Int, _ mode: AlphaMode, _ generator: inout SeededGenerator) -> [UInt32] {
        (0..<count).map { index in
            func byte() -> UInt32 {
                Bool.random(using: &generator)
                    ? [0, 1, 127, 128, 254, 255][Int.random(in: 0..<6, using: &generator)]
                    : UInt32.random(in: 0...255, using: &generator)
            }
            let alpha = mode == .opaque ? 255 : byte()
            let color = (0..<3).reduce(UInt32(0)) { color, _ in
                color << 8 | (mode == .premultiplied && index % 5 > 0 ? byte() * alpha / 255 : byte())
            }
            return alpha << 24 | color
        }
    }

    /// Runs the kernel on rows at odd addresses, and checks that nothing else was written.
    private static func run(
        _ kernels: texel_kernels, _ backdrop: [UInt32], _ source: [UInt32], _ blend: texel_blend
    ) -> [UInt32] {
        func bytes(_ row: [UInt32]) -> [UInt8] { [77] + row.withUnsafeBytes(Array.init) + [77] }
        var (below, above) = (bytes(backdrop), bytes(source))
        var blend = blend
        below.withUnsafeMutableBufferPointer { below in
            above.withUnsafeMutableBufferPointer { above in
                guard let below = below.baseAddress, let above = above.baseAddress else { return }
                kernels.blend_row(below + 1, above + 1, backdrop.count, &blend)
            }
        }
        #expect(below.first == 77 && below.last == 77 && above == bytes(source))
        return below.dropFirst().dropLast().withUnsafeBytes { bytes in
            backdrop.indices.map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        }
    }

    @Test(arguments: Level.all, BlendMode.allCases) func blendsEqualTheScalarForm(level: Level, mode: BlendMode) throws
    {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 71)
        for width in [1, 2, 7, 8, 9, 33, 257] {
            for backdropMode in Self.alphaModes {
                for sourceMode in Self.alphaModes {
                    for opacity: Float in [1, 0.999, 0.37, 0.00001] {
                        let backdrop = Self.row(width, backdropMode, &generator)
                        let source = Self.row(width, sourceMode, &generator)
                        let blend = texel_blend(
                            mode: mode.kernelMode, backdrop: backdropMode.kernelMode, source: sourceMode.kernelMode,
                            opacity: opacity, to_light: nil, from_light: nil)
                        let expected = ScalarKernels.blend(
                            mode, .init(pixels: backdrop, mode: backdropMode),
                            .init(pixels: source, mode: sourceMode), opacity: opacity)
                        let result = Self.run(kernels, backdrop, source, blend)
                        #expect(result == expected, "\(width) \(backdropMode) \(sourceMode) \(opacity)")
                    }
                }
            }
        }
    }

    @Test(arguments: Level.all, BlendMode.allCases)
    func blendsInLightEqualTheScalarForm(level: Level, mode: BlendMode) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 72)
        let tables = ScalarKernels.BlendTables(toLight: LinearLight.fractions, fromLight: LinearLight.toByte)
        for backdropMode in [AlphaMode.opaque, .straight] {
            let (backdrop, source) = (
                Self.row(131, backdropMode, &generator), Self.row(131, .straight, &generator)
            )
            let expected = ScalarKernels.blend(
                mode, .init(pixels: backdrop, mode: backdropMode), .init(pixels: source, mode: .straight),
                opacity: 0.8, tables: tables)
            let result = tables.toLight.withUnsafeBufferPointer { toLight in
                tables.fromLight.withUnsafeBufferPointer { fromLight in
                    Self.run(
                        kernels, backdrop, source,
                        texel_blend(
                            mode: mode.kernelMode, backdrop: backdropMode.kernelMode, source: texel_alpha_straight,
                            opacity: 0.8, to_light: toLight.baseAddress, from_light: fromLight.baseAddress))
                }
            }
            #expect(result == expected, "\(backdropMode)")
        }
    }

    @Test(arguments: Level.all) func coversEqualTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 73)
        for width in KernelTests.widths {
            for isPremultiplied in [false, true] {
                let row = [UInt8].random(count: width * 4 + 1, using: &generator)
                let coverage = [UInt8].random(count: width, using: &generator)
                var result = row + [77]
                result.withUnsafeMutableBufferPointer { result in
                    guard let base = result.baseAddress else { return }
                    kernels.cover_row(base + 1, base + 1, coverage, width, isPremultiplied)
                }
                let expected = ScalarKernels.cover(
                    Array(row.dropFirst()), coverage, isPremultiplied: isPremultiplied)
                #expect(result == row.prefix(1) + expected + [77], "\(width)")
            }
        }
    }
}
