// A release build of the whole package also compiles this target, without the Testing module.
#if canImport(Testing)
    import CTestSupport
    public import Testing
    public import TexelPixels

    extension PixelBuffer {
        /// Returns the opaque image whose pixels are the means of blocks of pixels, of fewer ones at the edges.
        public func blockMeans(_ divisor: Int) throws -> PixelBuffer {
            let size = PixelSize(
                width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
            return try .make(width: size.width, height: size.height) { x, y in
                [16, 8, 0].reduce(UInt32(0xFF00_0000)) { pixel, shift in
                    var (sum, count): (UInt32, UInt32) = (0, 0)
                    for v in y * divisor..<min(self.size.height, (y + 1) * divisor) {
                        for u in x * divisor..<min(self.size.width, (x + 1) * divisor) {
                            (sum, count) = (sum + self[u, v] >> UInt32(shift) & 255, count + 1)
                        }
                    }
                    return pixel | ((sum + count / 2) / count) << UInt32(shift)
                }
            }
        }

        /// Returns an image of random bytes. Opaque images have alpha 255; in premultiplied ones no colour exceeds its
        /// alpha.
        public static func random(
            width: Int, height: Int, alphaMode: AlphaMode = .opaque, seed: UInt64 = 1
        ) throws -> PixelBuffer {
            var generator = SeededGenerator(seed: seed)
            let pixels = (0..<(width * height)).map { _ -> UInt32 in
                let pixel = UInt32.random(in: 0 ... .max, using: &generator)
                return alphaMode == .opaque ? pixel | 0xFF00_0000 : pixel
            }
            let straight: AlphaMode = alphaMode == .opaque ? .opaque : .straight
            let image = try PixelBuffer(width: width, height: height, pixels: pixels, alphaMode: straight)
            return alphaMode == .premultiplied ? try image.premultiplied() : image
        }

        /// Returns the image whose pixel (x, y) is `pixel(x, y)` (0xAARRGGBB).
        public static func make(
            width: Int, height: Int, alphaMode: AlphaMode = .opaque, _ pixel: (_ x: Int, _ y: Int) -> UInt32
        ) throws -> PixelBuffer {
            let pixels = (0..<height).flatMap { y in (0..<width).map { x in pixel(x, y) } }
            return try PixelBuffer(width: width, height: height, pixels: pixels, alphaMode: alphaMode)
        }

        /// Returns the mean of the channel at the bit position `shift` in 0xAARRGGBB.
        public func mean(ofChannelAt shift: UInt32) -> Double {
            pixels.reduce(0) { $0 + Double($1 >> shift & 255) } / Double(width * height)
        }
    }

    extension [UInt8] {
        public static func random(count: Int, using generator: inout SeededGenerator) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
        }
    }

    /// Returns the largest difference of any channel, and the first pixel where it occurs.
    public func largestDifference(_ left: PixelBuffer, _ right: PixelBuffer) -> (value: Int, x: Int, y: Int) {
        var place = 0
        let value = left.pixels.withUnsafeBytes { left in
            right.pixels.withUnsafeBytes { right in
                texel_test_largest_difference(
                    left.bindMemory(to: UInt8.self).baseAddress, right.bindMemory(to: UInt8.self).baseAddress,
                    min(left.count, right.count), &place)
            }
        }
        let pixel = place / PixelBuffer.bytesPerPixel
        return (Int(value), pixel % left.width, pixel / left.width)
    }

    /// Returns the largest difference of any channel; the colours of pixels that are transparent in both images do not
    /// count.
    public func largestVisibleDifference(_ left: PixelBuffer, _ right: PixelBuffer) -> Int {
        var largest: UInt32 = 0
        for (a, b) in zip(left.pixels, right.pixels) where a != b && (a | b) >> 24 != 0 {
            for shift: UInt32 in [0, 8, 16, 24] {
                let (x, y) = (a >> shift & 255, b >> shift & 255)
                largest = max(largest, x > y ? x - y : y - x)
            }
        }
        return Int(largest)
    }

    /// Returns the mean difference of all channels of all pixels.
    public func meanDifference(_ left: PixelBuffer, _ right: PixelBuffer) -> Double {
        let total = left.pixels.withUnsafeBytes { left in
            right.pixels.withUnsafeBytes { right in
                texel_test_total_difference(
                    left.bindMemory(to: UInt8.self).baseAddress, right.bindMemory(to: UInt8.self).baseAddress,
                    min(left.count, right.count))
            }
        }
        return Double(total) / Double(left.width * left.height * PixelBuffer.bytesPerPixel)
    }

    /// Expects the same size, and no channel to differ by more than `tolerance`; a failure names the worst pixel.
    public func expectPixelsEqual(
        _ left: PixelBuffer, _ right: PixelBuffer, tolerance: Int = 0, _ comment: @autoclosure () -> String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard left.size == right.size else {
            Issue.record("\(comment()): sizes \(left.size) and \(right.size)", sourceLocation: sourceLocation)
            return
        }
        let (value, x, y) = largestDifference(left, right)
        if value > tolerance {
            let pixels = "\(String(left[x, y], radix: 16)) and \(String(right[x, y], radix: 16))"
            Issue.record(
                "\(comment()): pixel (\(x), \(y)) differs by \(value): \(pixels)", sourceLocation: sourceLocation)
        }
    }
#endif
