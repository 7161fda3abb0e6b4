/// One colour with straight alpha, as a person names it: for backgrounds and fills.
public struct PixelColor: Sendable, Hashable, Codable, CustomStringConvertible {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public var alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    public static let white = PixelColor(red: 255, green: 255, blue: 255)
    public static let black = PixelColor(red: 0, green: 0, blue: 0)
    public static let transparent = PixelColor(red: 0, green: 0, blue: 0, alpha: 0)

    /// `#rrggbb`, with the alpha behind it unless it is opaque.
    public var description: String {
        let bytes = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The straight pixel 0xAARRGGBB.
    public var pixel: UInt32 {
        UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// The premultiplied pixel 0xAARRGGBB.
    public var premultipliedPixel: UInt32 {
        func scaled(_ value: UInt8) -> UInt32 { (UInt32(value) * UInt32(alpha) + 127) / 255 }
        return UInt32(alpha) << 24 | scaled(red) << 16 | scaled(green) << 8 | scaled(blue)
    }
}
