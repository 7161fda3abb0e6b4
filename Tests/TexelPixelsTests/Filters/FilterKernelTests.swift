import CPixelKernels
import TestSupport
import Testing

@testable import TexelFilters
@testable import TexelPixels

/// The kernels of the window filters at every level of this machine against their scalar references, byte for byte.
@Suite struct FilterKernelTests {
    typealias Level = KernelTests.Level
    static let widths = [1, 2, 3, 7, 8, 9, 16, 17, 31, 33, 64, 65, 257]

    /// Random samples, and those that lead to extreme sums.
    private static func rows<Sample: FixedWidthInteger>(
        _ content: Int, _ count: Int, of length: Int, limit: Sample, using generator: inout SeededGenerator
    ) -> [[Sample]] {
        (0..<count).map { row in
            (0..<length).map { x in
                switch content {
                case 0: Sample.random(in: 0...limit, using: &generator)
                case 1: limit
                case 2: (x / 4 + row) % 2 == 0 ? limit : 0
                default: 0
                }
            }
        }
    }

    /// Random weights that are not negative and add up to 32,768, as the middle and halves if `isSymmetric`.
    private static func weights(
        _ count: Int, isSymmetric: Bool, using generator: inout SeededGenerator
    ) -> [Int16] {
        var (rest, result) = (32768, [Int16]())
        for _ in 1..<count {
            let weight = Int.random(in: 0...(rest / (isSymmetric ? 4 : 2)), using: &generator)
            result.append(Int16(weight))
            rest -= isSymmetric ? 2 * weight : weight
        }
        return [Int16(min(rest, 32767))] + result
    }

