import CPixelKernels
import TestSupport
import Testing

@testable import TexelPixels

/// The kernels of luma at every level against their definitions.
@Suite struct LumaKernelTests {
    @Test(arguments: KernelTests.Level.all) func lumaEqualsTheScalarForm(level: KernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 21)
        for width in KernelTests.widths {
            // The row begins at an odd address.
            let row = [UInt8].random(count: width * 4 + 1, using: &generator).map { $0 > 240 ? 255 : $0 }
            var luma = [UInt8](repeating: 7, count: width + 2)
            row.withUnsafeBufferPointer { row in
                luma.withUnsafeMutableBufferPointer { luma in
                    guard let source = row.baseAddress, let destination = luma.baseAddress else { return }
                    kernels.luma_row(destination + 1, source + 1, width)
                }
            }
            let expected = (0..<width).map { x in
                let (blue, green, red) = (Int(row[x * 4 + 1]), Int(row[x * 4 + 2]), Int(row[x * 4 + 3]))
                return UInt8((19_595 * red + 38_470 * green + 7471 * blue + 32_768) / 65_536)
            }
            #expect(luma == [7] + expected + [7])
        }
    }

    @Test(arguments: KernelTests.Level.all) func equalizationEqualsTheScalarForm(level: KernelTests.Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 22)
        for (index, width) in KernelTests.widths.enumerated() {
            let row = [UInt8].random(count: width * 4 + 1, using: &generator)
            let luma = [UInt8].random(count: width, using: &generator)
            let tables = (0..<2).map { _ in
                index % 3 == 0
                    ? (0..<(5 * 256)).map { _ in UInt8([0, 255].randomElement(using: &generator) ?? 0) }
                    : [UInt8].random(count: 5 * 256, using: &generator)
            }
            let places = (0..<width).map { _ in
                texel_tile_place(
                    left: .random(in: 0...4, using: &generator) * 256,
                    right: .random(in: 0...4, using: &generator) * 256,
                    weight: [0, 1, 2047, 2048, 700].randomElement(using: &generator) ?? 0)
            }
            let weight = UInt32([0, 2048, 1, 900][index % 4])
            var result = row
            result.withUnsafeMutableBufferPointer { row in
                guard let pixels = row.baseAddress else { return }
                kernels.equalize_row(
                    pixels + 1, pixels + 1, luma, width, tables[0], tables[1], places, weight)
            }
            var expected = row
            for x in 0..<width {
                func mixed(_ table: [UInt8]) -> Int {
                    let (left, right) = (Int(places[x].left), Int(places[x].right))
                    let weight = Int(places[x].weight)
                    return Int(table[left + Int(luma[x])]) * (2048 - weight)
                        + Int(table[right + Int(luma[x])]) * weight
                }
                let sum = mixed(tables[0]) * Int(2048 - weight) + mixed(tables[1]) * Int(weight)
                let change = (sum + 1 << 21) >> 22 - Int(luma[x])
                for place in (x * 4 + 1)...(x * 4 + 3) {
                    expected[place] = UInt8(min(max(Int(row[place]) + change, 0), 255))
                }
            }
            #expect(result == expected)
        }
    }
}
