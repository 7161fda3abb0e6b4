import TestSupport
import Testing
import TexelPixels

/// The planes of an image in one array, and their conversion by the scalar references.
struct YUVImage {
    let format: YUVFormat
    let color: YUVColor
    let size: PixelSize
    let bytes: [UInt8]

    init(_ format: YUVFormat, _ color: YUVColor, size: PixelSize, bytes: [UInt8]) throws {
        (self.format, self.color, self.size, self.bytes) = (format, color, size, bytes)
        try #require(try bytes.count == format.byteCount(of: size))
    }

    /// Creates an image from samples by plane, column and row. Interleaved U and V samples are requested as planes 1
    /// and 2, alpha as plane 3.
    init(
        _ format: YUVFormat, _ color: YUVColor, size: PixelSize, samples: (_ plane: Int, _ x: Int, _ y: Int) -> Int
    ) throws {
        var bytes: [UInt8] = []
        for plane in 0..<format.planeCount {
            let area = format.planeSize(plane, of: size)
            for y in 0..<area.height {
                for x in 0..<area.width {
                    let sample =
                        if plane == format.alphaPlane {
                            samples(3, x, y)
                        } else if plane > 0 && format.isInterleaved {
                            samples(1 + x % 2, x / 2, y)
                        } else {
                            samples(plane, x, y)
                        }
                    bytes.append(UInt8(sample & 255))
                    if format.bytesPerSample == 2 { bytes.append(UInt8(sample >> 8)) }
                }
            }
        }
        try self.init(format, color, size: size, bytes: bytes)
    }

    init(random format: YUVFormat, _ color: YUVColor, size: PixelSize, using generator: inout SeededGenerator) throws {
        let limit = format.bytesPerSample == 1 ? 255 : 1023
        var samples: [[Int]] = []
        for _ in 0..<4 {
            samples.append((0..<(size.width * size.height)).map { _ in Int.random(in: 0...limit, using: &generator) })
        }
        try self.init(format, color, size: size) { plane, x, y in samples[plane][y * size.width + x] }
    }

    /// Returns a row of a plane.
    private func row(_ plane: Int, _ index: Int) -> [UInt8] {
        let bytesPerRow = format.bytesPerRow(plane, of: size)
        return Array(bytes[(format.planeOffset(plane, of: size) + index * bytesPerRow)...].prefix(bytesPerRow))
    }

    private func rows(_ plane: Int, _ range: Range<Int>) -> [UInt8] {
        plane < format.planeCount ? range.flatMap { row(plane, $0) } : []
    }

    /// Returns a row of U and one of V as words, with as many columns as the image.
    private func chromaRow(_ index: Int) -> (u: [Int16], v: [Int16]) {
        var planes = (1..<(format.isInterleaved ? 2 : 3)).map {
            ScalarYUV.widenChroma(row($0, index), sampleBytes: format.bytesPerSample)
        }
        if format.isInterleaved { planes = [planes[0].every(2, from: 0), planes[0].every(2, from: 1)] }
        if color.matrix == .ycgco {
            let (u, v) = ScalarYUV.turnChroma(green: planes[0], orange: planes[1])
            planes = [u, v]
        }
        if format.sampling.pixelsPerSample.x == 2 {
            planes = planes.map { plane in
                let (even, odd) = ScalarYUV.doubleChroma(plane)
                return Array(zip(even, odd).flatMap { [$0, $1] }.prefix(size.width))
            }
        }
        return (planes[0], planes[1])
    }

    /// Converts the image with the scalar references, row by row.
    func expectedBGRA() throws -> [UInt8] {
        let factors = YUVFactors(format, color)
        let map = try YUVColorMap(format, color).map(ScalarColorMap.init)
        let chromaRows = format.sampling == .none ? 0 : format.sampling.chromaSize(of: size).height
        let rows = (0..<chromaRows).map(chromaRow)
        return (0..<size.height).flatMap { y in
            var chroma: (u: [Int16], v: [Int16]) = ([], [])
            if format.sampling == .yuv420 {
                // Row 2k is a quarter of a chroma row above chroma row k, row 2k + 1 a quarter below it.
                let nearest = y / 2
                let four = (0..<4).map { min(max(nearest - (y % 2 == 1 ? 1 : 2) + $0, 0), chromaRows - 1) }
                let u = ScalarYUV.blendChroma(four.map { rows[$0].u })
                let v = ScalarYUV.blendChroma(four.map { rows[$0].v })
                chroma = y % 2 == 1 ? (u.upper, v.upper) : (u.lower, v.lower)
            } else if chromaRows > 0 {
                chroma = rows[y]
            }
            let alpha = format.alphaPlane.map { row($0, y) }
            guard let map else {
                return ScalarYUV.bgra(
                    luma: row(0, y), sampleBytes: format.bytesPerSample, u: chroma.u, v: chroma.v, alpha: alpha,
                    factors: factors)
            }
            let pixels = map.bgra(luma: row(0, y), sampleBytes: format.bytesPerSample, u: chroma.u, v: chroma.v)
            guard let alpha else { return pixels }
            let bytes = ScalarYUV.alpha(alpha, sampleBytes: format.bytesPerSample)
            return pixels.indices.map { $0 % 4 == 3 ? bytes[$0 / 4] : pixels[$0] }
        }
    }

    /// Converts the image with the converter, in bands of `bandRows` rows.
    func convertedBGRA(bandRows: Int? = nil, converter: YUVToBGRA? = nil) throws -> [UInt8] {
        let converter = try converter ?? YUVToBGRA(format, color, size: size)
        let bandRows = bandRows ?? size.height
        var result = [UInt8](repeating: 0x5A, count: size.width * size.height * 4)
        try result.withUnsafeMutableBytes { result in
            let destination = try #require(result.baseAddress)
            for first in stride(from: 0, to: size.height, by: bandRows) {
                let band = first..<min(first + bandRows, size.height)
                // Only the rows that the band needs, each plane in its own memory.
                let chroma = converter.chromaRows(for: band)
                let planes = [rows(0, band)] + (1...2).map { rows($0, chroma) }
                let alpha = format.alphaPlane.map { rows($0, band) } ?? []
                let destination = destination + first * size.width * 4
                withPointers(to: planes + [alpha]) { pointers in
                    guard let luma = pointers[0] else { return }
                    converter.convert(
                        band,
                        from: YUVRows(
                            y: luma, yBytesPerRow: format.bytesPerRow(0, of: size), firstRow: first, u: pointers[1],
                            v: pointers[2], chromaBytesPerRow: format.bytesPerRow(1, of: size),
                            firstChromaRow: chroma.lowerBound, alpha: pointers[3],
                            alphaBytesPerRow: format.bytesPerRow(0, of: size)),
                        to: destination, bytesPerRow: size.width * 4)
                }
            }
        }
        return result
    }

    /// Calls `body` with pointers to arrays.
    private func withPointers(
        to arrays: [[UInt8]], _ body: ([UnsafeRawPointer?]) -> Void, _ pointers: [UnsafeRawPointer?] = []
    ) {
        guard pointers.count < arrays.count else { return body(pointers) }
        arrays[pointers.count].withUnsafeBytes { withPointers(to: arrays, body, pointers + [$0.baseAddress]) }
    }
}
