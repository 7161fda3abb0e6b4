import TestSupport
import Testing
import TexelCore
import TexelPixels

@Suite struct YUVToBGRATests {
    static let sizes = [(1, 1), (2, 1), (1, 2), (3, 2), (2, 3), (5, 7), (64, 6), (67, 9), (130, 17)]

    @Test(arguments: YUVFormat.all + YUVFormat.allWithAlpha) func equalsItsTwin(format: YUVFormat) throws {
        var generator = SeededGenerator(seed: 51)
        let colors = [
            YUVColor(.bt709, .limited), YUVColor(.ycgco, .full),
            YUVColor(.bt2020, .limited, codePoints: CICP(primaries: 9, transfer: 16)),
            YUVColor(.ycgco, .limited, codePoints: CICP(primaries: 12, transfer: 13)),
        ]
        for ((width, height), color) in Self.sizes.flatMap({ size in colors.map { (size, $0) } }) {
            let size = PixelSize(width: width, height: height)
            let image = try YUVImage(random: format, color, size: size, using: &generator)
            let expected = try image.expectedBGRA()
            let converter = try YUVToBGRA(format, image.color, size: size)
            for bandRows in [height, 1, 2, 3, 5] {
                let result = try image.convertedBGRA(bandRows: bandRows, converter: converter)
                #expect(result == expected, "\(format), \(size), bands of \(bandRows)")
            }
            var result = [UInt8](repeating: 0, count: expected.count)
            try image.bytes.withUnsafeBytes { source in
                try result.withUnsafeMutableBytes { destination in
                    converter.convert(
                        0..<height, from: YUVRows(base: try #require(source.baseAddress), format, size: size),
                        to: try #require(destination.baseAddress), bytesPerRow: width * 4)
                }
            }
            #expect(result == expected, "\(format), \(size), whole")
        }
    }

    @Test func chromaRowsOfABand() {
        let format = YUVFormat(.yuv420)
        let size = PixelSize(width: 8, height: 17)
        #expect(format.chromaRows(for: 0..<17, of: size) == 0..<9)
        #expect(format.chromaRows(for: 0..<1, of: size) == 0..<2)
        #expect(format.chromaRows(for: 8..<10, of: size) == 2..<7)
        #expect(format.chromaRows(for: 16..<17, of: size) == 6..<9)
        #expect(format.chromaRows(for: 4..<4, of: size).isEmpty)
        #expect(YUVFormat(.yuv422).chromaRows(for: 3..<5, of: size) == 3..<5)
        #expect(YUVFormat(.none).chromaRows(for: 3..<5, of: size).isEmpty)
    }

    @Test(arguments: YUVColor.all) func grayStaysGray(color: YUVColor) throws {
        for format in YUVFormat.all {
            let (levels, neutral) = format.bitDepth == 8 ? (256, 128) : (1024, 512)
            for level in stride(from: 0, to: levels, by: 3) {
                let image = try YUVImage(format, color, size: PixelSize(width: 5, height: 3)) { plane, _, _ in
                    plane == 0 ? level : neutral
                }
                let pixels = try image.convertedBGRA()
                let full = Double(level) * 255 / Double(levels - 1)
                let limited = (Double(level) * 256 / Double(levels) - 16) * 255 / 219
                let exact = max(0, min(255, color.range == .full ? full : limited))
                let expected = pixels[0]
                #expect(abs(Double(expected) - exact) <= 0.55, "\(format), \(level)")
                #expect(pixels == (0..<15).flatMap { _ in [expected, expected, expected, 255] }, "\(format), \(level)")
            }
        }
    }

    /// An image of one colour is converted by the recommendations' formulas, rounded.
    @Test(arguments: YUVColor.all) func agreesWithTheFormulas(color: YUVColor) throws {
        var generator = SeededGenerator(seed: 52)
        for format in YUVFormat.all where format.sampling != .none {
            let top = format.bitDepth == 8 ? 255 : 1023
            for _ in 0..<100 {
                let samples = (0..<3).map { _ in Int.random(in: 0...top, using: &generator) }
                let (red, green, blue) = YUVFormulas.rgb(samples, bitDepth: format.bitDepth, color)
                let image = try YUVImage(format, color, size: PixelSize(width: 3, height: 3)) { plane, _, _ in
                    samples[plane]
                }
                let pixels = try image.convertedBGRA()
                for (channel, value) in [blue, green, red].enumerated() {
                    // The factors and the filters may be off by a tenth of a step.
                    let exact = max(0, min(255, value * 255))
                    #expect(abs(Double(pixels[16 + channel]) - exact) <= 0.6, "\(format), \(samples)")
                }
            }
        }
    }

    /// The primaries in the samples that H.273's equations give.
    @Test func greenAndOrangeDifferences() throws {
        let solids: [(range: YUVRange, samples: [Int], bgra: [UInt8])] = [
            (.full, [64, 64, 255], [0, 0, 255, 255]), (.full, [128, 255, 128], [0, 255, 0, 255]),
            (.full, [64, 64, 0], [255, 0, 0, 255]), (.limited, [71, 73, 238], [0, 0, 255, 255]),
            (.limited, [126, 238, 128], [0, 255, 0, 255]), (.limited, [71, 73, 18], [255, 0, 0, 255]),
        ]
        for solid in solids {
            for sampling in [ChromaSampling.yuv420, .yuv422, .yuv444] {
                let image = try YUVImage(
                    YUVFormat(sampling), YUVColor(.ycgco, solid.range), size: PixelSize(width: 6, height: 4)
                ) { plane, _, _ in solid.samples[plane] }
                let differences = zip(try image.convertedBGRA().prefix(4), solid.bgra).map { abs(Int($0) - Int($1)) }
                // The samples are rounded, and half a step of each counts.
                #expect(differences.allSatisfy { $0 <= 2 }, "\(solid), \(sampling)")
            }
        }
    }

    /// Every sample of alpha gives the nearest byte, in pixels whose colours do not change.
    @Test(arguments: [8, 10]) func alphaIsRounded(bitDepth: Int) throws {
        let top = 1 << bitDepth - 1
        for sampling in ChromaSampling.allCases {
            var format = YUVFormat(sampling, bitDepth: bitDepth)
            let size = PixelSize(width: top + 1, height: 3)
            func image() throws -> YUVImage {
                try YUVImage(format, YUVColor(.bt601, .full), size: size) { plane, x, y in
                    plane == 3 ? (y == 1 ? top - x : x) : x * (plane + 1) % (top + 1)
                }
            }
            let opaque = try image().convertedBGRA()
            format.hasAlpha = true
            let pixels = try image().convertedBGRA(bandRows: 2)
            for index in pixels.indices {
                let (x, y) = (index / 4 % size.width, index / 4 / size.width)
                let alpha = (Double(y == 1 ? top - x : x) * 255 / Double(top)).rounded()
                #expect(pixels[index] == (index % 4 == 3 ? UInt8(alpha) : opaque[index]))
            }
        }
    }

    /// Rows of a format with alpha for which no plane is given are opaque.
    @Test func missingAlphaIsOpaque() throws {
        let size = PixelSize(width: 5, height: 2)
        let converter = try YUVToBGRA(
            YUVFormat(.none, hasAlpha: true), YUVColor(.bt601, .full), size: size)
        var result = [UInt8](repeating: 0, count: 40)
        try [UInt8](repeating: 77, count: 10).withUnsafeBytes { source in
            try result.withUnsafeMutableBytes { destination in
                converter.convert(
                    0..<2, from: YUVRows(y: try #require(source.baseAddress), yBytesPerRow: 5),
                    to: try #require(destination.baseAddress), bytesPerRow: 20)
            }
        }
        #expect(result == (0..<10).flatMap { _ in [77, 77, 77, 255] })
    }

    /// The 75 % colour bars have the values of the broadcasters' tables.
    @Test func colorBarsHaveTheBroadcastValues() throws {
        let bars: [(matrix: YUVMatrix, yuv: [Int], bgra: [UInt8])] = [
            (.bt601, [180, 128, 128], [191, 191, 191, 255]), (.bt601, [162, 44, 142], [0, 191, 191, 255]),
            (.bt601, [131, 156, 44], [191, 191, 0, 255]), (.bt601, [112, 72, 58], [0, 191, 0, 255]),
            (.bt601, [84, 184, 198], [191, 0, 191, 255]), (.bt601, [65, 100, 212], [0, 0, 191, 255]),
            (.bt601, [35, 212, 114], [191, 0, 0, 255]), (.bt709, [180, 128, 128], [191, 191, 191, 255]),
            (.bt709, [168, 44, 136], [0, 191, 191, 255]), (.bt709, [145, 147, 44], [191, 191, 0, 255]),
            (.bt709, [133, 63, 52], [0, 191, 0, 255]), (.bt709, [63, 193, 204], [191, 0, 191, 255]),
            (.bt709, [51, 109, 212], [0, 0, 191, 255]), (.bt709, [28, 212, 120], [191, 0, 0, 255]),
        ]
        for bar in bars {
            for sampling in [ChromaSampling.yuv420, .yuv422, .yuv444] {
                let image = try YUVImage(
                    YUVFormat(sampling), YUVColor(bar.matrix, .limited), size: PixelSize(width: 6, height: 4)
                ) { plane, _, _ in bar.yuv[plane] }
                let pixel = try image.convertedBGRA().prefix(4)
                // The values of the tables are rounded themselves.
                let differences = zip(pixel, bar.bgra).map { abs(Int($0) - Int($1)) }
                #expect(differences.allSatisfy { $0 <= 1 }, "\(bar), \(sampling): \(pixel)")
            }
        }
    }

    @Test func fullRangeBrightnessIsTheByteItself() throws {
        let image = try YUVImage(
            YUVFormat(.none), YUVColor(.bt601, .full), size: PixelSize(width: 256, height: 1), bytes: Array(0...255))
        #expect(try image.convertedBGRA() == (UInt8.min...UInt8.max).flatMap { [$0, $0, $0, 255] })
    }

    @Test func sizesThatCannotBe() {
        for size in [(0, 4), (4, -1), (.max, .max), (.max / 100, 1)].map({ PixelSize(width: $0, height: $1) }) {
            for format in YUVFormat.all {
                #expect(throws: TexelError.invalidSize(size)) {
                    try YUVToBGRA(format, YUVColor(.bt601, .limited), size: size)
                }
            }
        }
    }
}
