/// A text without line breaks, with the font, script and direction of each character.
struct Paragraph {
    /// The characters that are drawn.
    let characters: [UInt32]
    /// The index of the first character of each grapheme cluster.
    let clusters: [Int]
    /// Where lines can be broken: the class of each grapheme cluster.
    let classes: [LineBreakClass]
    let isRightToLeft: Bool
    private let levels: [Int8]
    private let scripts: [UInt32]
    private let fonts: [Int]

    /// - Parameters:
    ///   - text: The text. Control characters are drawn as U+FFFD.
    ///   - shaper: Finds scripts and directions.
    ///   - fonts: Returns the font of each character of a grapheme cluster; `nil` for invisible characters, which get
    ///     the font of those before them.
    init(_ text: Substring, _ shaper: any TextShaper, fonts choose: ([Unicode.Scalar]) -> [Int?]) {
        var (characters, clusters, classes, fonts) = ([UInt32](), [Int](), [LineBreakClass](), [Int?]())
        for cluster in text {
            let scalars = cluster.unicodeScalars.map(\.drawn)
            clusters.append(characters.count)
            classes.append(LineBreakClass(of: scalars))
            characters += scalars.map(\.value)
            fonts += choose(scalars)
        }
        let scripts = characters.map(shaper.script(of:))
        (self.characters, self.clusters, self.classes) = (characters, clusters, classes)
        self.fonts = Self.filled(fonts, otherwise: FontStack.main)
        self.scripts = Self.filled(scripts, otherwise: Self.commonScript)
        (levels, isRightToLeft) = shaper.levels(of: characters)
    }

    /// The script of characters that occur with several, in ISO 15924: Zyyy.
    private static let commonScript: UInt32 = 0x5A79_7979

    /// Fills gaps with the value before, and those at the start with the first value.
    private static func filled<Value>(_ values: [Value?], otherwise none: Value) -> [Value] {
        var last = values.lazy.compactMap { $0 }.first ?? none
        return values.map { value in
            last = value ?? last
            return last
        }
    }

    /// Divides a line into runs, in the order in which they are seen from left to right.
    ///
    /// - Parameter line: The indices of the line's characters.
    func runs(of line: Range<Int>) -> [TextRun] {
        var runs: [TextRun] = []
        // Spaces at the end of a line have the direction of the paragraph (UAX #9, L1).
        let end = line.last { !isSpace($0) }.map { $0 + 1 } ?? line.lowerBound
        for index in line {
            let level = index < end ? levels[index] : isRightToLeft ? 1 : 0
            if let last = runs.last, last.font == fonts[index], last.script == scripts[index], last.level == level {
                runs[runs.count - 1].characters = last.characters.lowerBound..<index + 1
            } else {
                runs.append(
                    TextRun(characters: index..<index + 1, font: fonts[index], script: scripts[index], level: level))
            }
        }
        return Self.reordered(runs)
    }

    private func isSpace(_ index: Int) -> Bool { characters[index] == 0x20 }

    /// Reverses all sequences of runs at a level or higher, from the highest level to the lowest odd one (UAX #9, L2).
    private static func reordered(_ runs: [TextRun]) -> [TextRun] {
        var runs = runs
        guard let highest = runs.map(\.level).max(), let lowestOdd = runs.map(\.level).filter({ $0 & 1 != 0 }).min()
        else { return runs }
        for level in stride(from: highest, through: lowestOdd, by: -1) {
            var start = 0
            while let first = runs[start...].firstIndex(where: { $0.level >= level }) {
                let end = runs[first...].firstIndex { $0.level < level } ?? runs.count
                runs[first..<end].reverse()
                start = end
            }
        }
        return runs
    }
}

extension Unicode.Scalar {
    /// The character that is drawn: U+FFFD for control characters.
    fileprivate var drawn: Unicode.Scalar {
        switch value {
        case 0...0x1F, 0x7F...0x9F: "\u{FFFD}"
        default: self
        }
    }
}
