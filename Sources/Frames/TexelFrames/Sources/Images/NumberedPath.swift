public import SystemPackage
import TexelPipeline

/// A path pattern with one number, in printf notation: `%d`, `%5d` or `%05d`; `%%` is a percent sign.
public struct NumberedPath: Sendable, Hashable {
    private var before: String
    private var after: String
    /// The minimum number of characters of the number.
    private var width: Int
    private var padding: Character

    /// Parses a pattern; `nil` unless it has exactly one number, with a width of at most 20.
    public init?(_ pattern: String) {
        var parts: [String] = [""]
        var format: (width: Int, padding: Character) = (0, " ")
        var rest = pattern[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                parts[parts.count - 1].append(character)
                continue
            }
            if rest.first == "%" {
                rest.removeFirst()
                parts[parts.count - 1].append("%")
                continue
            }
            let digits = rest.prefix { "0"..."9" ~= $0 }
            rest.removeFirst(digits.count)
            guard rest.popFirst() == "d", let width = digits.isEmpty ? 0 : Int(digits), width <= 20 else { return nil }
            format = (width, digits.hasPrefix("0") ? "0" : " ")
            parts.append("")
        }
        guard parts.count == 2 else { return nil }
        (before, after) = (parts[0], parts[1])
        (width, padding) = format
    }

    /// The path for a number.
    public func path(_ number: Int) -> FilePath { FilePath(before + padded(number) + after) }

    private func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: padding, count: max(0, width - digits.count)) + digits
    }

    /// The numbers of the regular files that the pattern describes, in increasing order; empty if the folder cannot be
    /// read.
    func existingNumbers() -> [Int] {
        let folder = before.lastIndex(of: "/").map { before[...$0] } ?? ""
        let prefix = before.dropFirst(folder.count)
        let suffix = after.prefix { $0 != "/" }
        let entries = (try? DirectoryEntry.list(folder.isEmpty ? "." : FilePath(String(folder)))) ?? []
        return entries.compactMap { entry -> Int? in
            let name = entry.name.string
            guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
                return nil
            }
            let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
            // The same number with another padding is another name.
            guard let number = Int(digits.drop { $0 == " " }), number >= 0,
                padded(number) == digits, existingPath(number) != nil
            else { return nil }
            return number
        }.sorted()
    }

    /// The path for a number, if there is a regular file.
    func existingPath(_ number: Int) -> FilePath? {
        let path = path(number)
        return path.isRegularFile ? path : nil
    }
}
