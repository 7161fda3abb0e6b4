import TestSupport
import Testing
import TexelCore
import TexelPixels

@Suite struct ResizeTests {
    static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 2, height: 3), PixelSize(width: 7, height: 5),
        PixelSize(width: 33, height: 31), PixelSize(width: 64, height: 100),
    ]

    @Test(arguments: ResamplingFilter.allCases) func sameSizeIsTheSameImage(filter: ResamplingFilter) throws {
        for alphaMode in [AlphaMode.opaque, .straight, .premultiplied] {
            let image = try PixelBuffer.random(width: 13, height: 9, alphaMode: alphaMode)
            for linear in [false, true] {
                #expect(try image.resized(to: image.size, filter: filter, linearLight: linear) == image)
                // The resampler must give the same result, not only the shortcut before it.
                let whole = FractionalRectangle(covering: image.size)
                let filtered = try image.resized(from: whole, to: image.size, filter: filter, linearLight: linear)
                #expect(filtered == image, "\(filter), \(alphaMode)")
            }
        }
    }

    @Test(arguments: ResamplingFilter.allCases, [false, true])
    func constantStaysConstant(filter: ResamplingFilter, linear: Bool) throws {
        for source in Self.sizes {
            for target in Self.sizes {
                let pixel: UInt32 = 0xFF01_80FE
                let image = try PixelBuffer(
                    width: source.width, height: source.height, filledWith: pixel, alphaMode: .opaque)
                let result = try image.resized(to: target, filter: filter, linearLight: linear)
                #expect(result.size == target)
                #expect(result.pixels.allSatisfy { $0 == pixel }, "\(filter) \(source) to \(target)")
            }
        }
    }

    @Test(arguments: ResamplingFilter.allCases, [false, true])
    func translucentConstantStaysConstant(filter: ResamplingFilter, linear: Bool) throws {
        let image = try PixelBuffer(width: 17, height: 11, filledWith: 0x80FF_FF00)
        for target in Self.sizes {
            let result = try image.resized(to: target, filter: filter, linearLight: linear)
            #expect(result.pixels.allSatisfy { $0 == 0x80FF_FF00 }, "\(filter) to \(target)")
        }
    }

    @Test func boxKeepsTheMean() throws {
        let image = try PixelBuffer.random(width: 96, height: 60, seed: 5)
        for (width, height) in [(48, 30), (7, 5), (1, 1)] {
            let target = PixelSize(width: width, height: height)
            let result = try image.resized(to: target, filter: .box)
            for shift in [UInt32(0), 8, 16] {
                #expect(abs(result.mean(ofChannelAt: shift) - image.mean(ofChannelAt: shift)) < 1, "\(target)")
            }
        }
    }

    @Test(arguments: ResamplingFilter.allCases, [false, true])
    func rowsMayBeTakenLateOrEarly(filter: ResamplingFilter, linear: Bool) throws {
        let image = try PixelBuffer.random(width: 23, height: 37, alphaMode: .straight, seed: 9)
        for target in [PixelSize(width: 11, height: 8), PixelSize(width: 50, height: 91)] {
            let expected = try image.resized(to: target, filter: filter, linearLight: linear)
            let resampler = try RowResampler(
                source: image.size, target: target, filter: filter, linearLight: linear, alphaMode: .straight)
            var result: [UInt32] = []
            var row = [UInt32](repeating: 0, count: target.width)
            let source = image.pixels
            for y in 0..<image.height {
                let begin = y * image.width
                let pushed = Array(source[begin..<(begin + image.width)])
                // Rows that are not needed may hold anything.
                let garbage = [UInt32](repeating: 0xDEAD_BEEF, count: image.width)
                (resampler.neededRows.contains(y) ? pushed : garbage).withUnsafeBytes { bytes in
                    if let base = bytes.baseAddress { resampler.push(row: base) }
                }
                while row.withUnsafeMutableBytes({ $0.baseAddress.map(resampler.takeRow(into:)) ?? false }) {
                    result += row
                }
            }
            #expect(resampler.isFinished)
            #expect(result == expected.pixels, "\(filter) to \(target)")
        }
    }

    @Test(arguments: ResamplingFilter.allCases.filter { $0 != .nearest })
    func planesAreFilteredLikeTheChannelsOfPixels(filter: ResamplingFilter) throws {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<20 {
            let size = PixelSize(
                width: Int.random(in: 1...90, using: &generator), height: Int.random(in: 1...120, using: &generator))
            let target = PixelSize(
                width: Int.random(in: 1...70, using: &generator), height: Int.random(in: 1...90, using: &generator))
            let samples = (0..<(size.width * size.height)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let gray = try PixelBuffer.make(width: size.width, height: size.height, alphaMode: .opaque) { x, y in
                0xFF00_0000 | UInt32(samples[y * size.width + x]) * 0x01_0101
            }
            let pixels = try RowResampler(
                source: size, target: target, filter: filter, alphaMode: .opaque, order: .verticalFirst)
            let plane = try RowResampler(
                plane: size, region: FractionalRectangle(covering: size), target: target, filter: filter)
            let expected = Self.rows(0..<target.height, of: pixels, gray.pixels, width: size.width)
            let whole = Self.rows(0..<target.height, of: plane, samples, width: size.width)
            #expect(whole == expected.map { UInt8(truncatingIfNeeded: $0) }, "\(size) to \(target)")
            // Any rows, in any order, are those of the whole.
            for _ in 0..<5 {
                let first = Int.random(in: 0..<target.height, using: &generator)
                let rows = first..<Int.random(in: (first + 1)...target.height, using: &generator)
                let part = (rows.lowerBound * target.width)..<(rows.upperBound * target.width)
                #expect(Self.rows(rows, of: plane, samples, width: size.width) == Array(whole[part]))
                #expect(Self.rows(rows, of: pixels, gray.pixels, width: size.width) == Array(expected[part]))
            }
        }
    }

    /// Without the filters whose windows have sharp ends: which of two samples at the same distance counts there
    /// depends on how the distance is rounded.
    @Test(arguments: ResamplingFilter.allCases.filter { ![.nearest, .box].contains($0) })
    func planesOfWordsAreFilteredInBothDirections(filter: ResamplingFilter) throws {
        var generator = SeededGenerator(seed: 22)
        for _ in 0..<30 {
            let size = PixelSize(
                width: Int.random(in: 1...90, using: &generator), height: Int.random(in: 1...120, using: &generator))
            let target = PixelSize(
                width: Int.random(in: 1...70, using: &generator), height: Int.random(in: 1...90, using: &generator))
            // Some are above the limit, and count as the limit.
            let samples = (0..<(size.width * size.height)).map { _ in UInt16.random(in: 0...1200, using: &generator) }
            let plane = try RowResampler(
                plane: size, region: FractionalRectangle(covering: size), target: target, filter: filter,
                bytesPerSample: 2)
            let whole = Self.rows(0..<target.height, of: plane, samples, width: size.width)
            let expected = try Self.filtered(samples.map { min(1023, Double($0)) }, size, to: target, filter)
            // Each pass rounds, and weights have fifteen bits.
            let difference = zip(whole, expected).map { abs(Double($0) - $1) }.max() ?? 0
            #expect(difference <= 1.5, "\(size) to \(target)")
            let first = Int.random(in: 0..<target.height, using: &generator)
            let rows = first..<Int.random(in: (first + 1)...target.height, using: &generator)
            let part = (rows.lowerBound * target.width)..<(rows.upperBound * target.width)
            #expect(Self.rows(rows, of: plane, samples, width: size.width) == Array(whole[part]))
        }
    }

    /// Filters in double precision, first vertically; both results are limited from below like samples.
    private static func filtered(
        _ samples: [Double], _ size: PixelSize, to target: PixelSize, _ filter: ResamplingFilter
    ) throws -> [Double] {
        func windows(_ length: Int, _ outputLength: Int) -> [[(sample: Int, weight: Double)]] {
            let scale = Double(length) / Double(outputLength)
            let stretch = max(1, scale)
            // Rows and columns that keep their places are not filtered.
            if scale == 1 { return (0..<length).map { [($0, 1)] } }
            return (0..<outputLength).map { index in
                let center = (Double(index) + 0.5) * scale
                let found = (0..<length).map { ($0, filter.weight(at: (Double($0) + 0.5 - center) / stretch)) }
                let sum = found.reduce(0) { $0 + $1.1 }
                return found.filter { $0.1 != 0 }.map { ($0.0, $0.1 / sum) }
            }
        }
        let down = windows(size.height, target.height), across = windows(size.width, target.width)
        let middle = down.map { window in
            (0..<size.width).map { x in
                max(0, window.reduce(0) { $0 + samples[$1.sample * size.width + x] * $1.weight })
            }
        }
        return middle.flatMap { row in across.map { max(0, $0.reduce(0) { $0 + row[$1.sample] * $1.weight }) } }
    }

    /// Rows of the target; pushes no more source rows than are needed for them.
    private static func rows<Sample: FixedWidthInteger>(
        _ rows: Range<Int>, of resampler: RowResampler, _ source: [Sample], width: Int
    ) -> [Sample] {
        resampler.restart(rows: rows)
        var row = [Sample](repeating: 0, count: resampler.target.width)
        var result: [Sample] = []
        while !resampler.isFinished {
            if row.withUnsafeMutableBytes({ $0.baseAddress.map(resampler.takeRow(into:)) ?? false }) {
                result += row
            } else {
                let begin = resampler.pushedRowCount * width
                source[begin..<(begin + width)].withUnsafeBytes { bytes in
                    if let base = bytes.baseAddress { resampler.push(row: base) }
                }
            }
        }
        return result
    }

    @Test(arguments: ResamplingFilter.allCases, [false, true])
    func extremeSizesNeitherTrapNorOverflow(filter: ResamplingFilter, linear: Bool) throws {
        let dot = try PixelBuffer(width: 1, height: 1, filledWith: 0xFFFF_FFFF, alphaMode: .opaque)
        let wide = try dot.resized(to: PixelSize(width: 65535, height: 2), filter: filter, linearLight: linear)
        #expect(wide.pixels.allSatisfy { $0 == 0xFFFF_FFFF })
        let tall = try dot.resized(to: PixelSize(width: 2, height: 65535), filter: filter, linearLight: linear)
        let one = PixelSize(width: 1, height: 1)
        #expect(try wide.resized(to: one, filter: filter, linearLight: linear).pixels == [0xFFFF_FFFF])
        #expect(try tall.resized(to: one, filter: filter, linearLight: linear).pixels == [0xFFFF_FFFF])
    }

    @Test(arguments: ResamplingFilter.allCases.filter { $0 != .nearest }, [false, true])
    func transparentPixelsLendNoColor(filter: ResamplingFilter, linear: Bool) throws {
        // White shapes beside transparent black: averaging straight pixels would turn the edge grey.
        let image = try PixelBuffer.make(width: 40, height: 30, alphaMode: .straight) { x, y in
            (x / 5 + y / 7) % 2 == 0 ? 0xFFFF_FFFF : 0x0000_0000
        }
        for target in [PixelSize(width: 17, height: 13), PixelSize(width: 61, height: 77)] {
            let result = try image.resized(to: target, filter: filter, linearLight: linear)
            #expect(result.alphaMode == .straight)
            for pixel in result.pixels where pixel >> 24 > 0 {
                #expect(pixel & 0xFF_FFFF == 0xFF_FFFF, "\(filter): \(String(pixel, radix: 16))")
            }
        }
    }

    @Test func premultipliedResultsStayPremultiplied() throws {
        let image = try PixelBuffer.random(width: 40, height: 30, alphaMode: .premultiplied, seed: 3)
        for linear in [false, true] {
            let result = try image.resized(to: PixelSize(width: 57, height: 71), linearLight: linear)
            #expect(result.alphaMode == .premultiplied)
            for pixel in result.pixels {
                let alpha = pixel >> 24
                let color = max(pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
                #expect(color <= alpha)
            }
        }
    }

    @Test func linearLightKeepsTheBrightnessOfACheckerboard() throws {
        let board = try PixelBuffer.make(width: 64, height: 48) { x, y in (x + y) % 2 == 0 ? 0xFFFF_FFFF : 0xFF00_0000 }
        let half = PixelSize(width: 32, height: 24)
        let linear = try board.resized(to: half, filter: .box, linearLight: true)
        #expect(linear.pixels.allSatisfy { $0 == 0xFFBC_BCBC })
        let bytes = try board.resized(to: half, filter: .box)
        #expect(bytes.pixels.allSatisfy { $0 == 0xFF80_8080 })
        for filter in [ResamplingFilter.bilinear, .catmullRom, .mitchell, .lanczos3] {
            let inner = try board.resized(to: half, filter: filter, linearLight: true)
                .cropped(to: PixelRectangle(x: 4, y: 4, width: 24, height: 16))
            expectPixelsEqual(
                inner, try PixelBuffer(width: 24, height: 16, filledWith: 0xFFBC_BCBC, alphaMode: .opaque),
                tolerance: 1, "\(filter)")
        }
    }

    @Test func nearestTakesThePixelUnderTheCentre() throws {
        let image = try PixelBuffer.random(width: 10, height: 6, alphaMode: .straight, seed: 8)
        let result = try image.resized(to: PixelSize(width: 4, height: 9), filter: .nearest)
        for y in 0..<9 {
            // For a centre between two rows ((2 y + 1) / 3 is a whole number) either row is right.
            let rows = [(2 * y + 1) * 6 / 18, ((2 * y + 1) * 6 - 1) / 18]
            for x in 0..<4 {
                let under = rows.map { image[(2 * x + 1) * 10 / 8, $0] }
                #expect(under.contains(result[x, y]))
            }
        }
    }

    @Test func wholeRegionsAreCropsAndFractionsAreBetween() throws {
        let image = try PixelBuffer.random(width: 20, height: 15, seed: 4)
        let crop = try image.cropped(to: PixelRectangle(x: 3, y: 2, width: 11, height: 9))
        let same = try image.resized(
            from: FractionalRectangle(x: 3, y: 2, width: 11, height: 9), to: crop.size, filter: .mitchell)
        #expect(same == crop)

        let ramp = try PixelBuffer.make(width: 16, height: 1) { x, _ in 0xFF00_0000 | UInt32(x * 10) }
        let shifted = try ramp.resized(
            from: FractionalRectangle(x: 2.5, y: 0, width: 8, height: 1), to: PixelSize(width: 8, height: 1),
            filter: .bilinear)
        let between: [UInt32] = [25, 35, 45, 55, 65, 75, 85, 95]
        #expect(shifted.pixels.map { $0 & 255 } == between)
    }

    @Test func badSizesAndRegionsThrow() throws {
        let image = try PixelBuffer(width: 4, height: 4)
        #expect(throws: TexelError.invalidSize(PixelSize(width: 0, height: 3))) {
            try image.resized(to: PixelSize(width: 0, height: 3))
        }
        #expect(throws: TexelError.invalidSize(PixelSize(width: 3, height: -1))) {
            try image.resized(to: PixelSize(width: 3, height: -1))
        }
        #expect(throws: TexelError.resultTooLarge) {
            try image.resized(to: PixelSize(width: .max, height: 1))
        }
        for region in [
            FractionalRectangle(x: -0.5, y: 0, width: 2, height: 2),
            FractionalRectangle(x: 3, y: 0, width: 2, height: 2),
            FractionalRectangle(x: 0, y: 0, width: .nan, height: 2),
            FractionalRectangle(x: 0, y: 0, width: 1, height: 0),
            FractionalRectangle(x: 0, y: .infinity, width: 1, height: 1),
        ] {
            #expect(throws: TexelError.self) { try image.resized(from: region, to: image.size) }
        }
    }

    @Test func sharedRowsWithPaddingResizeLikeTheirCopy() throws {
        let image = try PixelBuffer.random(width: 30, height: 20, seed: 6)
        let part = try image.cropped(to: PixelRectangle(x: 5, y: 4, width: 17, height: 13))
        let copy = try PixelBuffer(width: 17, height: 13, pixels: part.pixels, alphaMode: .opaque)
        let target = PixelSize(width: 9, height: 21)
        #expect(try part.resized(to: target) == copy.resized(to: target))
    }
}

