import CFreeType

/// Draws glyphs as lines along their outlines, with round corners.
final class GlyphStroker {
    let handle: FT_Stroker
    private let library: FontLibrary

    /// Creates a stroker.
    ///
    /// - Parameters:
    ///   - radius: half the width of the line, in 64ths of a pixel.
    ///   - library: the FreeType instance.
    /// - Returns: `nil` if memory is short.
    init?(radius: Int, in library: FontLibrary) {
        var handle: FT_Stroker?
        guard FT_Stroker_New(library.handle, &handle) == 0, let handle else { return nil }
        FT_Stroker_Set(handle, FT_Fixed(radius), FT_STROKER_LINECAP_ROUND, FT_STROKER_LINEJOIN_ROUND, 0)
        self.handle = handle
        self.library = library
    }

    deinit { FT_Stroker_Done(handle) }
}
