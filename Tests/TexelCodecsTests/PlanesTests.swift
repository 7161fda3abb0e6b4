import CCodecShims
import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs

/// The conversion and the reduction of planes, compared with floating-point formulas.
@Suite struct PlanesTests {
    /// Random samples as the kernels read them.
    private struct Planes {
        var image = texel_planar_image()
        private var words: [[UInt16]] = []
        private var memory: [LargeMemory] = []
        private let shift: (x: Int, y: Int)

        init(
            _ size: PixelSize, depth: Int, shift: (x: Int, y: Int)?, hasAlpha: Bool, _ colors: texel_plane_colors,
            _ generator: inout SeededGenerator
        ) throws {
            self.shift = shift ?? (0, 0)
            image.is_deep = depth > 8
            (image.alpha_is_deep, image.alpha_depth) = (depth > 8, Int32(depth))
            (image.chroma_shift_x, image.chroma_shift_y) = (Int32(self.shift.x), Int32(self.shift.y))
            image.colors = colors
            let chroma = PixelSize(
                width: (size.width + self.shift.x) >> self.shift.x,
                height: (size.height + self.shift.y) >> self.shift.y)
            let luma = try plane(size, depth, &generator)
            if shift != nil {
                image.planes = (luma, try plane(chroma, depth, &generator), try plane(chroma, depth, &generator))
            } else {
                image.planes.0 = luma
            }
            if hasAlpha { image.alpha = try plane(size, depth, &generator) }
        }

        private mutating func plane(
            _ size: PixelSize, _ depth: Int, _ generator: inout SeededGenerator
        ) throws -> texel_plane {
            let samples = (0..<(size.width * size.height)).map { _ in
                UInt16.random(in: 0...UInt16((1 << depth) - 1), using: &generator)
            }
            return try plane(samples, size, depth)
        }

