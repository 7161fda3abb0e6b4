import PlatformLibc
public import TexelCore
public import TexelPixels

/// A BlurHash: a short text from which a blurred preview of an image is drawn while the image loads.
///
/// The text holds up to 9×9 coefficients of a cosine transform of the image in linear light, in the format that Wolt
/// published (https://github.com/woltapp/blurhash, "Algorithm").
public struct BlurHash: Sendable, Hashable {
    /// The numbers of components of one axis.
    public static let componentCounts = 1...9

    /// The text, 6…166 characters.
    public let text: String

    /// Computes the hash of an image.
    ///
    /// Images with a side above 64 pixels are reduced to 64 pixels first, in linear light; smaller ones are used as
    /// they are. Transparent pixels are composited on white.
    ///
    /// - Parameters:
    ///   - image: any image.
    ///   - horizontal: the number of components of the horizontal axis, clamped to ``componentCounts``.
    ///   - vertical: the number of components of the vertical axis.
    /// - Throws: `resultTooLarge`, `outOfMemory`, `unusableColorProfile`.
    public init(of image: PixelBuffer, horizontal: Int = 4, vertical: Int = 3) throws(TexelError) {
        let (horizontal, vertical) = (Self.clamped(horizontal), Self.clamped(vertical))
        let reduced = try image.reduced(toSide: 64, linearLight: true).flattened(on: .white).convertedToSRGB()
        let components = Self.components(of: reduced, horizontal, vertical)
        text = Self.text(components, horizontal: horizontal, vertical: vertical)
    }

    /// Reads a hash.
    ///
    /// - Returns: `nil` if the text has a wrong length or characters that do not belong to a BlurHash.
    public init?(_ text: String) {
        guard Self.values(of: text) != nil else { return nil }
        self.text = text
    }

    private static func clamped(_ count: Int) -> Int {
        min(max(count, componentCounts.lowerBound), componentCounts.upperBound)
    }
}

extension BlurHash: CustomStringConvertible {
    public var description: String { text }
}

extension BlurHash: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let hash = BlurHash(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a BlurHash: \(text)")
        }
        self = hash
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

// Encoding.

extension BlurHash {
    /// Returns the coefficients of red, green and blue in linear light, row by row from the lowest frequency.
    private static func components(of image: PixelBuffer, _ horizontal: Int, _ vertical: Int) -> [SIMD4<Double>] {
        let columns = cosines(count: horizontal, length: image.width)
        let rows = cosines(count: vertical, length: image.height)
        var sums = [SIMD4<Double>](repeating: .zero, count: horizontal * vertical)
        for y in 0..<image.height {
            let row = image.row(y)
            var rowSums = [SIMD4<Double>](repeating: .zero, count: horizontal)
            for x in 0..<image.width {
                let pixel = row[x]
                let light = SIMD4(
                    light(pixel >> 16 & 255), light(pixel >> 8 & 255), light(pixel & 255), 0)
                for i in 0..<horizontal { rowSums[i] += light * columns[i * image.width + x] }
            }
            for j in 0..<vertical {
                for i in 0..<horizontal { sums[j * horizontal + i] += rowSums[i] * rows[j * image.height + y] }
            }
        }
        let count = Double(image.width * image.height)
        return sums.enumerated().map { index, sum in sum * ((index == 0 ? 1 : 2) / count) }
    }

    private static func text(_ components: [SIMD4<Double>], horizontal: Int, vertical: Int) -> String {
        var text = Base83.text(horizontal - 1 + (vertical - 1) * 9, digits: 1)
        let others = components.dropFirst()
        var scale = 1.0
        if others.isEmpty {
            text += Base83.text(0, digits: 1)
        } else {
            let largest = others.reduce(0) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
            let quantized = min(max(Int((largest * 166 - 0.5).rounded(.down)), 0), 82)
            scale = Double(quantized + 1) / 166
            text += Base83.text(quantized, digits: 1)
        }
        let mean = components[0]
        text += Base83.text(sample(mean.x) << 16 | sample(mean.y) << 8 | sample(mean.z), digits: 4)
        for component in others {
            func level(_ value: Double) -> Int {
                let root = (abs(value) / scale).squareRoot() * (value < 0 ? -1 : 1)
                return min(max(Int((root * 9 + 9.5).rounded(.down)), 0), 18)
            }
            text += Base83.text((level(component.x) * 19 + level(component.y)) * 19 + level(component.z), digits: 2)
        }
        return text
    }
}

