public import TexelCodecs
public import TexelPixels

/// Options for writing a PNG.
public struct PNGOptions: Sendable, Hashable {
    /// The filter that is applied to rows before compression.
    public enum Filter: Sendable, Hashable, CaseIterable {
        case unfiltered, sub, up, average, paeth
        /// For each row, the filter with the smallest sum of absolute differences (PNG specification, 12.7).
        case adaptive
    }

    /// The compression level, 0 (stored) to 9 (smallest); `nil` lets the effort decide.
    public var level: Int?
    /// The row filter; `nil` lets the encoder choose.
    public var filter: Filter?
    /// Whether to use a palette, greyscale, fewer bits per sample or no alpha channel if that loses nothing.
    public var reducesLosslessly = true
    /// The time to spend.
    public var effort = Effort.balanced
    /// Whether the file is written again only to save bytes: at the effort `balanced` the search then takes several
    /// times as long.
    public var compresses = false
    /// How to reduce the number of colours; `nil` keeps all of them.
    public var palette: PaletteOptions?
    /// Whether to write the image with all its colours if the palette saves no bytes. A search compares the files
    /// itself.
    package var keepsSmallerLossless = true

    /// Creates options; each parameter sets the property of its name. The defaults are lossless.
    public init(
        level: Int? = nil, filter: Filter? = nil, reducesLosslessly: Bool = true, effort: Effort = .balanced,
        palette: PaletteOptions? = nil
    ) {
        self.level = level
        self.filter = filter
        self.reducesLosslessly = reducesLosslessly
        self.effort = effort
        self.palette = palette
    }

    /// Creates options from those that all formats share.
    package init(_ settings: EncodingSettings) {
        self.init(effort: settings.effort, palette: settings.palette)
        compresses = settings.compresses
        if settings.isEffortLowered { level = Self.levelOfLargeImages }
    }

    /// The level for images that are too large for a better one.
    static let levelOfLargeImages = 7
}
