#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The kitty graphics protocol: a PNG as base64, in pieces (https://sw.kovidgoyal.net/kitty/graphics-protocol).
enum KittyWriter {
    /// What a terminal must take at once.
    private static let pieceLength = 4096

    /// - Parameter columns: how wide the terminal is to draw it, in characters; `nil` draws it as it is.
    static func bytes(of file: [UInt8], columns: Int?) -> [UInt8] {
        var rest = Array(Data(file).base64EncodedString().utf8)[...]
        // Drawn at once, of PNG's format, without an answer.
        var keys = "a=T,f=100,q=2," + (columns.map { "c=\($0)," } ?? "")
        var result: [UInt8] = []
        while !keys.isEmpty || !rest.isEmpty {
            let piece = rest.prefix(pieceLength)
            rest = rest.dropFirst(pieceLength)
            result += "\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);".utf8
            result += piece
            result += "\u{1B}\\".utf8
            keys = ""
        }
        return result + "\n".utf8
    }
}
