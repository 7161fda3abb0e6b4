import Texel
import TexelText

// The vocabulary of recipes: what a job and a recipe file may set, and what the command line is checked with.

extension EncodingOptions: DescribedOptions {
    static let keys: [OptionKey<EncodingOptions>] = [
        .argument("format", \.format),
        .integer("quality", \.quality, .within(1...100)),
        .number("target-score", \.targetScore, .within(-100...100)),
        .argument("target-metric", \.targetMetric),
        .argument("max-bytes", \.maxBytes, ByteCountArgument.expectation),
        .flag("allow-smaller", \.allowSmaller),
        .flag("best-effort", \.bestEffort),
        .integer("colors", \.colors, .within(PaletteOptions.colorCounts)),
        .flag("lossless", \.lossless),
        .integer("near-lossless", \.nearLossless, .within(0...100)),
        .integer("alpha-quality", \.alphaQuality, .within(0...100)),
        .argument("min-gain", \.minGain, "a percentage such as 2 or \"2%\""),
        .argument("effort", \.effort),
        .argument("subsampling", \.subsampling),
        .choice("progressive", .progressive, \.process),
        .choice("baseline", .baseline, \.process),
        .argument("metadata", \.metadata),
        .argument("color-profile", \.colorProfile, "srgb, display-p3 or the path of an ICC profile"),
        .integer("density", \.density, .within(1...65_535)),
        .argument("background", \.background, PixelColor.expectation),
        .flag("dither", \.dither),
        .flag("auto-orient", \.autoOrient),
        .flag("no-auto-orient", \.autoOrient, isInverted: true),
        .integer("frame", \.frame, .from(0)),
        .integer("page", \.page, .from(1)),
    ]

    static let rules: [OptionRule] = [
        .alternatives([["quality"], ["target-score"]]),
        .alternatives([["frame"], ["page"]]),
        .excludes("lossless", ["quality", "target-score", "max-bytes", "colors", "subsampling"]),
        .alternatives([["lossless"], ["near-lossless"], ["alpha-quality"]]),
        .excludes("near-lossless", ["quality", "target-score", "max-bytes"]),
        .requires("target-metric", oneOf: ["target-score"]),
        .requires("allow-smaller", oneOf: ["max-bytes"]),
        .requires("best-effort", oneOf: ["target-score", "max-bytes"]),
    ]

    func checkMeaning() throws(OptionError) {
        if let targetScore, let targetMetric, !targetMetric.range.contains(targetScore) {
            let (low, high) = (Int(targetMetric.range.lowerBound), Int(targetMetric.range.upperBound))
            throw OptionError(
                """
                \(option: "target-score") \(targetScore) is not between \(low) and \(high), the range of \
                \(targetMetric.rawValue)
                """)
        }
        if colors != nil, let format = format?.format, !format.capabilities.hasPalettes {
            let others = ImageFormat.all.filter(\.capabilities.hasPalettes).list(joinedBy: "or")
            throw OptionError("\(option: "colors") is for \(others); a \(format.displayName) has no palette")
        }
        switch colorProfile?.colorSpace {
        case .failure(let fault): throw OptionError("\(option: "color-profile"): \(fault.message)")
        case .success(let space) where space != .sRGB && metadata == MetadataPolicy.none:
            throw OptionError("\(option: "metadata") none stores no profile; leave out \(option: "color-profile")")
        case .success, nil: break
        }
    }
}

extension SizeOptions: DescribedOptions {
    static let keys: [OptionKey<SizeOptions>] = [
        .widths("width", \.width, side),
        .integer("height", \.height, side),
        .argument("fit", \.fit),
        .argument("scale", \.scale, "a fraction of the size such as \"50%\", 0.5 or \"1/2\""),
        .integer("min-width", \.minWidth, side),
        .integer("min-height", \.minHeight, side),
        .flag("enlarge", \.enlarge),
        .argument("filter", \.filter),
        .flag("linear", \.linear),
        .flag("trim", \.trim),
        .integer("trim-tolerance", \.trimTolerance, .within(0...255)),
        .argument("trim-background", \.trimBackground, PixelColor.expectation),
        .argument("crop", \.crop, "a rectangle such as \"640x480+10+20\", or a size such as \"640x480\""),
        .argument("aspect", \.aspect, "a ratio such as \"16:9\""),
        .argument("gravity", \.gravity),
    ]

    /// A sanity limit on sides given as arguments, in pixels.
    private static let side = OptionRange<Int>.within(1...1_000_000)

    static let rules: [OptionRule] = [
        .alternatives([["width", "height"], ["min-width", "min-height"], ["scale"]]),
        .requires("trim-tolerance", oneOf: ["trim"]),
        .requires("trim-background", oneOf: ["trim"]),
    ]

