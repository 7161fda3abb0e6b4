import Texel

/// How results are encoded.
struct EncodingOptions: ParameterGroup {
    var format: FormatArgument<FormatByExtension>?
    var quality: Int?
    var targetScore: Double?
    var targetMetric: TargetMetric?
    var maxBytes: ByteCountArgument?
    var allowSmaller = false
    var bestEffort = false
    var lossless = false
    /// Values of the parameters that codecs declare.
    var parameters = ParameterValues()
    var minGain: PercentageArgument?
    var colors: Int?
    var effort: Effort?
    var subsampling: ChromaSubsampling?
    var process: CodingProcess?
    var metadata: MetadataPolicy?
    var colorProfile: ColorProfileArgument?
    var density: Int?
    var background: PixelColor?
    var animation = AnimationOptions()
    var page: Int?
    var dither = false
    var autoOrient: Bool?

    private static let declared = CodecRegistry.shared.parameters

    static let options =
        targets + declared.map(Option.parameter) + terms + AnimationOptions.options(at: \.animation) + lastTerms

    private static let targets: [Option<Self>] = [
        .format(
            "format", \.format,
            help: """
                \(FormatArguments.names); or \(FormatByExtension.word): the format of the output's extension, or \
                else of the input.
                """
        ).short("f").defaulting(to: FormatByExtension.word),
        .integer(
            "quality", \.quality, .within(1...100),
            help: "Quality, 1 to 100, comparable across formats; for PNG and GIF, the quality of the palette."
        ).defaulting(to: "80").short("q"),
        .number(
            "target-score", \.targetScore, .within(-100...100),
            help: "The smallest file of at least this SSIMULACRA2 score: 90 is indistinguishable, 70 high, 50 medium."),
        .argument(
            "target-metric", \.targetMetric,
            help: """
                The metric of --target-score: ssimulacra2 (default), butteraugli (maximum distance; 1 is barely \
                visible) or haarpsi (0 to 1).
                """),
        .argument(
            "max-bytes", \.maxBytes, ByteCountArgument.expectation,
            help: "The best image of at most this size: 200KB. With --target-score, only an upper limit."),
        .flag("allow-smaller", \.allowSmaller, help: "Scale the image down if --max-bytes cannot be met otherwise."),
        .flag(
            "best-effort", \.bestEffort,
            help: "Write the nearest result if --target-score or --max-bytes cannot be met, instead of failing."),
        .flag(
            "lossless", \.lossless,
            help: "Write without loss, a JPEG without changing a coefficient; refuse any loss."),
    ]

    private static let terms: [Option<Self>] = [
        .argument(
            "min-gain", \.minGain, "a percentage such as 2 or \"2%\"",
            help: "Encode with loss only if the file shrinks by at least this fraction."
        ).defaulting(to: "2%"),
        .integer(
            "colors", \.colors, .within(PaletteOptions.colorCounts),
            help: "Give a PNG or GIF a palette of at most 2 to 256 colours; with -q, fewer if they reach the quality."),
        .argument("effort", \.effort, help: "Effort to reduce the file size.").defaulting(
            to: "balanced for compress, else fast"),
        .argument(
            "subsampling", \.subsampling,
            help: """
                Chroma subsampling of a JPEG; auto: 420 or 444, whichever needs fewer bytes for the same look.
                """
        ).defaulting(to: "auto"),
        .choice("progressive", .progressive, \.process, help: "Write a progressive or a baseline JPEG.").defaulting(
            to: "baseline with --effort fast, else the smaller one"),
        .choice("baseline", .baseline, \.process),
        .argument(
            "metadata", \.metadata, help: "Metadata to keep: none, color, privacy or all; color is profile and density."
        )
        .defaulting(to: "color"),
        .argument(
            "color-profile", \.colorProfile, "srgb, display-p3 or the path of an ICC profile",
            help: "Convert the colours, and store the profile: srgb, display-p3, or the file of an ICC profile."
        ).completed(with: .file),
        .integer(
            "density", \.density, .within(1...65_535),
            help: "Pixels per inch that a JPEG, PNG or TIFF declares, 1 to 65535; pixels are not resized for it."),
        .argument(
            "background", \.background, PixelColor.expectation,
            help: """
                Colour of uncovered pixels and, in formats without transparency, under transparent ones: a CSS colour \
                such as white or #ff8800.
                """),
    ]

    private static let lastTerms: [Option<Self>] = [
        .integer("page", \.page, .from(1), help: "Page of a TIFF or PPM to write, from 1.").defaulting(
            to: "the first, or all if no pixel changes"),
        .flag("dither", \.dither, help: "Dither samples of more than 8 bits when they become bytes (PNG, TIFF, PPM)."),
        .flag("auto-orient", \.autoOrient, help: "Apply the EXIF orientation.").defaulting(to: "--auto-orient"),
        .flag("no-auto-orient", \.autoOrient, isInverted: true),
    ]

    static let rules = ownRules + OptionRule.rules(of: declared)

    private static let ownRules: [OptionRule] = [
        .alternatives([["quality"], ["target-score"]]),
        .alternatives([["frame"], ["page"]]),
        .excludes("lossless", ["quality", "target-score", "max-bytes", "colors", "subsampling"]),
        .requires("target-metric", oneOf: ["target-score"]),
        .requires("allow-smaller", oneOf: ["max-bytes"]),
        .requires("best-effort", oneOf: ["target-score", "max-bytes"]),
    ]

    func checkMeaning() throws(OptionError) {
        try animation.check()
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

    func apply(to recipe: inout Recipe, defaultEffort: Effort) {
        recipe.appliesOrientation = autoOrient ?? true
        recipe.dithers = dither
        recipe.frame = page.map { $0 - 1 }
        animation.apply(to: &recipe)
        recipe.output.format = format?.format
        recipe.output.quality = quality
        recipe.output.target = EncodingTarget(
            score: targetScore, metric: targetMetric ?? .ssimulacra2, byteLimit: maxBytes?.bytes,
            allowsSmaller: allowSmaller, isBestEffort: bestEffort)
        if colors != nil || quality != nil {
            recipe.output.palette = PaletteOptions(
                colors: colors ?? PaletteOptions.colorCounts.upperBound, quality: quality,
                allowsLowerQuality: colors != nil)
        }
        if lossless { recipe.output.isLossless = true }
        recipe.output.parameters = parameters
        if let minGain { recipe.output.minimumGain = minGain.part }
        recipe.output.effort = effort ?? defaultEffort
        recipe.output.subsampling = subsampling ?? .automatic
        recipe.output.isProgressive = process.map { $0 == .progressive }
        recipe.output.metadata = metadata ?? .color
        // A file that cannot be read is refused by the check of the options.
        recipe.output.colorSpace = try? colorProfile?.colorSpace.get()
        recipe.output.density = density.flatMap { PixelDensity(pixelsPerInch: UInt32(clamping: $0)) }
        recipe.output.background = background
    }
}

/// The two coding processes of formats that have a choice.
enum CodingProcess: String, Sendable {
    case progressive, baseline
}

extension Effort: NamedArgument {}
extension TargetMetric: NamedArgument {}
extension ChromaSubsampling: NamedArgument {}
extension MetadataPolicy: NamedArgument {}