@Suite struct FilterWeightsTests {
    @Test(arguments: ResamplingFilter.allCases, [255, 32767])
    func everyOutputSumsToOne(filter: ResamplingFilter, maximum: Int) throws {
        for (source, output) in [(1, 5), (2, 9), (5, 1), (100, 33), (33, 100), (4928, 852), (65535, 3), (3, 65535)] {
            for multiple in [1, 4] {
                let table = try FilterWeights(
                    sourceLength: source, interval: SourceInterval(start: 0, length: Double(source)),
                    outputLength: output, filter: filter, maximumSample: maximum, tapMultiple: multiple)
                #expect(table.starts.count == output)
                #expect(table.starts == table.starts.sorted())
                #expect(table.neededSamples.lowerBound >= 0 && table.neededSamples.upperBound <= source)
                if table.isSelection { continue }
                #expect(table.taps % multiple == 0)
                for index in 0..<output {
                    let weights = table.weights[(index * table.taps)..<((index + 1) * table.taps)].map(Int.init)
                    let magnitude = weights.reduce(0) { $0 + abs($1) }
                    let isRight =
                        weights.reduce(0, +) == 1 << table.shift
                        && magnitude * maximum + 1 << (table.shift - 1) <= Int(Int32.max)
                        && (Int(table.starts[index]) + table.taps <= source
                            || source < table.taps && table.starts[index] == 0)
                    #expect(isRight, "\(filter) \(source) to \(output), output \(index)")
                    if !isRight { return }
                }
            }
        }
    }

