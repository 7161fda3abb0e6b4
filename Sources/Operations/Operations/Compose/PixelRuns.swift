import TexelCore
import TexelPixels

/// A compact form of the pixels of an image without loss, for images in recipes: logos and text are mostly runs.
///
/// A list of runs, row by row. Each begins with a number, 4 × (count − 1) + kind, in groups of seven bits, the lowest
/// first; all but the last have the highest bit set. A run of kind 0 is followed by `count` pixels, one of kind 1 by
/// the pixel that it repeats; kind 2 repeats the pixels one row above. Pixels are the bytes B, G, R and, unless the
/// image is opaque, A.
enum PixelRuns {
    /// The largest number of pixels that are read, so that a short text cannot claim much memory.
    static let pixelLimit = 1 << 26

    private enum Kind: Int { case pixels, repeated, above }

    static func bytes(of image: PixelBuffer) -> [UInt8] {
        let pixels = image.pixels
        let width = image.width
        let pixelBytes = image.alphaMode == .opaque ? 3 : 4
        var bytes: [UInt8] = []
        func append(_ kind: Kind, _ run: Range<Int>) {
            var number = 4 * (run.count - 1) + kind.rawValue
            while number > 127 {
                bytes.append(UInt8(number & 127 | 128))
                number >>= 7
            }
            bytes.append(UInt8(number))
            let written = kind == .pixels ? run : kind == .repeated ? run.prefix(1) : run.prefix(0)
            for index in written {
                for byte in 0..<pixelBytes { bytes.append(UInt8(truncatingIfNeeded: pixels[index] >> (8 * byte))) }
            }
        }
        var (index, pending) = (0, 0)
        while index < pixels.count {
            let rest = index..<pixels.count
            let above = index < width ? 0 : rest.prefix { pixels[$0] == pixels[$0 - width] }.count
            let equal = rest.prefix { pixels[$0] == pixels[index] }.count
            // A run of one or two costs as much as the pixels.
            guard max(above, equal) > 2 else {
                index += 1
                continue
            }
            if pending < index { append(.pixels, pending..<index) }
            let count = max(above, equal)
            append(above == count ? .above : .repeated, index..<(index + count))
            index += count
            pending = index
        }
        if pending < index { append(.pixels, pending..<index) }
        return bytes
    }

    /// Returns the image of a list of runs, or `nil` if it is not one of this size.
    static func image(
        _ bytes: [UInt8], size: PixelSize, alphaMode: AlphaMode
    ) throws(TexelError) -> PixelBuffer? {
        guard size.isPositive, let pixelCount = size.pixelCount, pixelCount <= pixelLimit else { return nil }
        let pixelBytes = alphaMode == .opaque ? 3 : 4
        var pixels: [UInt32] = []
        pixels.reserveCapacity(pixelCount)
        var rest = bytes[...]
        func number() -> Int? {
            var (number, shift) = (0, 0)
            while let byte = rest.popFirst(), shift <= 28 {
                number |= Int(byte & 127) << shift
                if byte < 128 { return number }
                shift += 7
            }
            return nil
        }
        func pixel() -> UInt32? {
            guard rest.count >= pixelBytes else { return nil }
            let pixel = rest.prefix(pixelBytes).reversed().reduce(UInt32(alphaMode == .opaque ? 255 : 0)) {
                $0 << 8 | UInt32($1)
            }
            rest = rest.dropFirst(pixelBytes)
            return pixel
        }
        while !rest.isEmpty {
            guard let number = number(), let kind = Kind(rawValue: number & 3) else { return nil }
            let count = number >> 2 + 1
            guard count <= pixelCount - pixels.count else { return nil }
            switch kind {
            case .pixels:
                for _ in 0..<count {
                    guard let pixel = pixel() else { return nil }
                    pixels.append(pixel)
                }
            case .repeated:
                guard let pixel = pixel() else { return nil }
                pixels.append(contentsOf: repeatElement(pixel, count: count))
            case .above:
                guard pixels.count >= size.width else { return nil }
                for _ in 0..<count { pixels.append(pixels[pixels.count - size.width]) }
            }
        }
        guard pixels.count == pixelCount else { return nil }
        return try PixelBuffer(width: size.width, height: size.height, pixels: pixels, alphaMode: alphaMode)
    }
}