    /// Calls `body` with the addresses of rows that begin at odd samples, `offset` samples after their beginning.
    private static func withAddresses<Sample>(
        _ rows: [[Sample]], offset: Int = 0, _ body: (UnsafePointer<UnsafePointer<Sample>>) -> Void
    ) {
        let length = rows[0].count
        ([rows[0][0]] + rows.flatMap { $0 }).withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            let addresses = rows.indices.map { base + 1 + $0 * length + offset }
            addresses.withUnsafeBufferPointer { if let first = $0.baseAddress { body(first) } }
        }
    }

    /// Returns `count` samples that `kernel` wrote at an odd address, and checks that it wrote nothing after `room`.
    private static func output<Sample: FixedWidthInteger>(
        _ count: Int, room: Int? = nil, _ comment: String, _ kernel: (UnsafeMutablePointer<Sample>) -> Void
    ) -> [Sample] {
        let room = room ?? count
        var result = [Sample](repeating: 77, count: room + 9)
        result.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { kernel(base + 1) } }
        #expect(result[0] == 77 && result[(room + 1)...].allSatisfy { $0 == 77 }, "\(comment): wrote outside")
        return Array(result[1...count])
    }

    private static func roundedUp(_ count: Int, to multiple: Int) -> Int {
        (count + multiple - 1) / multiple * multiple
    }

    @Test(arguments: Level.all) func windowFiltersEqualTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 81)
        for width in Self.widths {
            for (radius, content) in zip([1, 2, 3, 7, 14, 62, 62, 5], [0, 1, 2, 0, 1, 1, 2, 3]) {
                let comment = "\(level.testDescription), width \(width), radius \(radius), content \(content)"
                let (count, weights) = (width * 4, Self.weights(radius + 1, isSymmetric: true, using: &generator))
                let room = Self.roundedUp(count, to: Int(texel_window_multiple))
                let bytes: [[UInt8]] = Self.rows(content, 2 * radius + 1, of: count, limit: 255, using: &generator)
                Self.withAddresses(bytes) { rows in
                    let result: [Int16] = Self.output(count, room: room, comment) {
                        kernels.window_rows($0, rows, count, weights, radius)
                    }
                    #expect(result == ScalarKernels.windowRows(bytes, weights: weights), "\(comment), rows")
                }
                // The largest words that the vertical pass gives.
                let words: [[Int16]] = Self.rows(
                    content, 1, of: count + 8 * radius, limit: Int16(255 * 64 + (radius + 1) / 2), using: &generator)
                let padded = [words[0] + [Int16](repeating: 9, count: 32)]
                Self.withAddresses(padded, offset: 4 * radius) { rows in
                    let result: [UInt8] = Self.output(count, comment) {
                        kernels.window_row($0, rows[0], count, weights, radius)
                    }
                    #expect(result == ScalarKernels.windowRow(words[0], weights: weights), "\(comment), row")
                }
            }
        }
    }

    @Test(arguments: Level.all) func shrinkingAndEnlargingEqualTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 82)
        for width in Self.widths {
            for (taps, content) in zip([1, 2, 3, 4, 22, 32, 32], [0, 0, 1, 2, 0, 1, 3]) {
                let comment = "\(level.testDescription), width \(width), \(taps) taps, content \(content)"
                let (count, weights) = (width * 4, Self.weights(taps, isSymmetric: false, using: &generator))
                let bytes: [[UInt8]] = Self.rows(content, taps, of: count, limit: 255, using: &generator)
                Self.withAddresses(bytes) { rows in
                    let result: [Int16] = Self.output(count, comment) {
                        kernels.shrink_rows($0, rows, weights, taps, count)
                    }
                    #expect(result == ScalarKernels.shrinkRows(bytes, weights: weights), "\(comment), shrink")
                }
                let words: [[Int16]] = Self.rows(content, taps, of: count, limit: 255 * 128, using: &generator)
                Self.withAddresses(words.map { $0 + [Int16](repeating: 9, count: 32) }) { rows in
                    let result: [UInt8] = Self.output(count, comment) {
                        kernels.enlarge_rows($0, rows, weights, taps, count)
                    }
                    #expect(result == ScalarKernels.enlargeRows(words, weights: weights), "\(comment), enlarge")
                }
            }
        }
    }

    @Test(arguments: Level.all) func sharpeningEqualsTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 83)
        for width in Self.widths {
            for (amount, threshold) in [(0, 0), (1, 0), (2048, 0), (2048, 255), (20480, 3), (20480, 0), (32767, 12)] {
                let comment = "\(level.testDescription), width \(width), amount \(amount), threshold \(threshold)"
                var row = [UInt8].random(count: width * 4, using: &generator)
                var mean = [UInt8].random(count: width * 4, using: &generator)
                for x in 0..<width where x % 3 == 0 {
                    // The largest differences, and the threshold itself.
                    (row[4 * x], mean[4 * x]) = (255, 0)
                    (row[4 * x + 1], mean[4 * x + 1]) = (0, 255)
                    (row[4 * x + 2], mean[4 * x + 2]) = (100, UInt8(max(0, 100 - threshold)))
                    mean[4 * x + 3] = 255
                }
                let expected = ScalarKernels.sharpen(row, blurred: mean, amount: amount, threshold: threshold)
                Self.withAddresses([row, mean]) { rows in
                    let result: [UInt8] = Self.output(width * 4, comment) {
                        kernels.sharpen_row($0, rows[0], rows[1], width, Int32(amount), Int32(threshold))
                    }
                    #expect(result == expected, "\(comment)")
                    let inPlace: [UInt8] = Self.output(width * 4, comment) {
                        $0.update(from: rows[0], count: width * 4)
                        kernels.sharpen_row($0, UnsafePointer($0), rows[1], width, Int32(amount), Int32(threshold))
                    }
                    #expect(inPlace == expected, "\(comment), in place")
                }
            }
        }
    }

    @Test(arguments: Level.all) func boxFiltersEqualTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 84)
        for width in Self.widths {
            for (radius, content) in zip([1, 2, 3, 20, 181, 1000, 1000], [0, 0, 2, 0, 0, 0, 1]) {
                let comment = "\(level.testDescription), width \(width), radius \(radius), content \(content)"
                let box = BoxFilter.box(radius: radius)
                let limit = UInt32(255 * (2 * radius + 1))
                let sums: [[UInt32]] = Self.rows(
                    content, 1, of: 4 * (width + 2 * radius), limit: limit, using: &generator)
                Self.withAddresses(sums, offset: 4 * radius) { rows in
                    let result: [UInt8] = Self.output(width * 4, comment) { result in
                        withUnsafePointer(to: box) { kernels.box_row(result, rows[0], width, $0) }
                    }
                    #expect(result == ScalarKernels.boxRow(sums[0], radius: radius), "\(comment)")
                }
            }
            let rows: [[UInt8]] = Self.rows(0, 2, of: width * 4, limit: 255, using: &generator)
            let before = (0..<(width * 4)).map { 255 + UInt32($0) }
            Self.withAddresses(rows) { rows in
                let moved: [UInt32] = Self.output(width * 4, "sums") {
                    $0.update(from: before, count: width * 4)
                    kernels.move_sums($0, rows[0], rows[1], width * 4)
                }
                for x in moved.indices {
                    #expect(Int(moved[x]) == Int(before[x]) + Int(rows[0][x]) - Int(rows[1][x]))
                }
            }
        }
    }

    @Test(arguments: Level.all) func mediansEqualTheScalarForm(level: Level) throws {
        let kernels = try level.kernels()
        var generator = SeededGenerator(seed: 85)
        for width in Self.widths + [300] {
            for size in [3, 5, 7, 9, 15] {
                for content in 0...2 {
                    let comment = "\(level.testDescription), width \(width), size \(size), content \(content)"
                    let (count, margin) = (width * 4, size / 2 * 4)
                    var rows: [[UInt8]] = Self.rows(
                        content, size, of: count + 2 * margin, limit: 255, using: &generator)
                    // Few values, so that many samples are equal.
                    if content == 0, width % 2 == 1 { rows = rows.map { $0.map { $0 / 90 } } }
                    let padding = [UInt8](repeating: 200, count: Int(texel_median_padding))
                    Self.withAddresses(rows.map { $0 + padding }, offset: margin) { addresses in
                        let result: [UInt8] = Self.output(count, comment) {
                            switch size {
                            case 3: kernels.median_3_row($0, addresses, count)
                            case 5: kernels.median_5_row($0, addresses, count)
                            default: kernels.median_row($0, addresses, count, size)
                            }
                        }
                        #expect(result == ScalarKernels.median(rows), "\(comment)")
                    }
                }
            }
        }
    }

    /// Zeros and ones are enough: a network of minima and maxima that is right for them is right for all values.
    @Test(arguments: Level.all) func networksFindTheMedianOfZerosAndOnes(level: Level) throws {
        let kernels = try level.kernels()
        for size in [3, 5] {
            // Columns of 3 or 5 bits; sorting makes all columns with as many ones equal.
            let base = size + 1
            let patterns = (0..<size).reduce(1) { product, _ in product * base }
            for pattern in 0..<patterns {
                var (rest, ones) = (pattern, [Int]())
                for _ in 0..<size {
                    ones.append(rest % base)
                    rest /= base
                }
                let rows = (0..<size).map { row in
                    ones.flatMap { [UInt8](repeating: row < $0 ? 1 : 0, count: 4) }
                        + [UInt8](repeating: 0, count: Int(texel_median_padding))
                }
                Self.withAddresses(rows, offset: size / 2 * 4) { addresses in
                    let result: [UInt8] = Self.output(4, "zeros and ones") {
                        size == 3 ? kernels.median_3_row($0, addresses, 4) : kernels.median_5_row($0, addresses, 4)
                    }
                    let expected: UInt8 = ones.reduce(0, +) > size * size / 2 ? 1 : 0
                    #expect(result == [expected, expected, expected, expected], "\(size), \(ones)")
                }
            }
        }
    }
}
