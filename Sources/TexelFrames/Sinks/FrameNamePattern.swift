public import SystemPackage

/// A name with a place for a number, as C and ffmpeg write it: `frames/%05d.png`; `%%` is a percent sign.
public struct FrameNamePattern: Sendable, Hashable {
    private let before: String
    private let after: String
    /// The digits that there are at least, filled up with zeros.
    private let digitCount: Int

    /// `nil` unless the last component has one place for a number, `%d` or `%05d`, and the others none.
    public init?(_ text: String) {
        var parts: [String] = [""]
        var digitCount = 1
        var rest = Substring(text)
        while let percent = rest.firstIndex(of: "%") {
            parts[parts.count - 1] += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                parts[parts.count - 1] += "%"
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(digits.count)
            guard rest.first == "d", digits.isEmpty || digits.first == "0", digits.count <= 3 else { return nil }
            rest.removeFirst()
            digitCount = max(1, Int(digits) ?? 1)
            parts.append("")
        }
        parts[parts.count - 1] += rest
        guard parts.count == 2, !parts[1].contains("/"), digitCount <= 20 else { return nil }
        before = parts[0]
        after = parts[1]
        self.digitCount = digitCount
    }

    public func path(for number: Int) -> FilePath {
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, digitCount - digits.count))
        return FilePath(before + zeros + digits + after)
    }
}
