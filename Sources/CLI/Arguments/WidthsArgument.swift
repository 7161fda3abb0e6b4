/// One or more numbers of pixels: 640 or 320,640,1280.
struct WidthsArgument: ArgumentValue {
    /// At least one, in the given order, without duplicates.
    let pixels: [Int]

    init(_ pixels: Int) { self.pixels = [pixels] }

    init?(_ pixels: [Int]) {
        guard !pixels.isEmpty, Set(pixels).count == pixels.count else { return nil }
        self.pixels = pixels
    }

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let pixels = numbers.compactMap { $0 }
        guard pixels.count == numbers.count else { return nil }
        self.init(pixels)
    }
}

extension Option {
    /// One integer, or a list of different ones.
    static func widths(
        _ name: OptionName, _ path: Path<WidthsArgument?>, _ range: OptionRange<Int>,
        help: @autoclosure @escaping Text
    ) -> Option {
        let complaint: @Sendable (WidthsArgument) -> OptionComplaint? = {
            $0.pixels.lazy.compactMap(range.complaint).first
        }
        let one = optional(name, path, "an integer", help: help, complaint: complaint) {
            $0.integer.map { WidthsArgument($0) }
        }
        let several = optional(name, path, "a list of different integers", help: help, complaint: complaint) { value in
            switch value {
            case .integers(let pixels): WidthsArgument(pixels)
            case .word(let text): WidthsArgument(argument: text)
            default: nil
            }
        }
        return Option(
            one.description,
            read: { value throws(OptionComplaint) in
                switch value {
                case .integers: return try several.read(value)
                case .word(let text) where text.contains(","): return try several.read(value)
                default: return try one.read(value)
                }
            },
            isSet: one.isSet, complaint: one.complaint)
    }
}
