extension PixelBuffer {
    /// Whether every pixel's blue, green and red bytes are equal.
    package var isGray: Bool {
        withUnsafePixels { pixels in
            (0..<height).allSatisfy { y in
                pixels[(y * pixelsPerRow)..<(y * pixelsPerRow + width)].allSatisfy { pixel in
                    pixel >> 16 & 255 == pixel & 255 && pixel >> 8 & 255 == pixel & 255
                }
            }
        }
    }
}
