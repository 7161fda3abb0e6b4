#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the kitty graphics protocol: a PNG as base64, in chunks
/// (https://sw.kovidgoyal.net/kitty/graphics-protocol).
enum KittyWriter {
    /// The maximum length of a chunk in the protocol.
    private static let pieceLength = 4096

    /// Encodes a PNG file for the terminal.
    ///
    /// - Parameter columns: the width of the drawn image in characters; `nil` draws it at its own size.
    static func bytes(of file: [UInt8], columns: Int?) -> [UInt8] {
        var rest = Array(Data(file).base64EncodedString().utf8)[...]
        // Transmit and display, as PNG, without responses.
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
