/// Frames of an animation, from 0: one, or a list of frames and ranges such as `10-30,45` and `20-`.
enum FramesArgument: Equatable, ArgumentValue {
    static let expectation = "a frame such as 3, or frames such as \"10-30,45\""

    case one(Int)
    case ranges([ClosedRange<Int>])

    init?(argument: String) {
        if let frame = Self.number(argument[...]) {
            self = .one(frame)
            return
        }
        var ranges: [ClosedRange<Int>] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false)
            guard bounds.count <= 2, let first = Self.number(bounds[0]) else { return nil }
            var last = first
            if bounds.count == 2 {
                guard let bound = bounds[1].isEmpty ? .max : Self.number(bounds[1]), bound >= first else { return nil }
                last = bound
            }
            ranges.append(first...last)
        }
        self = .ranges(ranges)
    }

    /// A number of at most nine digits.
    private static func number(_ text: Substring) -> Int? {
        guard (1...9).contains(text.count), text.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }
}
