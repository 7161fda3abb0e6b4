package import TexelCodecs
import TexelCore

/// A glyph of a shaped run. Distances are in 64ths of a pixel; positive is right and up.
struct ShapedGlyph {
    var index: UInt32
    /// The index of the first character that the glyph stands for.
    var character: Int
    /// The distance to the next glyph.
    var advance: Int
    /// The offset from the pen.
    var x = 0
    var y = 0
}

/// A part of a text whose characters have one font, script and direction.
struct TextRun {
    /// The indices of its characters.
    var characters: Range<Int>
    /// The number of the font.
    var font: Int
    /// The script, as the shaper numbers it.
    var script: UInt32
    /// The embedding level; odd ones run from right to left.
    var level: Int8

    var isRightToLeft: Bool { level & 1 != 0 }
}

/// Chooses and places the glyphs of runs. Used by one thread at a time.
protocol TextShaper {
    /// Why scripts that need shaping are not rendered correctly; `nil` if they are.
    var limitation: String? { get }

    /// Returns the embedding level of each character of a paragraph, and whether the paragraph runs from right to left.
    func levels(of text: [UInt32]) -> (levels: [Int8], isRightToLeft: Bool)

    /// Returns the script of a character; `nil` if it has that of its neighbours.
    func script(of character: UInt32) -> UInt32?

    /// Shapes a run.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - text: The paragraph of the run.
    ///   - face: The run's font.
    /// - Returns: The glyphs from left to right.
    func glyphs(of run: TextRun, in text: [UInt32], _ face: FontFace) -> [ShapedGlyph]
}

/// The libraries that shape text.
package enum TextShaping {
    /// Their versions and files; loads them. Empty without the package trait `Shaping`.
    package static var libraries: [LinkedLibrary] {
        #if Shaping
            HarfBuzzShaper.libraries.map(\.description)
        #else
            []
        #endif
    }

    /// Returns a shaper of all scripts if the libraries are installed, otherwise one that places glyph after glyph.
    static func shaper() -> any TextShaper {
        #if Shaping
            do throws(TexelError) {
                return try HarfBuzzShaper()
            } catch {
                return GlyphAfterGlyph(limitation: "\(error)")
            }
        #else
            return GlyphAfterGlyph(limitation: "Texel was built without the trait Shaping")
        #endif
    }
}

/// Places characters from left to right, with the font's kerning table.
struct GlyphAfterGlyph: TextShaper {
    let limitation: String?

    func levels(of text: [UInt32]) -> (levels: [Int8], isRightToLeft: Bool) {
        ([Int8](repeating: 0, count: text.count), false)
    }

    func script(of character: UInt32) -> UInt32? { nil }

    func glyphs(of run: TextRun, in text: [UInt32], _ face: FontFace) -> [ShapedGlyph] {
        var glyphs: [ShapedGlyph] = []
        for character in run.characters {
            guard let scalar = Unicode.Scalar(text[character]), !scalar.properties.isDefaultIgnorableCodePoint else {
                continue
            }
            let index = face.index(of: scalar)
            if let last = glyphs.indices.last { glyphs[last].advance += face.kerning(glyphs[last].index, index) }
            glyphs.append(ShapedGlyph(index: index, character: character, advance: face.metrics(of: index).advance))
        }
        return glyphs
    }
}
