import TestSupport
import Testing
import TexelCore
import TexelPixels

@Suite struct BGRAToYUVTests {
    /// The formats that can be written.
    static let formats = YUVFormat.all.filter { $0.bitDepth == 8 }

    @Test(arguments: formats) func equalsItsTwin(format: YUVFormat) throws {
        var generator = SeededGenerator(seed: 81)
        let color = YUVColor(.bt709, .limited)
        for (width, height) in YUVToBGRATests.sizes {
            let size = PixelSize(width: width, height: height)
            let pixels = SampleContent.random.bytes(width * height * 4, using: &generator)
            let converter = try BGRAToYUV(format, color, size: size)
            let expected = try expectedPlanes(of: pixels, format, color, size)
            for bandRows in [height, 1, 2, 3, 5] {
                let result = try converter.planes(of: pixels, bandRows: bandRows)
                #expect(result == expected, "\(format), \(size), bands of \(bandRows)")
            }
        }
    }

    /// The planes of an image, computed by the scalar references.
    private func expectedPlanes(
        of pixels: [UInt8], _ format: YUVFormat, _ color: YUVColor, _ size: PixelSize
    ) throws -> [UInt8] {
        let factors = RGBFactors(color)
        let rows = (0..<size.height).map { Array(pixels[($0 * size.width * 4)...].prefix(size.width * 4)) }
        var result = rows.flatMap { ScalarYUV.luma(bgra: $0, factors: factors) }
        guard format.sampling != .none else { return result }
        var planes: [[[UInt8]]] = []
        for channels in [factors.u, factors.v] {
            var plane = rows.map { ScalarYUV.chroma(bgra: $0, factors: channels) }
            if format.sampling.pixelsPerSample.x == 2 { plane = plane.map(ScalarYUV.halveChroma) }
            if format.sampling.pixelsPerSample.y == 2 {
                plane = stride(from: 0, to: size.height, by: 2).map { y in
                    ScalarYUV.halveChromaRows((y - 3...y + 4).map { plane[min(max($0, 0), size.height - 1)] })
                }
            }
            planes.append(plane.map(ScalarYUV.narrowChroma))
        }
        if format.isInterleaved {
            for (u, v) in zip(planes[0], planes[1]) { result += zip(u, v).flatMap { [$0, $1] } }
        } else {
            result += planes[0].joined() + Array(planes[1].joined())
        }
        return result
    }

    @Test func rowsOfABand() throws {
        let size = PixelSize(width: 8, height: 17)
        let converter = try BGRAToYUV(.i420, YUVColor(.bt601, .limited), size: size)
        #expect(converter.chromaRows(writtenBy: 0..<17) == 0..<9)
        #expect(converter.pixelRows(for: 0..<17) == 0..<17)
        #expect(converter.chromaRows(writtenBy: 7..<9) == 4..<5)
        #expect(converter.pixelRows(for: 7..<9) == 5..<13)
        #expect(converter.chromaRows(writtenBy: 7..<8).isEmpty)
        #expect(converter.pixelRows(for: 7..<8) == 7..<8)
        #expect(converter.pixelRows(for: 16..<17) == 13..<17)
    }

    @Test(arguments: YUVColor.all) func grayHasNoColor(color: YUVColor) throws {
        let size = PixelSize(width: 7, height: 5)
        for format in Self.formats {
            for level in stride(from: 0, through: 255, by: 5) {
                let byte = UInt8(level)
                let pixels = (0..<35).flatMap { [byte, byte, byte, UInt8($0)] }
                let planes = try BGRAToYUV(format, color, size: size).planes(of: pixels, bandRows: 5)
                let light = color.range == .full ? Double(level) : 16 + Double(level) * 219 / 255
                #expect(planes[..<35].allSatisfy { abs(Double($0) - light) <= 0.51 }, "\(format), \(level)")
                #expect(planes[35...].allSatisfy { $0 == 128 }, "\(format), \(level)")
            }
        }
    }