// Decoding.

extension BlurHash {
    /// The numbers of components of both axes.
    public var components: (horizontal: Int, vertical: Int) {
        let (horizontal, vertical, _) = Self.values(of: text) ?? (1, 1, [])
        return (horizontal, vertical)
    }

    /// Draws the preview.
    ///
    /// - Parameters:
    ///   - size: the size of the result in pixels; 32 pixels a side are enough, because the preview can be enlarged.
    ///   - punch: the contrast; 1 is that of the original.
    /// - Returns: an opaque image in sRGB.
    /// - Throws: `invalidSize`, `outOfMemory`.
    public func image(size: PixelSize, punch: Double = 1) throws(TexelError) -> PixelBuffer {
        guard size.isPositive else { throw .invalidSize(size) }
        let (horizontal, vertical, values) = Self.values(of: text) ?? (1, 1, [0, 0])
        let scale = Double(values[0] + 1) / 166 * punch
        let mean = values[1]
        var components = [
            SIMD4(
                Self.light(UInt32(mean >> 16)), Self.light(UInt32(mean >> 8 & 255)), Self.light(UInt32(mean & 255)), 0)
        ]
        for value in values.dropFirst(2) {
            func coefficient(_ level: Int) -> Double {
                let root = Double(level - 9) / 9
                return root * abs(root) * scale
            }
            components.append(
                SIMD4(coefficient(value / 361), coefficient(value / 19 % 19), coefficient(value % 19), 0))
        }
        let columns = Self.cosines(count: horizontal, length: size.width)
        let rows = Self.cosines(count: vertical, length: size.height)
        var result = try PixelBuffer(uninitialized: size, alphaMode: .opaque, colorSpace: .sRGB)
        let pixelsPerRow = result.pixelsPerRow
        result.withUnsafeMutablePixels { pixels in
            for y in 0..<size.height {
                let rowSums = (0..<horizontal).map { i in
                    (0..<vertical).reduce(SIMD4<Double>.zero) {
                        $0 + components[$1 * horizontal + i] * rows[$1 * size.height + y]
                    }
                }
                for x in 0..<size.width {
                    let light = (0..<horizontal).reduce(SIMD4<Double>.zero) {
                        $0 + rowSums[$1] * columns[$1 * size.width + x]
                    }
                    let color = Self.sample(light.x) << 16 | Self.sample(light.y) << 8 | Self.sample(light.z)
                    pixels[y * pixelsPerRow + x] = 0xFF00_0000 | UInt32(color)
                }
            }
        }
        return result
    }

    /// Reads the numbers in a text: those of the components, then the scale, the mean colour and the other components.
    ///
    /// - Returns: `nil` if the text is not a BlurHash.
    private static func values(of text: String) -> (horizontal: Int, vertical: Int, values: [Int])? {
        guard let digits = Base83.digits(of: text), digits.count >= 6, digits[0] < 81 else { return nil }
        let (horizontal, vertical) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
        guard digits.count == 4 + 2 * horizontal * vertical else { return nil }
        let mean = digits[2..<6].reduce(0) { $0 * 83 + $1 }
        guard mean < 1 << 24 else { return nil }
        var values = [digits[1], mean]
        for index in stride(from: 6, to: digits.count, by: 2) {
            let value = digits[index] * 83 + digits[index + 1]
            guard value < 19 * 19 * 19 else { return nil }
            values.append(value)
        }
        return (horizontal, vertical, values)
    }
}

// Both ways.

extension BlurHash {
    /// cos(π i x / length) at index i × length + x.
    private static func cosines(count: Int, length: Int) -> [Double] {
        (0..<count).flatMap { i in (0..<length).map { cos(.pi * Double(i) * Double($0) / Double(length)) } }
    }

    /// The linear light, 0…1, of a sample of sRGB (IEC 61966-2-1).
    private static func light(_ sample: UInt32) -> Double { TransferCurve.lights[Int(min(sample, 255))] }

    /// Returns the sample of sRGB of linear light, clamped to 0…255.
    private static func sample(_ light: Double) -> Int {
        Int(TransferCurve.value(min(max(light, 0), 1)) * 255 + 0.5)
    }
}
