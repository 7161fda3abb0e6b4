import Texel

/// Parses the answers of a terminal. They may be mixed with text that the user types meanwhile.
struct TerminalAnswers: Equatable {
    /// The identifier of the query image, which is never drawn.
    static let queryImageID = 31

    /// Whether the terminal supports the kitty graphics protocol.
    private(set) var hasKitty = false
    /// Whether the terminal supports sixels.
    private(set) var hasSixel = false
    /// The size of a character in pixels.
    private(set) var cell: PixelSize?
    /// Whether the last query has been answered, which every terminal supports.
    private(set) var isComplete = false

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let escape = rest.firstIndex(of: 0x1B) {
            rest = rest[(escape + 1)...]
            switch rest.popFirst() {
            case UInt8(ascii: "["): readControl(&rest)
            case UInt8(ascii: "_"):
                // Up to the string terminator, ESC and a backslash.
                guard let end = rest.firstIndex(of: 0x1B) else { return }
                let text = String(decoding: rest[..<end], as: UTF8.self)
                if text.hasPrefix("G"), text.contains("i=\(Self.queryImageID)"), text.hasSuffix(";OK") {
                    hasKitty = true
                }
                rest = rest[end...]
            default: break
            }
        }
    }

    /// Parses `[?62;4c` (device attributes) or `[6;20;10t` (height and width of a character).
    private mutating func readControl(_ rest: inout ArraySlice<UInt8>) {
        guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return }
        let (text, final) = (String(decoding: rest[..<end], as: UTF8.self), rest[end])
        rest = rest[(end + 1)...]
        let numbers = text.drop { $0 == "?" }.split(separator: ";").map { Int($0) ?? 0 }
        if final == UInt8(ascii: "c"), text.hasPrefix("?") {
            isComplete = true
            // The first number is the terminal's class.
            hasSixel = numbers.dropFirst().contains(4)
        } else if final == UInt8(ascii: "t"), numbers.count == 3, numbers[0] == 6,
            numbers[1...].allSatisfy({ (1...1000).contains($0) })
        {
            cell = PixelSize(width: numbers[2], height: numbers[1])
        }
    }
}