    func checkMeaning() throws(OptionError) {
        if gravity != nil, fit != .cover, aspect == nil {
            guard case .size = crop else {
                throw OptionError(
                    """
                    \(option: "gravity") requires \(option: "crop") with a size, \(option: "aspect"), or cover as \
                    \(option: "fit")
                    """)
            }
        }
        guard let scale, let number = scale.plainNumber, scale.numerator > scale.denominator, !enlarge else { return }
        throw OptionError(
            """
            \(option: "scale") \(number) enlarges \(number) times and requires \(option: "enlarge"); to shrink, \
            use \(number)% or a number below 1
            """)
    }
}

extension TurningOptions: DescribedOptions {
    static let keys: [OptionKey<TurningOptions>] = [
        .argument("flip", \.flip),
        .number("angle", \.angle, .finiteAngle),
        .number("yaw", \.yaw, .finiteAngle),
        .number("pitch", \.pitch, .finiteAngle),
        .number("roll", \.roll, .finiteAngle),
        .argument("affine", \.affine, "4 or 6 numbers A,B,C,D[,E,F] such as \"1,0.2,0,1\""),
        .argument(
            "perspective", \.perspective,
            "four corners of a convex quadrilateral such as \"10,12 620,30 600,440 5,410\""),
        .choice("perfect", .perfect, \.partialBlocks),
        .choice("trim-blocks", .trimBlocks, \.partialBlocks),
    ]
}

extension ToneOptions: DescribedOptions {
    static let keys: [OptionKey<ToneOptions>] = [
        .number("temperature", \.temperature, .within(1667...25_000)),
        .number("exposure", \.exposure, .within(-20...20)),
        .flag("normalize", \.normalize),
        .argument("levels", \.levels, "BLACK,WHITE[,GAMMA] from 0 to 255 such as \"10,245\" or \"10,245,1.2\""),
        .number("clahe", \.clahe, .within(0...256)),
        .number("brightness", \.brightness, .within(0...1000)),
        .number("contrast", \.contrast, .within(0...1000)),
        .number("gamma", \.gamma, .gamma),
        .argument("curves", \.curves, "points such as \"0,0 128,150 255,255\""),
        .argument("curves-red", \.curvesRed, "points such as \"0,0 128,150 255,255\""),
        .argument("curves-green", \.curvesGreen, "points such as \"0,0 128,150 255,255\""),
        .argument("curves-blue", \.curvesBlue, "points such as \"0,0 128,150 255,255\""),
        .number("saturation", \.saturation, .within(0...8)),
        .number("hue", \.hue, .finiteAngle),
        .argument("color-matrix", \.colorMatrix, "12 numbers such as \"0,0,1,0 0,1,0,0 1,0,0,0\""),
        .argument("lut", \.lut, "the path of a .cube file"),
        .flag("greyscale", \.greyscale),
        .number("sepia", \.sepia, .within(0...1)),
        .argument("tint", \.tint, "a CSS colour such as \"sienna\" or \"#ff8800\""),
        .flag("negate", \.negate),
        .number("threshold", \.threshold, .within(0...255)),
    ]

    func checkMeaning() throws(OptionError) {
        if case .failure(let fault)? = lut?.table { throw OptionError("\(option: "lut"): \(fault.message)") }
    }
}

extension FilterOptions: DescribedOptions {
    static let keys: [OptionKey<FilterOptions>] = [
        .integer("median", \.median, .medianSize),
        .number("blur", \.blur, .within(0...1000)),
        .integer("box-blur", \.boxBlur, .within(0...1000)),
        .argument("sharpen", \.sharpen, "AMOUNT[,RADIUS[,THRESHOLD]] such as \"0.8\" or \"0.8,1.5,2\""),
    ]
}

extension CompositionOptions: DescribedOptions {
    static let keys: [OptionKey<CompositionOptions>] = [
        .text("overlay", \.overlay),
        .argument("overlay-gravity", \.overlayGravity),
        .argument("overlay-offset", \.overlayOffset, "X,Y in pixels such as \"10,20\""),
        .number("overlay-opacity", \.overlayOpacity, .within(0...1)),
        .argument("overlay-blend", \.overlayBlend),
        .argument("overlay-scale", \.overlayScale, "a fraction of the width such as \"20%\", 0.2 or \"1/5\""),
        .flag("overlay-tile", \.overlayTile),
        .integer("overlay-spacing", \.overlaySpacing, .within(0...1_000_000)),
        .text("mask", \.mask),
        .argument("border", \.border, "WIDTH[,COLOR] such as \"10\" or \"10,white\""),
        .argument("round", \.round, "a radius in pixels, a percentage up to \"50%\", or \"circle\""),
        .argument("shadow", \.shadow, "SIGMA[,X,Y] such as \"8\" or \"8,0,4\""),
        .argument("shadow-color", \.shadowColor, "a CSS colour such as \"black\" or \"#00000080\""),
        .argument("extend", \.extend, "pixels such as \"20\", \"10,20\" or \"0,20,40,20\""),
        .argument("extend-with", \.extendWith, "a CSS colour, edge, mirror, wrap or blur[,SIGMA]"),
    ]

