import SystemPackage
import Texel

/// The output of `texel info` for one file. As JSON, all keys are present.
struct InfoReport: Encodable {
    private let input: String
    @Nullable private var inputBase64: String?
    private let inputBytes: Int
    private let status = "done"
    @Nullable private var error: String? = nil
    private let format: String
    private let width: Int
    private let height: Int
    private let displayWidth: Int
    private let displayHeight: Int
    private let orientation: Int
    private let colorModel: String
    private let bitDepth: Int
    private let hasAlpha: Bool
    private let coding: String
    private let progressive: Bool
    @Nullable private var subsampling: String?
    private let frames: Int
    private let pages: Int
    @Nullable private var animation: Animation?
    @Nullable private var video: VideoReport?
    private let colorSpace: String
    @Nullable private var iccBytes: Int?
    @Nullable private var density: Density?
    @Nullable private var exif: Exif?
    private let hasXMP: Bool
    private let comments: [String]
    private let warnings: [String]
    // `nil` without `--analyze`.
    @Nullable private var statistics: AnalysisReport.Statistics?
    @Nullable private var dominantColors: [AnalysisReport.Color]?
    @Nullable private var blurHash: String?
    @Nullable private var thumbHash: String?
    @Nullable private var perceptualHash: String?
    @Nullable private var differenceHash: String?
    private let analysisLines: [String]

    enum CodingKeys: CaseIterable, CodingKey {
        case input, inputBase64, inputBytes, status, error, format, width, height, displayWidth, displayHeight
        case orientation, colorModel, bitDepth, hasAlpha, coding, progressive, subsampling, frames, animation, video,
            pages, colorSpace
        case iccBytes, density, exif, hasXMP, comments, warnings
        case statistics, dominantColors, blurHash, thumbHash, perceptualHash, differenceHash
    }

    private struct Animation: Encodable {
        /// As players show it.
        let durationSeconds: Double
        /// The delay of each frame in the file; one number if all are equal.
        let delaysSeconds: [Double]
        /// 0 for endless.
        let plays: Int

        init(_ timing: AnimationTiming) {
            durationSeconds = timing.duration
            delaysSeconds = Set(timing.delays).count == 1 ? Array(timing.delays.prefix(1)) : timing.delays
            plays = timing.playCount
        }
    }

    private struct Density: Encodable {
        let x: Double
        let y: Double
        let unit: String
    }

    private struct Exif: Encodable {
        @Nullable var make: String?
        @Nullable var model: String?
        @Nullable var lens: String?
        @Nullable var date: String?
        @Nullable var exposureSeconds: Double?
        @Nullable var fNumber: Double?
        @Nullable var iso: Int?
        @Nullable var focalLengthMillimetres: Double?
        @Nullable var copyright: String?
        let hasGPS: Bool
        let hasThumbnail: Bool
    }

    init(_ item: InputItem, _ info: ImageInfo, byteCount: Int, analysis: AnalysisReport? = nil) {
        input = item.name
        inputBase64 = item.path.base64UnlessText
        inputBytes = byteCount
        format = info.format.rawValue
        width = info.size.width
        height = info.size.height
        displayWidth = info.displaySize.width
        displayHeight = info.displaySize.height
        orientation = info.orientation.rawValue
        colorModel = info.colorModel.rawValue
        bitDepth = info.bitDepth
        hasAlpha = info.hasAlpha
        coding = info.coding
        progressive = info.isProgressive
        subsampling = info.chromaSubsampling
        frames = info.frameCount
        pages = info.pageCount
        animation = info.timing.map(Animation.init)
        video = info.video.map(VideoReport.init)
        colorSpace = info.colorSpace.name
        iccBytes = if case .iccProfile(let profile) = info.colorSpace { profile.bytes.count } else { nil }
        density = info.metadata.effectiveDensity.flatMap { density in
            guard let x = density.horizontal.value, let y = density.vertical.value else { return nil }
            return Density(x: x, y: y, unit: Self.name(of: density.unit))
        }
        exif = info.metadata.exif.map { exif in
            let summary = exif.summary
            return Exif(
                make: summary.make, model: summary.model, lens: summary.lensModel, date: summary.date,
                exposureSeconds: summary.exposureTime?.value, fNumber: summary.fNumber?.value,
                iso: summary.isoSpeed.map { Int($0) }, focalLengthMillimetres: summary.focalLength?.value,
                copyright: summary.copyright, hasGPS: summary.hasGPS, hasThumbnail: exif.hasThumbnail)
        }
        hasXMP = info.metadata.xmp != nil
        comments = info.metadata.comments.map(\.text)
        warnings = info.warnings
        statistics = analysis?.statistics
        dominantColors = analysis?.dominantColors
        blurHash = analysis?.blurHash
        thumbHash = analysis?.thumbHash
        perceptualHash = analysis?.perceptualHash
        differenceHash = analysis?.differenceHash
        analysisLines = analysis?.lines ?? []
    }

