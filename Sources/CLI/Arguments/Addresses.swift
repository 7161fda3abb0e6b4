/// Recognises arguments that are URLs instead of file names.
enum Addresses {
    /// Whether an argument begins like a URL of any scheme: `https://`.
    static func isAddress(_ argument: String) -> Bool {
        guard let end = argument.firstRange(of: "://")?.lowerBound, end > argument.startIndex else { return false }
        return argument[..<end].utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
                || "+-.".utf8.contains($0)
        }
    }
}
