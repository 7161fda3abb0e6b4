import TestSupport
import Testing
import TexelPixels

@Suite struct YUVToBGRATests {
    static let sizes = [(1, 1), (2, 1), (1, 2), (3, 2), (2, 3), (5, 7), (64, 6), (67, 9), (130, 17)]

    @Test(arguments: YUVFormat.all) func equalsItsTwin(format: YUVFormat) throws {
        var generator = SeededGenerator(seed: 51)
        for (width, height) in Self.sizes {
            let size = PixelSize(width: width, height: height)
            let image = try YUVImage(random: format, YUVColor(.bt709, .limited), size: size, using: &generator)
            let expected = image.expectedBGRA()
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
        let (kr, kb) = color.matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
        for format in YUVFormat.all where format.sampling != .none {
            let steps = format.bitDepth == 8 ? 1.0 : 4.0
            let top = format.bitDepth == 8 ? 255.0 : 1023.0
            for _ in 0..<100 {
                let samples = (0..<3).map { _ in Int.random(in: 0...Int(top), using: &generator) }
                let (y, u, v) = (Double(samples[0]), Double(samples[1]), Double(samples[2]))
                let light = color.range == .full ? y / top : (y / steps - 16) / 219
                let scale = color.range == .full ? top : 224 * steps
                let red = light + (v - 128 * steps) / scale * 2 * (1 - kr)
                let blue = light + (u - 128 * steps) / scale * 2 * (1 - kb)
                let green = (light - kr * red - kb * blue) / (1 - kr - kb)
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

    /// The 75 % colour bars have the values of the broadcasters' tables.
    @Test func colorBars() throws {
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
                #expect(throws: PixelBufferError.invalidSize(size)) {
                    try YUVToBGRA(format, YUVColor(.bt601, .limited), size: size)
                }
            }
        }
    }
}