    static let rules: [OptionRule] =
        ["gravity", "offset", "opacity", "blend", "scale", "tile"].map { word in
            .requires(OptionName(stringLiteral: "overlay-\(word)"), oneOf: ["overlay"])
        } + [
            .requires("overlay-spacing", oneOf: ["overlay-tile"]),
            .requires("shadow-color", oneOf: ["shadow"]),
            .requires("extend-with", oneOf: ["extend"]),
        ]

    func checkMeaning() throws(OptionError) {
        for (name, path) in [("overlay", overlay), ("mask", mask)] as [(OptionName, String?)] {
            if path?.isEmpty == true { throw OptionError("\(option: name) is empty; name a file") }
            if path == "-" { throw OptionError("\(option: name) cannot be -; name a file") }
        }
        if let overlayScale, overlayScale.numerator > 10 * overlayScale.denominator {
            throw OptionError("\(option: "overlay-scale") is more than 1000%")
        }
    }
}

extension TextDrawingOptions: DescribedOptions {
    static let keys: [OptionKey<TextDrawingOptions>] = [
        .argument("text", \.text, "a text of at least one character"),
        .text("text-font", \.textFont),
        .integer("text-size", \.textSize, .within(1...10_000)),
        .argument("text-color", \.textColor, PixelColor.expectation),
        .argument("text-outline", \.textOutline, "WIDTH[,COLOR] such as 2 or \"1.5,navy\""),
        .integer("text-width", \.textWidth, .within(1...1_000_000)),
        .argument("text-align", \.textAlign),
        .argument("text-background", \.textBackground, "a CSS colour such as \"white\" or \"#00000080\""),
        .argument("text-gravity", \.textGravity),
        .argument("text-offset", \.textOffset, "X,Y in pixels such as \"16,16\""),
        .number("text-opacity", \.textOpacity, .within(0...1)),
        .argument("text-blend", \.textBlend),
        .flag("text-tile", \.textTile),
        .integer("text-spacing", \.textSpacing, .within(0...1_000_000)),
    ]

    static let rules: [OptionRule] =
        keys.map(\.name).filter { $0 != "text" && $0 != "text-spacing" }.map { .requires($0, oneOf: ["text"]) }
        + [.requires("text-spacing", oneOf: ["text-tile"])]

    func checkMeaning() throws(OptionError) {
        do throws(TextError) {
            _ = try image()
        } catch {
            let option: OptionName =
                switch error {
                case .noFonts, .unusableFont, .unknownFamily: "text-font"
                case .invalidParameter, .tooLarge, .pixels: "text"
                }
            throw OptionError("\(option: option): \(ErrorText.sentence(error))")
        }
    }
}

extension ChangeOptions: DescribedOptions {
    static let keys: [OptionKey<ChangeOptions>] =
        ToneOptions.keys.map { $0.within(\.tone) } + FilterOptions.keys.map { $0.within(\.filters) }
        + CompositionOptions.keys.map { $0.within(\.composition) }
        + TextDrawingOptions.keys.map { $0.within(\.text) }

    static let rules = CompositionOptions.rules + TextDrawingOptions.rules

    func checkMeaning() throws(OptionError) {
        try tone.checkMeaning()
        try filters.checkMeaning()
        try composition.checkMeaning()
        try text.checkMeaning()
    }
}

extension LimitOptions: DescribedOptions {
    static let keys: [OptionKey<LimitOptions>] = [
        .flag("untrusted", \.untrusted),
        .integer("limit-pixels", \.limitPixels, .from(1)),
        .integer("limit-side", \.limitSide, .from(1)),
        .integer("limit-chunks", \.limitChunks, .from(1)),
        .integer("limit-scans", \.limitScans, .from(1)),
        .integer("limit-frames", \.limitFrames, .from(1)),
        .integer("limit-warnings", \.limitWarnings, .from(1)),
        .argument("limit-input", \.limitInput, ByteCountArgument.expectation),
        .argument("limit-planned", \.limitPlanned, ByteCountArgument.expectation),
        .argument("limit-inflated", \.limitInflated, ByteCountArgument.expectation),
        .argument("limit-metadata", \.limitMetadata, ByteCountArgument.expectation),
        .argument("limit-memory", \.limitMemory, ByteCountArgument.expectation),
        .argument("timeout", \.timeout, "a time such as 30, \"30s\" or \"500ms\""),
    ]
}

extension OptionKey<StrictnessOptions> {
    static var failOn: OptionKey { .argument("fail-on", \.failOn) }
}

extension PixelColor {
    fileprivate static let expectation = "a CSS colour such as \"white\" or \"#ff8800\""
}

extension ByteCountArgument {
    fileprivate static let expectation = "a number of bytes such as 200000 or \"200KB\""
}
