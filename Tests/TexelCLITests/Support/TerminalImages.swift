import Foundation
import Texel

/// Decodes the output for terminals.
enum TerminalImage {
    struct Malformed: Error {}

    /// The pixels of half blocks in 24-bit colours, by rows.
    static func blocks(_ bytes: [UInt8]) throws -> [[UInt32]] {
        var rows: [[UInt32]] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            var (upper, lower): ([UInt32], [UInt32?]) = ([], [])
            var (foreground, background): (UInt32, UInt32?) = (0, nil)
            var rest = line
            while let character = rest.popFirst() {
                if character == "▀" {
                    upper.append(foreground)
                    lower.append(background)
                    continue
                }
                guard character == "\u{1B}", rest.popFirst() == "[", let end = rest.firstIndex(of: "m") else {
                    throw Malformed()
                }
                let numbers = rest[..<end].split(separator: ";").map { UInt32($0) ?? 0 }
                rest = rest[rest.index(after: end)...]
                if numbers == [0] { continue }
                guard numbers.count == 5, numbers[1] == 2 else { throw Malformed() }
                let color = 0xFF00_0000 | numbers[2] << 16 | numbers[3] << 8 | numbers[4]
                if numbers[0] == 38 { foreground = color } else { background = color }
            }
            rows.append(upper)
            // An odd last row has no row below it.
            let below = lower.compactMap { $0 }
            if below.count == upper.count { rows.append(below) }
        }
        return rows
    }

    /// The file in the kitty graphics protocol, and the keys of its first chunk.
    static func kitty(_ bytes: [UInt8]) throws -> (keys: String, file: [UInt8]) {
        var rest = bytes[...]
        var (keys, text, isOver) = ("", [UInt8](), false)
        while rest.starts(with: "\u{1B}_G".utf8) {
            guard !isOver, let semicolon = rest.firstIndex(of: UInt8(ascii: ";")),
                let end = rest[semicolon...].firstIndex(of: 0x1B), rest[end...].starts(with: "\u{1B}\\".utf8)
            else { throw Malformed() }
            let own = String(decoding: rest[(rest.startIndex + 3)..<semicolon], as: UTF8.self)
            let piece = rest[(semicolon + 1)..<end]
            guard piece.count <= 4096, keys.isEmpty || own.hasPrefix("m=") else { throw Malformed() }
            if keys.isEmpty { keys = own }
            isOver = own.hasSuffix("m=0")
            text += piece
            rest = rest[(end + 2)...]
        }
        guard isOver, rest.elementsEqual("\n".utf8), let data = Data(base64Encoded: Data(text)) else {
            throw Malformed()
        }
        return (keys, [UInt8](data))
    }

    /// The pixels of sixels, by rows; `nil` if nothing was drawn.
    static func sixels(_ bytes: [UInt8]) throws -> [[UInt32?]] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.range(of: "\u{1B}P0;1q"), text.hasSuffix("\u{1B}\\\n") else { throw Malformed() }
        var rest = Array(text[start.upperBound...].utf8.dropLast(3))[...]
        func numbers() -> [Int] {
            let part = rest.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
            rest = rest.dropFirst(part.count)
            return String(decoding: part, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        }
        guard rest.popFirst() == UInt8(ascii: "\"") else { throw Malformed() }
        let raster = numbers()
        guard raster.count == 4, raster[0] == 1, raster[1] == 1 else { throw Malformed() }
        var rows = Array(repeating: [UInt32?](repeating: nil, count: raster[2]), count: raster[3])
        var palette: [Int: UInt32] = [:]
        var (color, x, y) = (0, 0, 0)
        func draw(_ character: UInt8, _ count: Int) throws {
            guard (0x3F...0x7E).contains(character), x + count <= raster[2] else { throw Malformed() }
            for bit in 0..<6 where (character - 0x3F) >> bit & 1 == 1 {
                guard y + bit < raster[3], let value = palette[color] else { throw Malformed() }
                for column in x..<(x + count) { rows[y + bit][column] = value }
            }
            x += count
        }
        while let character = rest.popFirst() {
            switch character {
            case UInt8(ascii: "#"):
                let values = numbers()
                color = values[0]
                guard color < 256 else { throw Malformed() }
                if values.count == 5 {
                    func level(_ percent: Int) -> UInt32 { UInt32((percent * 255 + 50) / 100) }
                    palette[color] = 0xFF00_0000 | level(values[2]) << 16 | level(values[3]) << 8 | level(values[4])
                }
            case UInt8(ascii: "!"):
                let count = numbers()
                guard let repeated = rest.popFirst() else { throw Malformed() }
                try draw(repeated, count[0])
            case UInt8(ascii: "$"): x = 0
            case UInt8(ascii: "-"): (x, y) = (0, y + 6)
            default: try draw(character, 1)
            }
        }
        return rows
    }
}
