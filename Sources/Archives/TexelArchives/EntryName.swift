import SystemPackage

/// The name of an entry as a path below the folder that the archive stands for.
enum EntryName: Equatable {
    case relative(FilePath)
    /// A name that leads out of the folder, or is empty.
    case unsafe(String)
    /// Hidden, as in a folder, or Apple's data beside a file.
    case hidden(FilePath)

    /// - Parameter bytes: the name as it is stored: UTF-8, or code page 437, which zip files without a mark use.
    init(_ bytes: [UInt8]) {
        let text = String(validating: bytes, as: UTF8.self) ?? CodePage437.text(bytes)
        let parts = text.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
        let path = FilePath(parts.joined(separator: "/"))
        let isAbsolute = text.hasPrefix("/") || text.dropFirst().hasPrefix(":\\") || text.dropFirst().hasPrefix(":/")
        if isAbsolute || parts.isEmpty || parts.contains("..") || text.contains("\0") {
            self = .unsafe(text)
        } else if parts.contains(where: { $0.hasPrefix(".") }) || parts.first == "__MACOSX" {
            self = .hidden(path)
        } else {
            self = .relative(path)
        }
    }
}

/// The characters of the first PC (Unicode's mapping table CP437.TXT).
private enum CodePage437 {
    private static let upperHalf = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
        αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """)

    static func text(_ bytes: [UInt8]) -> String {
        String(bytes.map { $0 < 0x80 ? Character(Unicode.Scalar($0)) : upperHalf[Int($0) - 0x80] })
    }
}
