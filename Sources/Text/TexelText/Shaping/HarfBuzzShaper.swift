#if Shaping
    import CFreeType
    import CShapingShim
    import TexelCodecs
    import TexelCore

    /// Shapes runs with HarfBuzz, and finds their directions with FriBidi.
    final class HarfBuzzShaper: TextShaper {
        static let libraries = [LoadedLibrary.harfBuzz, .friBidi]

        private let handle: OpaquePointer
        private var fonts: [ObjectIdentifier: ShapingFont] = [:]

        let limitation: String? = nil

        /// Loads the libraries.
        ///
        /// - Throws: `missingLibrary`, `outOfMemory`.
        init() throws(TexelError) {
            for library in Self.libraries { try library.require() }
            guard let handle = texel_shaper_create() else { throw .outOfMemory }
            self.handle = handle
        }

        deinit { texel_shaper_destroy(handle) }

        func levels(of text: [UInt32]) -> (levels: [Int8], isRightToLeft: Bool) {
            var levels = [Int8](repeating: 0, count: text.count)
            var isRightToLeft = false
            // Without memory all characters run from left to right.
            _ = texel_bidi_levels(text, text.count, &levels, &isRightToLeft)
            return (levels, isRightToLeft)
        }

        func script(of character: UInt32) -> UInt32? {
            let script = texel_script(character)
            return Self.sharedScripts.contains(script) ? nil : script
        }

        /// The scripts of characters that occur with several scripts, or with that of the character before, or are not
        /// assigned: Zyyy, Zinh and Zzzz.
        private static let sharedScripts: Set<UInt32> = [0x5A79_7979, 0x5A69_6E68, 0x5A7A_7A7A]

        func glyphs(of run: TextRun, in text: [UInt32], _ face: FontFace) -> [ShapedGlyph] {
            guard let font = font(of: face) else { return [] }
            let count = texel_shaper_shape(
                handle, font.handle, text, text.count, run.characters.lowerBound, run.characters.count, run.script,
                run.isRightToLeft)
            guard count > 0 else { return [] }
            let glyphs = [texel_shaped_glyph](unsafeUninitializedCapacity: count) { glyphs, initialized in
                texel_shaper_copy(handle, glyphs.baseAddress)
                initialized = count
            }
            return glyphs.map {
                ShapedGlyph(
                    index: $0.glyph, character: Int($0.character), advance: Int($0.advance), x: Int($0.x), y: Int($0.y))
            }
        }

        private func font(of face: FontFace) -> ShapingFont? {
            if let font = fonts[ObjectIdentifier(face)] { return font }
            let font = ShapingFont(face)
            fonts[ObjectIdentifier(face)] = font
            return font
        }
    }

    /// A font as HarfBuzz sees it. Tables, glyphs and metrics come from FreeType, which also reads compressed fonts and
    /// other kinds than OpenType.
    private final class ShapingFont {
        let handle: OpaquePointer
        private let face: FontFace

        /// Creates the font; `nil` if memory is short.
        init?(_ face: FontFace) {
            var callbacks = texel_shaping_callbacks(
                copy_table: { context, tag, bytes, count in
                    ShapingFont.ask(context, otherwise: 0) { face in
                        var length = FT_ULong(count)
                        return FT_Load_Sfnt_Table(face.handle, FT_ULong(tag), 0, bytes, &length) == 0 ? Int(length) : 0
                    }
                },
                glyph: { context, character in
                    ShapingFont.ask(context, otherwise: 0) { face in
                        Unicode.Scalar(character).map(face.index) ?? 0
                    }
                },
                variant: { context, character, selector in
                    ShapingFont.ask(context, otherwise: 0) { face in
                        FT_Face_GetCharVariantIndex(face.handle, FT_ULong(character), FT_ULong(selector))
                    }
                },
                advance: { context, glyph in
                    ShapingFont.ask(context, otherwise: 0) { Int32(clamping: $0.metrics(of: glyph).advance) }
                },
                box: { context, glyph in
                    ShapingFont.ask(context, otherwise: texel_glyph_box()) { face in
                        let metrics = face.metrics(of: glyph)
                        return texel_glyph_box(
                            left: Int32(clamping: metrics.left), right: Int32(clamping: metrics.right),
                            top: Int32(clamping: metrics.top), bottom: Int32(clamping: metrics.bottom))
                    }
                })
            let font = face.handle.pointee
            // A bitmap font may state no units.
            let unitsPerEm = font.units_per_EM > 0 ? UInt32(font.units_per_EM) : 1000
            let instance = Int32(font.face_index >> 16 & 0x7FFF) - 1
            guard
                let handle = texel_shaping_font_create(
                    &callbacks, Unmanaged.passUnretained(face).toOpaque(), Int32(face.size), unitsPerEm,
                    UInt32(clamping: font.num_glyphs), instance)
            else { return nil }
            self.handle = handle
            self.face = face
        }

        deinit { texel_shaping_font_destroy(handle) }

        /// Calls `body` with the face that is a callback's context.
        private static func ask<Answer>(
            _ context: UnsafeMutableRawPointer?, otherwise none: Answer, _ body: (FontFace) -> Answer
        ) -> Answer {
            guard let context else { return none }
            // The font keeps its face.
            return body(Unmanaged<FontFace>.fromOpaque(context).takeUnretainedValue())
        }
    }

    extension LoadedLibrary {
        /// Shapes text.
        fileprivate static let harfBuzz = LoadedLibrary(
            "libharfbuzz", package: "libharfbuzz0b", load: { texel_harfbuzz_load($0) },
            version: { String(cString: texel_harfbuzz_version()) }, path: { String(cString: texel_harfbuzz_path()) })

        /// Finds the directions of characters.
        fileprivate static let friBidi = LoadedLibrary(
            "libfribidi", package: "libfribidi0", load: { texel_fribidi_load($0) }, version: { friBidiVersion },
            path: { String(cString: texel_fribidi_path()) })

        /// FriBidi returns "(GNU FriBidi) 1.0.8" and its build settings.
        private static var friBidiVersion: String {
            let text = String(cString: texel_fribidi_version())
            let line = text.prefix { $0 != "\n" }
            return line.split(separator: " ").last.map(String.init) ?? text
        }
    }
#endif