    /// However they are computed, the weights are the kernel's value at each sample, normalised, with the running sum
    /// rounded.
    @Test(arguments: ResamplingFilter.allCases.filter { $0 != .nearest }, [255, 32767])
    func weightsAreTheKernelsValues(filter: ResamplingFilter, maximum: Int) throws {
        let sides = [1, 2, 3, 5, 7, 16, 33, 100, 213, 567]
        for (source, output) in sides.flatMap({ source in sides.map { (source, $0) } }) + [(4928, 852), (30000, 7)] {
            let scale = Double(source) / Double(output)
            let table = try FilterWeights(
                sourceLength: source, interval: SourceInterval(start: 0, length: Double(source)), outputLength: output,
                filter: filter, maximumSample: maximum, tapMultiple: 1)
            if table.isSelection { continue }
            let stretch = max(1, scale)
            var expected: [Int16] = []
            for (index, start) in table.starts.enumerated() {
                let center = (Double(index) + 0.5) * scale
                let window = (Int(start)..<(Int(start) + table.taps)).map { sample in
                    // Outside the window samples do not count, whatever the kernel's rounded ends are.
                    abs(Double(sample) + 0.5 - center) > filter.support * stretch || sample >= source
                        ? 0 : filter.weight(at: (Double(sample) - center + 0.5) / stretch)
                }
                let total = window.reduce(0, +)
                var sum = 0.0
                var last = 0.0
                for value in window {
                    sum += value / total
                    let rounded = (sum * Double(1 << table.shift)).rounded()
                    expected.append(Int16(rounded - last))
                    last = rounded
                }
            }
            #expect(table.weights == expected, "\(filter) \(source) to \(output)")
        }
    }

    @Test func kernelsAreOneAtTheirCentreAndVanishAtTheirEnds() {
        for filter in ResamplingFilter.allCases where filter != .nearest && filter != .box {
            #expect(abs(filter.weight(at: 0) - (filter == .mitchell ? 8.0 / 9 : 1)) < 1e-12, "\(filter)")
            #expect(abs(filter.weight(at: filter.support)) < 1e-12, "\(filter)")
            #expect(abs(filter.weight(at: 0.3) - filter.weight(at: -0.3)) < 1e-12, "\(filter)")
        }
        #expect(ResamplingFilter.box.weight(at: 0.5) == 1 && ResamplingFilter.box.weight(at: -0.5) == 0)
        #expect(ResamplingFilter(rawValue: "catmull-rom") == .catmullRom)
    }
}
