public import TexelPixels

extension PixelBuffer {
    /// The largest difference from the background, in steps of a channel, that trimming ignores by default.
    public static let defaultTrimTolerance: UInt8 = 10

    /// Returns the smallest rectangle that contains every pixel that differs from a background.
    ///
    /// A pixel differs if one of its channels, alpha included, is more than `tolerance` steps of 255 from the
    /// background's. Colours are compared multiplied by their alpha, so fully transparent pixels are equal whatever
    /// their colour is. The search reads the border and, of the other rows, only what can widen the rectangle.
    ///
    /// - Parameters:
    ///   - background: the colour of the border; `nil` takes the pixel at the top left.
    ///   - tolerance: the largest difference that is ignored.
    /// - Returns: `nil` if all pixels are background.
    public func contentRectangle(
        background: PixelColor? = nil, tolerance: UInt8 = PixelBuffer.defaultTrimTolerance
    ) -> PixelRectangle? {
        withRaster { raster in
            let isStraight = alphaMode == .straight
            let corner = raster.pixels(0)[0]
            let center =
                background?.premultipliedPixel ?? (isStraight ? PixelColor(pixel: corner).premultipliedPixel : corner)
            let border = BorderColor(center, tolerance: tolerance, isStraight: isStraight)
            let all = 0..<width
            guard let top = (0..<height).first(where: { border.firstOther(in: raster.pixels($0), all) != nil }),
                let bottom = (top..<height).last(where: { border.firstOther(in: raster.pixels($0), all) != nil })
            else { return nil }
            // Each row is searched only where it can widen the rectangle.
            var (left, right) = (width, 0)
            for y in top...bottom {
                let row = raster.pixels(y)
                if let first = border.firstOther(in: row, 0..<left) { left = first }
                if let last = border.lastOther(in: row, right..<width) { right = last + 1 }
            }
            return PixelRectangle(x: left, y: top, width: right - left, height: bottom + 1 - top)
        }
    }

    /// Returns the image without the borders that ``contentRectangle(background:tolerance:)`` leaves out. It shares its
    /// memory with this image. An image that is all background is returned as it is.
    ///
    /// - Parameters:
    ///   - background: the colour of the border; `nil` takes the pixel at the top left.
    ///   - tolerance: the largest difference from the background that is ignored, in steps of 255.
    public func trimmed(
        background: PixelColor? = nil, tolerance: UInt8 = PixelBuffer.defaultTrimTolerance
    ) -> PixelBuffer {
        guard let rectangle = contentRectangle(background: background, tolerance: tolerance),
            let content = try? cropped(to: rectangle)
        else { return self }
        return content
    }
}

/// The pixels that count as background.
private struct BorderColor {
    /// The smallest and largest value of each channel of a premultiplied pixel, in the order of its bytes.
    private let lowest: SIMD4<UInt8>
    private let highest: SIMD4<UInt8>
    /// Whether pixels are multiplied by their alpha before they are compared.
    private let isStraight: Bool

    /// - Parameter center: the premultiplied background.
    init(_ center: UInt32, tolerance: UInt8, isStraight: Bool) {
        let (channels, tolerance) = (Self.channels(center), SIMD4(repeating: tolerance))
        lowest = channels &- pointwiseMin(channels, tolerance)
        highest = channels &+ pointwiseMin(SIMD4(repeating: 255) &- channels, tolerance)
        self.isStraight = isStraight
    }

    /// The first of these pixels of a row that is not background.
    func firstOther(in row: UnsafePointer<UInt32>, _ columns: Range<Int>) -> Int? { other(in: row, columns) }

    /// The last of these pixels of a row that is not background.
    func lastOther(in row: UnsafePointer<UInt32>, _ columns: Range<Int>) -> Int? { other(in: row, columns.reversed()) }

    /// Compares the channels only of pixels that differ from the one before.
    @inline(__always)
    private func other(in row: UnsafePointer<UInt32>, _ columns: some Sequence<Int>) -> Int? {
        var known: UInt32?
        for x in columns where row[x] != known {
            if !contains(row[x]) { return x }
            known = row[x]
        }
        return nil
    }

    private func contains(_ pixel: UInt32) -> Bool {
        let channels = Self.channels(isStraight ? PixelColor(pixel: pixel).premultipliedPixel : pixel)
        return all(channels .>= lowest) && all(channels .<= highest)
    }

    private static func channels(_ pixel: UInt32) -> SIMD4<UInt8> { unsafeBitCast(pixel.littleEndian, to: SIMD4.self) }
}

extension PixelColor {
    /// Creates a colour from a straight pixel 0xAARRGGBB.
    fileprivate init(pixel: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: pixel >> 16), green: UInt8(truncatingIfNeeded: pixel >> 8),
            blue: UInt8(truncatingIfNeeded: pixel), alpha: UInt8(truncatingIfNeeded: pixel >> 24))
    }
}