    /// To YUV with full chroma resolution and back: only the rounding to bytes is lost.
    @Test(arguments: YUVColor.all) func pixelsSurviveFullSampling(color: YUVColor) throws {
        var generator = SeededGenerator(seed: 82)
        let size = PixelSize(width: 61, height: 40)
        var pixels = SampleContent.random.bytes(61 * 40 * 4, using: &generator)
        for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
        let format = YUVFormat(.yuv444)
        let planes = try BGRAToYUV(format, color, size: size).planes(of: pixels, bandRows: 40)
        let back = try YUVImage(format, color, size: size, bytes: planes).convertedBGRA()
        let largest = zip(pixels, back).map { abs(Int($0) - Int($1)) }.max()
        #expect(try #require(largest) <= 2, "\(color)")
    }

    /// The 75 % colour bars have the values of the broadcasters' tables.
    @Test func colorBarsHaveTheBroadcastValues() throws {
        let bars: [(matrix: YUVMatrix, bgra: [UInt8], yuv: [UInt8])] = [
            (.bt601, [0, 191, 191, 255], [162, 44, 142]), (.bt601, [191, 191, 0, 255], [131, 156, 44]),
            (.bt601, [0, 191, 0, 255], [112, 72, 58]), (.bt601, [191, 0, 191, 255], [84, 184, 198]),
            (.bt601, [0, 0, 191, 255], [65, 100, 212]), (.bt601, [191, 0, 0, 255], [35, 212, 114]),
            (.bt709, [0, 191, 191, 255], [168, 44, 136]), (.bt709, [191, 191, 0, 255], [145, 147, 44]),
            (.bt709, [0, 191, 0, 255], [133, 63, 52]), (.bt709, [191, 0, 191, 255], [63, 193, 204]),
            (.bt709, [0, 0, 191, 255], [51, 109, 212]), (.bt709, [191, 0, 0, 255], [28, 212, 120]),
        ]
        for bar in bars {
            let converter = try BGRAToYUV(
                .i420, YUVColor(bar.matrix, .limited), size: PixelSize(width: 2, height: 2))
            let planes = try converter.planes(of: (0..<4).flatMap { _ in bar.bgra }, bandRows: 2)
            let differences = zip([planes[0], planes[4], planes[5]], bar.yuv).map { abs(Int($0) - Int($1)) }
            // 75 % of 255 is not a whole number.
            #expect(differences.allSatisfy { $0 <= 1 }, "\(bar): \(planes)")
        }
    }

    @Test func sizesThatCannotBe() {
        for size in [(0, 4), (4, -1), (.max, .max), (.max / 100, 1)].map({ PixelSize(width: $0, height: $1) }) {
            #expect(throws: TexelError.invalidSize(size)) {
                try BGRAToYUV(.i420, YUVColor(.bt601, .limited), size: size)
            }
        }
    }
}

extension BGRAToYUV {
    /// Converts an image in bands of `bandRows` rows, each from no more rows than it needs.
    func planes(of pixels: [UInt8], bandRows: Int) throws -> [UInt8] {
        var result = [UInt8](repeating: 0xA5, count: try format.byteCount(of: size))
        try result.withUnsafeMutableBytes { bytes in
            let rows = MutableYUVRows(base: try #require(bytes.baseAddress), format, size: size)
            for first in stride(from: 0, to: size.height, by: bandRows) {
                let band = first..<min(first + bandRows, size.height)
                let needed = pixelRows(for: band)
                let source = Array(pixels[(needed.lowerBound * size.width * 4)..<(needed.upperBound * size.width * 4)])
                try source.withUnsafeBytes {
                    convert(
                        band, from: try #require($0.baseAddress), bytesPerRow: size.width * 4,
                        firstRow: needed.lowerBound, to: rows)
                }
            }
        }
        return result
    }
}
