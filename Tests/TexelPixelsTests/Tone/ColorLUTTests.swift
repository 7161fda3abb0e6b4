import Foundation
import TestSupport
import Testing

import TexelCore
@testable import TexelPixels

/// The text of `.cube` files, valid and not.
@Suite struct ColorLUTTests {
    private static let entries = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)" }.joined(separator: "\n")

    @Test func keywordsOfCubeFilesAreRead() throws {
        let text = """
            # A comment, then a blank line

            TITLE "A look, \\"warm\\""
            DOMAIN_MIN 0 -0.5 1e-3
            DOMAIN_MAX\t1 +1.5 .5
              LUT_3D_SIZE 2\r
            # between
            \(Self.entries)

            """
        let table = try ColorLUT(cubeText: text)
        #expect(table.title == "A look, \\\"warm\\\"" && table.shape == .cube && table.size == 2)
        #expect(table.domain == ColorLUT.Domain(lower: [0, -0.5, 0.001], upper: [1, 1.5, 0.5]))
        #expect(Array(table.values.prefix(6)) == [0, 0, 0, 1, 0, 0] && table.values.count == 24)
        let range = try ColorLUT(cubeText: "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 4\n0 0 0\n1 1 1")
        #expect(range.domain.upper == [4, 4, 4] && range.title == nil && range.shape == .curves)
        // Lines that end with CR and LF, a mark at the beginning that editors leave, and no end of the last line.
        #expect(try ColorLUT(cubeText: "\u{FEFF}LUT_3D_SIZE 2\r\n" + Self.entries).size == 2)
    }

    private static let invalid: [(String, Int, CubeTextFault)] = [
        ("", 1, .missingSize), ("TITLE \"x\"\n", 2, .missingSize), ("0 0 0\nLUT_3D_SIZE 2", 1, .missingSize),
        ("LUT_3D_SIZE 1", 1, .invalidSize(1, largest: 256)), ("LUT_3D_SIZE 257", 1, .invalidSize(257, largest: 256)),
        ("LUT_3D_SIZE -5", 1, .invalidSize(-5, largest: 256)),
        ("LUT_3D_SIZE 99999999999999999999", 1, .notANumber("99999999999999999999")),
        ("LUT_1D_SIZE 65537", 1, .invalidSize(65_537, largest: 65_536)), ("LUT_3D_SIZE 2.0", 1, .notANumber("2.0")),
        ("LUT_3D_SIZE", 1, .valueCount(expected: 1, actual: 0)),
        ("LUT_3D_SIZE 2 2", 1, .valueCount(expected: 1, actual: 2)),
        ("LUT_3D_SIZE 2\nLUT_1D_SIZE 2", 2, .repeatedKeyword("the size")),
        ("LUT_3D_SIZE 2\nLUT_3D_SIZE 2", 2, .repeatedKeyword("LUT_3D_SIZE")),
        ("# x\nLUT_4D_SIZE 2", 2, .unknownKeyword("LUT_4D_SIZE")), ("<html>", 1, .unknownKeyword("<html>")),
        ("DOMAIN_MIN 0 0", 1, .valueCount(expected: 3, actual: 2)), ("DOMAIN_MAX 1 1 x", 1, .notANumber("x")),
        ("DOMAIN_MIN 1 0 0\nLUT_1D_SIZE 2\n0 0 0\n1 1 1", 4, .invalidDomain),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1", 3, .valueCount(expected: 3, actual: 2)),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1 nan", 3, .notANumber("nan")),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1 1e99", 3, .notANumber("1e99")),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1 0x1p0", 3, .notANumber("0x1p0")),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1 -", 3, .notANumber("-")),
        ("LUT_1D_SIZE 2\n0 0 0\n", 3, .entryCount(expected: 2, actual: 1)),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n2 2 2\n", 4, .entryCount(expected: 2, actual: 3)),
        ("LUT_1D_SIZE 2\n0 0 0\nTITLE \"x\"\n", 3, .keywordAfterEntries("TITLE")),
        ("LUT_1D_SIZE 2\n0 0 0\nnan 0 0\n", 3, .unknownKeyword("nan")),
    ]

    @Test(arguments: invalid.indices) func errorsHaveTheirLine(index: Int) throws {
        let (text, line, problem) = Self.invalid[index]
        let error = try #require(throws: TexelError.self) { try ColorLUT(cubeText: text) }
        #expect(error == problem.error(inLine: line), "\(text)")
        #expect(error.description.hasPrefix("line \(line): ") && error.localizedDescription == error.description)
    }

    /// Text that was damaged anywhere gives a table or an error.
    @Test func damagedTextNeverTraps() throws {
        let text = Array("TITLE \"t\"\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\nLUT_3D_SIZE 2\n\(Self.entries)\n".utf8)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                damaged[Int.random(in: damaged.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            damaged.removeLast(Int.random(in: 0...3, using: &generator))
            _ = try? ColorLUT(cubeText: String(decoding: damaged, as: UTF8.self))
        }
    }

    @Test func tablesAreCodable() throws {
        let table = try ColorLUT(cubeText: "TITLE \"x\"\nLUT_3D_SIZE 2\nDOMAIN_MAX 2 2 2\n" + Self.entries)
        let data = try JSONEncoder().encode(table)
        let read = try JSONDecoder().decode(ColorLUT.self, from: data)
        #expect(read == table && read.title == "x" && read.hashValue == table.hashValue)
        #expect(read.contents == table.contents)
        let text = String(decoding: data, as: UTF8.self)
        for (part, other) in [
            ("\"size\":2", "\"size\":3"), ("\"size\":2", "\"size\":1"), ("\"size\":2", "\"size\":4611686018427387904"),
            ("[2,2,2]", "[2,2]"), ("[2,2,2]", "[2,2,0]"), ("\"cube\"", "\"sphere\""),
        ] {
            let damaged = text.replacingOccurrences(of: part, with: other)
            #expect(damaged != text)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(ColorLUT.self, from: Data(damaged.utf8)) }
        }
    }

    @Test func titlesDoNotMatter() throws {
        let table = try ColorLUT(cubeText: "LUT_3D_SIZE 2\n" + Self.entries)
        #expect(try ColorLUT(cubeText: "TITLE \"x\"\nLUT_3D_SIZE 2\n" + Self.entries) == table)
        let other = try ColorLUT(cubeText: "LUT_3D_SIZE 2\nDOMAIN_MAX 1 1 2\n" + Self.entries)
        #expect(other != table && other.contents != table.contents)
    }
}
