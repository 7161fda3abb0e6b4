/// A percentage from 0 to 100, with or without the percent sign.
struct PercentageArgument: ArgumentValue {
    /// The fraction, 0…1.
    let part: Double

    init?(argument: String) {
        let text = argument.hasSuffix("%") ? argument.dropLast() : argument[...]
        guard let value = Double(text), (0...100).contains(value) else { return nil }
        part = value / 100
    }
}

/// A positive number as a fraction: 50%, 0.5 or 1/2.
struct ScaleArgument: ArgumentValue {
    let numerator: Int
    let denominator: Int
    /// The argument, if it is a number without a percent sign or a division, as in `50`.
    let plainNumber: String?

    init?(argument: String) {
        let isPercentage = argument.hasSuffix("%")
        let text = isPercentage ? argument.dropLast() : argument[...]
        let quotient = text.split(separator: "/", omittingEmptySubsequences: false)
        guard quotient.count <= 2, let first = quotient.first, let value = Self.decimal(first) else { return nil }
        var (numerator, denominator) = value
        if quotient.count == 2 {
            // At most nine digits, like the numerator, so that the product cannot overflow.
            guard let divisor = Int(quotient[1]), (1...999_999_999).contains(divisor), !isPercentage else { return nil }
            denominator *= divisor
        }
        if isPercentage { denominator *= 100 }
        guard numerator > 0 else { return nil }
        plainNumber = isPercentage || quotient.count == 2 ? nil : argument
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Parses a decimal number of at most nine digits as a fraction.
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

/// A number of bytes: 200000, 200KB (1000s), 1.5MB, 200KiB (1024s).
struct ByteCountArgument: ArgumentValue, CustomStringConvertible {
    static let expectation = "a number of bytes such as 200000 or \"200KB\""

    let bytes: Int

    init(bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCIIDigit || $0 == "." }
        let unit = argument.dropFirst(digits.count).lowercased()
        let factors = [
            "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
            "gb": 1_000_000_000, "t": 1_000_000_000_000, "tb": 1_000_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
            "gib": 1 << 30, "tib": 1 << 40,
        ]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let count = parts.first.flatMap({ Int($0) }), let factor = factors[unit] else {
            return nil
        }
        var (bytes, overflow) = count.multipliedReportingOverflow(by: factor)
        if parts.count == 2 {
            // At most nine decimals; the result is rounded to whole bytes.
            guard (1...9).contains(parts[1].count), let fraction = Double("0.\(parts[1])"), !overflow else {
                return nil
            }
            (bytes, overflow) = bytes.addingReportingOverflow(Int((fraction * Double(factor)).rounded()))
        }
        guard bytes > 0, !overflow else { return nil }
        self.bytes = bytes
    }

    var description: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : "\(bytes)" }
}

/// A duration: 30 or 30s (seconds), 500ms, 5m or 5min (minutes), 1h.
struct DurationArgument: ArgumentValue {
    static let expectation = "a time such as 30, \"30s\" or \"500ms\""

    let duration: Duration

    init?(argument: String) {
        let seconds = ["": 1, "s": 1, "ms": 0.001, "m": 60, "min": 60, "h": 3600]
        let digits = argument.prefix { $0.isASCIIDigit || $0 == "." }
        guard let unit = seconds[argument.dropFirst(digits.count).lowercased()], let value = Double(digits), value > 0,
            value * unit < 1e9
        else { return nil }
        duration = .seconds(value * unit)
    }
}

/// A time after the start: 0, 1.5, 2s, 500ms, 1:30 or 01:02:03.5.
struct MomentArgument: ArgumentValue {
    static let expectation = "a time such as 12.5, \"500ms\" or \"00:01:30.5\""

    let time: Duration

    init?(argument: String) {
        if ["0", "0s", "0ms"].contains(argument) {
            time = .zero
        } else if argument.contains(":") {
            guard let time = Self.clockTime(argument) else { return nil }
            self.time = time
        } else {
            guard let duration = DurationArgument(argument: argument)?.duration else { return nil }
            time = duration
        }
    }

    /// Parses minutes and seconds, or hours, minutes and seconds; only the first may exceed 59, only the last have
    /// decimals.
    private static func clockTime(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last, last.allSatisfy({ $0.isASCIIDigit || $0 == "." }),
            let seconds = Double(last), seconds < 60
        else { return nil }
        var whole = 0
        for (index, part) in parts.dropLast().enumerated() {
            guard !part.isEmpty, part.count <= 6, part.allSatisfy(\.isASCIIDigit), let value = Int(part),
                index == 0 || value < 60
            else { return nil }
            whole = whole * 60 + value
        }
        return .seconds(whole * 60) + .seconds(seconds)
    }
}

/// Which frames of a stream are used: one of every N, or one per interval such as 2s or 500ms.
enum EveryArgument: Equatable, ArgumentValue {
    case frames(Int)
    case time(Duration)

    init?(argument: String) {
        if let count = Int(argument) {
            self = .frames(count)
        } else if let duration = DurationArgument(argument: argument)?.duration, argument.last?.isLetter == true,
            duration >= .milliseconds(1)
        {
            self = .time(duration)
        } else {
            return nil
        }
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