        private mutating func plane(_ samples: [UInt16], _ size: PixelSize, _ depth: Int) throws -> texel_plane {
            let bytesPerRow = size.width * (depth > 8 ? 2 : 1) + 6
            let memory = try #require(LargeMemory(byteCount: bytesPerRow * size.height))
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let row = memory.base + y * bytesPerRow
                    let sample = samples[y * size.width + x]
                    if depth > 8 {
                        row.storeBytes(of: sample, toByteOffset: 2 * x, as: UInt16.self)
                    } else {
                        row.storeBytes(of: UInt8(sample), toByteOffset: x, as: UInt8.self)
                    }
                }
            }
            words.append(samples)
            self.memory.append(memory)
            return texel_plane(
                samples: UnsafeRawPointer(memory.base), bytes_per_row: bytesPerRow, width: Int32(size.width),
                height: Int32(size.height))
        }

        /// Planes of one resolution with the mean of the samples that each sample covers.
        func reduced(by divisor: Int) throws -> Self {
            var result = self
            (result.image.planes, result.words, result.memory) = ((texel_plane(), texel_plane(), texel_plane()), [], [])
            (result.image.chroma_shift_x, result.image.chroma_shift_y) = (0, 0)
            var reduced: [texel_plane] = []
            for (index, from) in [image.planes.0, image.planes.1, image.planes.2].enumerated() {
                guard from.samples != nil else { continue }
                let (x, y) = index == 0 ? (divisor, divisor) : (divisor >> shift.x, divisor >> shift.y)
                let (width, height) = (Int(from.width), Int(from.height))
                let size = PixelSize(width: (width + x - 1) / x, height: (height + y - 1) / y)
                var samples: [UInt16] = []
                for row in 0..<size.height {
                    for column in 0..<size.width {
                        let covered = (row * y..<min((row + 1) * y, height)).flatMap { v in
                            (column * x..<min((column + 1) * x, width)).map { u in sample(index, u, v) }
                        }
                        samples.append(UInt16(covered.reduce(0, +) / Double(covered.count) + 0.5))
                    }
                }
                reduced.append(try result.plane(samples, size, image.is_deep ? 10 : 8))
            }
            result.image.planes.0 = reduced[0]
            if reduced.count == 3 { (result.image.planes.1, result.image.planes.2) = (reduced[1], reduced[2]) }
            return result
        }

        func sample(_ plane: Int, _ x: Int, _ y: Int) -> Double {
            let size = [image.planes.0, image.planes.1, image.planes.2][plane]
            return Double(words[plane][y * Int(size.width) + x])
        }

        /// Alpha is the last plane.
        func alpha(_ x: Int, _ y: Int) -> Double {
            Double(words[words.count - 1][y * Int(image.planes.0.width) + x])
        }

        /// A chroma sample at a pixel, interpolated linearly between the centres of samples.
        func chroma(_ plane: Int, _ x: Int, _ y: Int) -> Double {
            let size = [image.planes.0, image.planes.1, image.planes.2][plane]
            func place(_ position: Int, _ shift: Int, _ count: Int32) -> [(Int, Double)] {
                guard shift == 1 else { return [(position, 1)] }
                let far = position / 2 + (position % 2 == 0 ? -1 : 1)
                return [(position / 2, 0.75), (min(max(far, 0), Int(count) - 1), 0.25)]
            }
            var sum = 0.0
            for (column, weight) in place(x, shift.x, size.width) {
                for (row, other) in place(y, shift.y, size.height) {
                    sum += weight * other * sample(plane, column, row)
                }
            }
            return sum
        }

        func row(_ y: Int) -> [UInt32] {
            let width = Int(image.planes.0.width)
            var pixels = [UInt32](repeating: 0, count: width)
            var scratch = [UInt16](repeating: 0, count: 3 * width + 1)
            var image = image
            pixels.withUnsafeMutableBytes { bytes in
                scratch.withUnsafeMutableBufferPointer { scratch in
                    guard let base = bytes.baseAddress, let chroma = scratch.baseAddress else { return }
                    texel_planar_row_to_bgra(
                        &image, Int32(y), chroma, base.assumingMemoryBound(to: UInt8.self))
                }
            }
            extendLifetime(memory[0])
            return pixels
        }
    }

    private static let shifts: [(x: Int, y: Int)?] = [nil, (0, 0), (1, 0), (1, 1)]
    private static let sizes = [(1, 1), (2, 1), (1, 5), (3, 3), (16, 4), (37, 9)].map {
        PixelSize(width: $0.0, height: $0.1)
    }

    /// The weights of red and blue for the matrices of ITU-T H.273.
    private static let matrices = [(1, 0.2126, 0.0722), (6, 0.299, 0.114), (9, 0.2627, 0.0593)]

    @Test(arguments: [8, 10, 12], 0..<4) func planeConversionsAreRoundedToNearest(depth: Int, index: Int) throws {
        var generator = SeededGenerator(seed: UInt64(depth * 8 + index))
        for (matrix, red, blue) in Self.matrices {
            for isFull in [true, false] {
                let coded = CodedColors(matrix: matrix, isFullRange: isFull)
                let colors = try #require(PlaneColors(coded, depth: depth)).factors
                let unit = Double(1 << (depth - 8))
                let largest = Double((1 << depth) - 1)
                for size in Self.sizes {
                    let planes = try Planes(
                        size, depth: depth, shift: Self.shifts[index], hasAlpha: isFull, colors, &generator)
                    for y in 0..<size.height {
                        let row = planes.row(y)
                        for x in 0..<size.width {
                            let luma =
                                isFull
                                ? planes.sample(0, x, y) / largest : (planes.sample(0, x, y) / unit - 16) / 219
                            func chroma(_ plane: Int) -> Double {
                                guard index > 0 else { return 0 }
                                let value = planes.chroma(plane, x, y)
                                return isFull ? (value - 128 * unit) / largest : (value / unit - 128) / 224
                            }
                            let (u, v) = (chroma(1), chroma(2))
                            let r = luma + 2 * (1 - red) * v
                            let b = luma + 2 * (1 - blue) * u
                            let g = index == 0 ? luma : (luma - red * r - blue * b) / (1 - red - blue)
                            let alpha = isFull ? planes.alpha(x, y) * 255 / largest : 255
                            for (shift, value) in [(16, r * 255), (8, g * 255), (0, b * 255), (24, alpha)] {
                                let expected = min(max(value, 0), 255)
                                let found = Double(row[x] >> UInt32(shift) & 255)
                                #expect(abs(found - expected) < 0.51, "\(size) at \(x), \(y): \(shift)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func unsupportedMatricesAreRefused() {
        for matrix in [3, 8, 10, 11, 13, 14, 255] {
            #expect(PlaneColors(CodedColors(matrix: matrix), depth: 8) == nil)
        }
        #expect(PlaneColors(CodedColors(primaries: 9, matrix: 12), depth: 8) != nil)
        #expect(PlaneColors(CodedColors(primaries: 5, matrix: 12), depth: 8) == nil)
    }

    /// Each sample is the mean of those that it covers, rounded to nearest.
    @Test(arguments: [8, 10], [2, 4, 8]) func reducedSamplesAreRoundedMeans(depth: Int, divisor: Int) throws {
        var generator = SeededGenerator(seed: UInt64(depth + divisor))
        for shift in Self.shifts {
            for size in Self.sizes {
                let colors = try #require(PlaneColors(CodedColors(), depth: depth)).factors
                let planes = try Planes(size, depth: depth, shift: shift, hasAlpha: false, colors, &generator)
                let means = try planes.reduced(by: divisor)
                let width = (size.width + divisor - 1) / divisor
                let reduction = try PlaneReduction(width: size.width, isDeep: depth > 8, by: divisor)
                for y in 0..<(size.height + divisor - 1) / divisor {
                    var row = [UInt32](repeating: 0, count: width)
                    row.withUnsafeMutableBytes { bytes in
                        guard let base = bytes.baseAddress else { return }
                        reduction.convert(y, of: planes.image, to: base)
                    }
                    #expect(row == means.row(y), "row \(y) of \(size), chroma \(String(describing: shift))")
                }
                extendLifetime(planes)
            }
        }
    }
}
