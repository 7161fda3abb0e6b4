import ArgumentParser
import Texel

/// How results are encoded.
struct EncodingOptions: ParsableArguments {
    // Properties are optional, also those with a default, so that a recipe file can set what the command line does not.
    @Option(
        name: [.short, .long],
        help: """
            \(FormatArgument<FormatByExtension>.list(joinedBy: "or")) (default: extension: the format of the output's \
            extension, or else of the input).
            """,
        completion: .list(FormatArgument<FormatByExtension>.allValueStrings),
        transform: FormatArgument<FormatByExtension>.parse)
    var format: FormatArgument<FormatByExtension>?

    @Option(
        name: [.customShort("q", allowingJoined: true), .long],
        help: "Quality, 1 to 100 (default: 80), the same look in every format; of a PNG or GIF, that of its palette.")
    var quality: Int?

    @Option(help: "The smallest file of at least this SSIMULACRA2 score: 90 is indistinguishable, 70 high, 50 medium.")
    var targetScore: Double?

    @Option(
        help: """
            The metric of --target-score: ssimulacra2 (default), butteraugli (maximum distance; 1 is barely visible) \
            or haarpsi (0 to 1).
            """)
    var targetMetric: TargetMetric?

    @Option(help: "The best image of at most this size: 200KB. With --target-score, only an upper limit.")
    var maxBytes: ByteCountArgument?

    @Flag(help: "Scale the image down if --max-bytes cannot be met otherwise.")
    var allowSmaller = false

    @Flag(help: "Write the nearest result if --target-score or --max-bytes cannot be met, instead of failing.")
    var bestEffort = false

    @Flag(help: "Write without loss, a JPEG without changing a coefficient; refuse any loss.")
    var lossless = false

    @Option(help: "Write a WebP without loss after small changes that save bytes: 100 none, 60 hardly visible, 0 most.")
    var nearLossless: Int?

    @Option(
        help: "Quality of the transparency of a lossy WebP or AVIF, 0 to 100 (default: 100, which keeps it exactly).")
    var alphaQuality: Int?

    @Option(help: "Encode with loss only if the file shrinks by at least this fraction (default: 2%).")
    var minGain: PercentageArgument?

    @Option(help: "Give a PNG or GIF a palette of at most 2 to 256 colours; with -q, fewer if they reach the quality.")
    var colors: Int?

    @Option(help: "Effort to reduce the file size (default: balanced for compress, else fast).")
    var effort: Effort?

    @Option(
        help: """
            Chroma subsampling of a JPEG; auto, the default: 420 or 444, whichever needs fewer bytes for the same look.
            """)
    var subsampling: ChromaSubsampling?

    @Flag(help: "Write a progressive or a baseline JPEG (default: baseline with --effort fast, else the smaller one).")
    var process: CodingProcess?

    @Option(help: "Metadata to keep: none, color (profile, density), privacy or all (default: color).")
    var metadata: MetadataPolicy?

    @Option(
        help: "Convert the colours, and store the profile: srgb, display-p3, or the file of an ICC profile.",
        completion: .file())
    var colorProfile: ColorProfileArgument?

    @Option(help: "Pixels per inch that a JPEG, PNG or TIFF declares, 1 to 65535; pixels are not resized for it.")
    var density: Int?

    @Option(
        help: """
            Colour of uncovered pixels and, in formats without transparency, under transparent ones: a CSS colour \
            such as white or #ff8800.
            """)
    var background: PixelColor?

    @Option(help: "Frame of an animation to write, from 0; without it, all frames are kept or the file is refused.")
    var frame: Int?

    @Option(help: "Page of a TIFF or PPM to write, from 1 (default: the first, or all if no pixel changes).")
    var page: Int?

    @Flag(help: "Dither samples of more than 8 bits when they become bytes (PNG, TIFF, PPM).")
    var dither = false

    @Flag(inversion: .prefixedNo, help: "Apply the EXIF orientation (default: --auto-orient).")
    var autoOrient: Bool?

    func apply(to recipe: inout Recipe, defaultEffort: Effort) {
        recipe.appliesOrientation = autoOrient ?? true
        recipe.dithers = dither
        recipe.frame = frame ?? page.map { $0 - 1 }
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
        recipe.output.nearLossless = nearLossless
        recipe.output.alphaQuality = alphaQuality
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
enum CodingProcess: String, EnumerableFlag {
    case progressive, baseline
}

extension Effort: NamedArgument {}
extension TargetMetric: NamedArgument {}
extension ChromaSubsampling: NamedArgument {}
extension MetadataPolicy: NamedArgument {}
