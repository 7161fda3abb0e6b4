import ArgumentParser
import Texel

/// WIDTHxHEIGHT+X+Y, as X11 writes rectangles.
struct CropArgument: ExpressibleByArgument {
    let rectangle: PixelRectangle

    init?(argument: String) {
        let numbers = argument.split(omittingEmptySubsequences: false) { "x+".contains($0) }.map { Int($0) }
        guard numbers.count == 4 || numbers.count == 2, !numbers.contains(nil) else { return nil }
        let values = numbers.compactMap { $0 }
        guard values[0] > 0, values[1] > 0, argument.count(where: { $0 == "x" }) == 1 else { return nil }
        let (x, y) = values.count == 4 ? (values[2], values[3]) : (0, 0)
        guard x >= 0, y >= 0 else { return nil }
        rectangle = PixelRectangle(x: x, y: y, width: values[0], height: values[1])
    }
}

/// A number of pixels, or several: 640 or 320,640,1280.
struct WidthsArgument: ExpressibleByArgument {
    /// At least one, in the order given; none twice.
    let pixels: [Int]

    init(_ pixels: Int) { self.pixels = [pixels] }

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let pixels = numbers.compactMap { $0 }
        guard pixels.count == numbers.count, Set(pixels).count == pixels.count else { return nil }
        self.pixels = pixels
    }
}

/// A percentage from 0 to 100, with or without its sign.
struct PercentageArgument: ExpressibleByArgument {
    /// 0…1.
    let part: Double

    init?(argument: String) {
        let text = argument.hasSuffix("%") ? argument.dropLast() : argument[...]
        guard let value = Double(text), (0...100).contains(value) else { return nil }
        part = value / 100
    }
}

/// A positive number as a fraction: 50%, 0.5 or 1/2.
struct ScaleArgument: ExpressibleByArgument {
    let numerator: Int
    let denominator: Int
    /// A number without a sign of percentage or division, as in `50`.
    let plainNumber: String?

    init?(argument: String) {
        let isPercentage = argument.hasSuffix("%")
        let text = isPercentage ? argument.dropLast() : argument[...]
        let quotient = text.split(separator: "/", omittingEmptySubsequences: false)
        guard quotient.count <= 2, let first = quotient.first, let value = Self.decimal(first) else { return nil }
        var (numerator, denominator) = value
        if quotient.count == 2 {
            // As short as the numerator, so that the product cannot overflow.
            guard let divisor = Int(quotient[1]), (1...999_999_999).contains(divisor), !isPercentage else { return nil }
            denominator *= divisor
        }
        if isPercentage { denominator *= 100 }
        guard numerator > 0 else { return nil }
        plainNumber = isPercentage || quotient.count == 2 ? nil : argument
        self.numerator = numerator
        self.denominator = denominator
    }

    /// A decimal number of at most nine digits as a fraction.
    private static func decimal(_ text: Substring) -> (Int, Int)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.joined()
        guard parts.count <= 2, (1...9).contains(digits.count), digits.allSatisfy(\.isASCIIDigit),
            let value = Int(digits)
        else { return nil }
        let places = parts.count == 2 ? parts[1].count : 0
        return (value, (0..<places).reduce(1) { power, _ in power * 10 })
    }
}

/// A number of bytes: 200000, 200KB (thousands), 200KiB (1024s).
struct ByteCountArgument: ExpressibleByArgument, CustomStringConvertible {
    let bytes: Int

    init(bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        let digits = argument.prefix(while: \.isASCIIDigit)
        let unit = argument.dropFirst(digits.count).lowercased()
        let factors = [
            "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
            "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
        ]
        guard let count = Int(digits), let factor = factors[unit] else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: factor)
        guard bytes > 0, !overflow else { return nil }
        self.bytes = bytes
    }

    var description: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : "\(bytes)" }
}

/// A time: 30 or 30s are seconds, 500ms milliseconds.
struct DurationArgument: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        let isMilliseconds = argument.hasSuffix("ms")
        let digits =
            isMilliseconds ? argument.dropLast(2) : argument.hasSuffix("s") ? argument.dropLast() : argument[...]
        guard let value = Double(digits), value > 0, value < 1e9 else { return nil }
        duration = isMilliseconds ? .milliseconds(value) : .seconds(value)
    }
}

extension PixelColor: ExpressibleByArgument {
    /// #rgb, #rgba, #rrggbb, #rrggbbaa, or one of CSS's basic names.
    public init?(argument: String) {
        let names: [String: UInt32] = [
            "black": 0x0000_00FF, "silver": 0xC0C0_C0FF, "gray": 0x8080_80FF, "grey": 0x8080_80FF,
            "white": 0xFFFF_FFFF, "maroon": 0x8000_00FF, "red": 0xFF00_00FF, "purple": 0x8000_80FF,
            "fuchsia": 0xFF00_FFFF, "magenta": 0xFF00_FFFF, "green": 0x0080_00FF, "lime": 0x00FF_00FF,
            "olive": 0x8080_00FF, "yellow": 0xFFFF_00FF, "navy": 0x0000_80FF, "blue": 0x0000_FFFF,
            "teal": 0x0080_80FF, "aqua": 0x00FF_FFFF, "cyan": 0x00FF_FFFF, "orange": 0xFFA5_00FF,
            "transparent": 0x0000_0000,
        ]
        var value: UInt32
        if let named = names[argument.lowercased()] {
            value = named
        } else {
            guard argument.hasPrefix("#") else { return nil }
            var digits = String(argument.dropFirst())
            if digits.count <= 4 { digits = digits.map { "\($0)\($0)" }.joined() }
            if digits.count == 6 { digits += "ff" }
            guard digits.count == 8, digits.allSatisfy(\.isHexDigit), let parsed = UInt32(digits, radix: 16) else {
                return nil
            }
            value = parsed
        }
        self.init(
            red: UInt8(value >> 24), green: UInt8(value >> 16 & 255), blue: UInt8(value >> 8 & 255),
            alpha: UInt8(value & 255))
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
