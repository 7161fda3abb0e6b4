import ArgumentParser
import Texel

/// How results are written.
struct EncodingOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "auto, jpeg or png; auto follows the output's extension, then the input.")
    var format = FormatArgument.auto

    @Option(name: [.short, .long], help: "JPEG's 1 to 100 (default: 80).")
    var quality: Int?

    @Option(help: "How long to look for fewer bytes (default: balanced for compress, else fast).")
    var effort: Effort?

    @Option(help: "Colour samples of a JPEG; auto is 444 from quality 90 upwards, else 420.")
    var subsampling = ChromaSubsampling.automatic

    @Flag(help: "Write a progressive or a baseline JPEG (default: baseline with --effort fast, else the smaller).")
    var process: JPEGProcess?

    @Option(help: "What to keep beside the pixels: none, color (profile, density), privacy or all.")
    var metadata = MetadataPolicy.color

    @Option(help: "Behind transparent and uncovered pixels: a CSS colour such as white or #ff8800.")
    var background: PixelColor?

    @Flag(inversion: .prefixedNo, help: "Turn pictures upright as their EXIF orientation says.")
    var autoOrient = true

    func check() throws {
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality \(quality) is not between 1 and 100.")
        }
    }

    func apply(to recipe: inout Recipe, defaultEffort: Effort) {
        recipe.appliesOrientation = autoOrient
        recipe.output.format = format.format
        recipe.output.quality = quality
        recipe.output.effort = effort ?? defaultEffort
        recipe.output.subsampling = subsampling
        recipe.output.isProgressive = process.map { $0 == .progressive }
        recipe.output.metadata = metadata
        recipe.output.background = background
    }
}

/// JPEG's two processes.
enum JPEGProcess: String, EnumerableFlag {
    case progressive, baseline
}

/// A format, or the wish to leave it to the files.
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
