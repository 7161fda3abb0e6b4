import ArgumentParser
import Texel

/// How results are encoded.
struct EncodingOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "auto, jpeg or png; auto follows the output's extension, then the input.")
    var format = FormatArgument.auto

    @Option(
        name: [.customShort("q", allowingJoined: true), .long],
        help: "1 to 100: a JPEG's (default: 80). A PNG gets a palette that is good enough for it.")
    var quality: Int?

    @Option(help: "The smallest file whose SSIMULACRA2 is at least this: 90 cannot be told apart, 70 high, 50 medium.")
    var targetScore: Double?

    @Option(help: "The best picture of at most so many bytes: 200KB. With --target-score only a bound.")
    var maxBytes: ByteCountArgument?

    @Flag(help: "Make the picture smaller where --max-bytes cannot be met otherwise.")
    var allowSmaller = false

    @Flag(help: "Write the nearest where --target-score or --max-bytes cannot be met; else nothing is written.")
    var bestEffort = false

    @Flag(help: "Make a JPEG smaller without changing a coefficient; refuse what would lose something.")
    var lossless = false

    @Option(help: "Encode with loss only if the file loses at least this part of its bytes (default: 2%).")
    var minGain: PercentageArgument?

    @Option(help: "Give a PNG a palette of at most 2 to 256 colours; with -q of fewer if they are good enough.")
    var colors: Int?

    @Option(help: "How long to look for fewer bytes (default: balanced for compress, else fast).")
    var effort: Effort?

    @Option(help: "Colour samples of a JPEG; auto: 444 where needed and from quality 97 (fast: 90), else 420.")
    var subsampling = ChromaSubsampling.automatic

    @Flag(help: "Write a progressive or a baseline JPEG (default: baseline with --effort fast, else the smaller).")
    var process: JPEGProcess?

    @Option(help: "What to keep beside the pixels: none, color (profile, density), privacy or all.")
    var metadata = MetadataPolicy.color

    @Option(help: "Behind transparent and uncovered pixels: a CSS colour such as white or #ff8800.")
    var background: PixelColor?

    @Option(help: "Which frame of an animation to write, from 0; without it all frames are kept or none is written.")
    var frame: Int?

    @Flag(inversion: .prefixedNo, help: "Turn pictures upright as their EXIF orientation says.")
    var autoOrient = true

    func check() throws {
        if let frame, frame < 0 { throw ValidationError("--frame \(frame) is not 0 or more.") }
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality \(quality) is not between 1 and 100.")
        }
        if let targetScore, !(-100...100).contains(targetScore) {
            throw ValidationError("--target-score \(targetScore) is not between -100 and 100.")
        }
        if targetScore != nil, quality != nil {
            throw ValidationError(
                "--quality and --target-score both say how good the picture is to be; leave one away.")
        }
        if lossless, quality != nil || targetScore != nil || maxBytes != nil || colors != nil {
            throw ValidationError(
                "--lossless changes no pixel; leave out --quality, --target-score, --max-bytes and --colors.")
        }
        if allowSmaller, maxBytes == nil { throw ValidationError("--allow-smaller wants --max-bytes.") }
        if bestEffort, maxBytes == nil, targetScore == nil {
            throw ValidationError("--best-effort wants --target-score or --max-bytes.")
        }
        if let colors, !PaletteOptions.colorCounts.contains(colors) {
            throw ValidationError("--colors \(colors) is not between 2 and 256.")
        }
        if colors != nil, format == .jpeg {
            throw ValidationError("--colors is for PNG; a JPEG has no palette.")
        }
    }

    /// The flags that have no effect on a result of this format, without their dashes.
    func unusedFlags(for format: ImageFormat) -> [String] {
        switch format {
        case .jpeg:
            (colors == nil ? [] : ["colors"]) + (background.map { $0.alpha < 255 } ?? false ? ["background"] : [])
        case .png:
            (process.map { [$0.rawValue] } ?? []) + (subsampling == .automatic ? [] : ["subsampling"])
        }
    }

    func apply(to recipe: inout Recipe, defaultEffort: Effort) {
        recipe.appliesOrientation = autoOrient
        recipe.frame = frame
        recipe.output.format = format.format
        recipe.output.quality = quality
        recipe.output.target = EncodingTarget(
            score: targetScore, byteLimit: maxBytes?.bytes, allowsSmaller: allowSmaller, isBestEffort: bestEffort)
        if colors != nil || quality != nil {
            recipe.output.palette = PaletteOptions(
                colors: colors ?? PaletteOptions.colorCounts.upperBound, quality: quality,
                allowsLowerQuality: colors != nil)
        }
        if lossless { recipe.output.isLossless = true }
        if let minGain { recipe.output.minimumGain = minGain.part }
        recipe.output.effort = effort ?? defaultEffort
        recipe.output.subsampling = subsampling
        recipe.output.isProgressive = process.map { $0 == .progressive }
        recipe.output.metadata = metadata
        recipe.output.background = background
    }
}

/// The two coding processes of JPEG.
enum JPEGProcess: String, EnumerableFlag {
    case progressive, baseline
}

/// An output format, or `auto` to choose it by the files.
enum FormatArgument: String, CaseIterable, ExpressibleByArgument {
    case auto, jpeg, png

    init?(argument: String) {
        self.init(rawValue: argument.lowercased() == "jpg" ? "jpeg" : argument.lowercased())
    }

    var format: ImageFormat? {
        switch self {
        case .auto: nil
        case .jpeg: .jpeg
        case .png: .png
        }
    }
}

extension Effort: ExpressibleByArgument {}
extension ChromaSubsampling: ExpressibleByArgument {}
extension MetadataPolicy: ExpressibleByArgument {}
