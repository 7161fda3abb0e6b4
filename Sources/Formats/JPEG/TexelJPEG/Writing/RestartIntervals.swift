import TexelPixels

/// The restart intervals of a large sequential file (ITU-T T.81, E.1.4): whole MCU rows, about a megapixel each.
///
/// They are encoded and decoded independently, so several threads can share an image. Each takes a few bytes.
struct RestartIntervals: Sendable {
    /// The number of intervals.
    let count: Int
    /// The number of MCUs of an interval.
    let mcuCount: Int
    /// The rows of pixels of all intervals but the last.
    private let height: Int
    private let imageHeight: Int

    /// Smaller images are not worth the markers.
    private static let leastPixels = 4 << 20
    private static let pixelsPerInterval = 1 << 20

    /// - Parameter mcu: the size of an MCU in pixels.
    /// - Returns: `nil` for a small image.
    init?(_ size: PixelSize, mcu: PixelSize) {
        guard let pixels = size.pixelCount, pixels >= Self.leastPixels else { return nil }
        self.init(size, mcu: mcu, pixels: Self.pixelsPerInterval)
        guard count > 1 else { return nil }
    }

    /// - Parameters:
    ///   - mcu: the size of an MCU in pixels.
    ///   - pixels: the number of pixels of an interval, at most a megapixel. An interval has at least one row of MCUs.
    init(_ size: PixelSize, mcu: PixelSize, pixels: Int) {
        // The format's limit of 65,535 MCUs is far: a megapixel has at most 16,384, and a row 8,188.
        let rows = max(1, min(pixels, Self.pixelsPerInterval) / (size.width * mcu.height))
        height = rows * mcu.height
        imageHeight = size.height
        count = (size.height + height - 1) / height
        mcuCount = rows * ((size.width + mcu.width - 1) / mcu.width)
    }

    /// The rows of pixels of an interval.
    func rows(_ index: Int) -> Range<Int> { index * height..<min((index + 1) * height, imageHeight) }
}

extension RestartIntervals {
    /// - Parameter isGray: whether the file has one component.
    init?(_ size: PixelSize, _ options: JPEGOptions, isGray: Bool) {
        guard options.effort == .fast, options.isProgressive != true, options.quantization?.isProgressive != true else {
            return nil
        }
        let factors = isGray ? (1, 1) : options.chromaFactors
        self.init(size, mcu: PixelSize(width: 8 * factors.0, height: 8 * factors.1))
    }
}