    private static func name(of unit: PixelDensity.Unit) -> String {
        switch unit {
        case .perInch: "per inch"
        case .perCentimetre: "per centimetre"
        case .perMetre: "per metre"
        case .aspectRatio: "ratio"
        }
    }

    /// The report for people.
    var text: String {
        if let video { return video.text(input, byteCount: inputBytes, analysisLines) }
        var facts = [
            ImageFormat(rawValue: format).displayName, "\(displayWidth)×\(displayHeight)",
            "\(bitDepth)-bit \(colorModel)",
        ]
        if let subsampling { facts.append(subsampling) }
        facts += [coding, colorSpace, HumanReport.bytes(inputBytes)]
        if frames > 1 { facts.append("\(frames) frames") }
        if pages > 1 { facts.append("\(pages) pages") }
        var lines = ["\(input): " + facts.joined(separator: ", ")]
        if let animation { lines.append(Self.line(animation)) }
        if orientation != 1 { lines.append("  stored \(width)×\(height), orientation \(orientation)") }
        if let density { lines.append("  density \(Self.short(density.x)) × \(Self.short(density.y)) \(density.unit)") }
        if let exif { lines += Self.lines(exif) }
        let notes = [hasXMP ? "XMP" : nil, comments.isEmpty ? nil : "\(comments.count) comments"].compactMap { $0 }
        if !notes.isEmpty { lines.append("  with " + notes.joined(separator: ", ")) }
        lines += warnings.map { "  warning: \($0)" } + analysisLines
        // Names, texts and profiles come from the file and may contain control characters.
        return lines.map(Console.printable).joined(separator: "\n")
    }

    private static func line(_ animation: Animation) -> String {
        let delays = animation.delaysSeconds.map { short($0, decimals: 3) }
        let timing =
            switch delays.count {
            case 1: "\(delays[0]) s for each frame"
            case ...8: "delays \(delays.joined(separator: ", ")) s"
            default:
                "delays \(short(animation.delaysSeconds.min() ?? 0, decimals: 3)) to "
                    + "\(short(animation.delaysSeconds.max() ?? 0, decimals: 3)) s"
            }
        let plays =
            switch animation.plays {
            case 0: "played forever"
            case 1: "played once"
            default: "played \(animation.plays) times"
            }
        let isIgnored = animation.delaysSeconds.contains { $0 <= AnimationFrame.longestIgnoredDelay }
        let note = isIgnored ? " (players show delays of at most 0.01 s for 0.1 s)" : ""
        return "  duration \(short(animation.durationSeconds, decimals: 3)) s, \(timing)\(note), \(plays)"
    }

    private static func lines(_ exif: Exif) -> [String] {
        let camera = [exif.make, exif.model, exif.lens].compactMap { $0 }.joined(separator: ", ")
        var exposure: [String] = []
        if let seconds = exif.exposureSeconds, seconds > 0 {
            exposure.append(seconds < 0.4 ? "1/\(Int((1 / seconds).rounded())) s" : "\(short(seconds)) s")
        }
        if let number = exif.fNumber { exposure.append("f/\(short(number))") }
        if let iso = exif.iso { exposure.append("ISO \(iso)") }
        if let length = exif.focalLengthMillimetres { exposure.append("\(short(length)) mm") }
        let place = exif.hasGPS ? "contains a GPS position" : nil
        return [
            camera.isEmpty ? nil : camera, exif.date, exposure.isEmpty ? nil : exposure.joined(separator: ", "),
            exif.copyright, place,
        ].compactMap { $0.map { "  \($0)" } }
    }

    /// Formats a number with at most two or three decimals, without trailing zeros.
    private static func short(_ value: Double, decimals: Int = 2) -> String {
        let unit = decimals == 2 ? 100 : 1000
        let rounded = (value * Double(unit)).rounded()
        guard abs(rounded) < 1e15 else { return "\(value)" }
        let whole = Int(rounded)
        return whole % unit == 0 ? "\(whole / unit)" : "\(Double(whole) / Double(unit))"
    }
}

/// The object that `texel info --json` prints for a file that cannot be read: the keys of ``InfoReport``, most of them
/// null.
struct InfoFailure: Encodable {
    let name: String
    let path: FilePath
    let error: TexelError

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: InfoReport.CodingKeys.self)
        for key in InfoReport.CodingKeys.allCases { try object.encodeNil(forKey: key) }
        try object.encode(name, forKey: .input)
        try object.encode(path.base64UnlessText, forKey: .inputBase64)
        try object.encode("failed", forKey: .status)
        try object.encode(ErrorText.sentence(error), forKey: .error)
    }
}
