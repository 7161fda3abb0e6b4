import Texel

/// The report of `texel info` about a video. As JSON, all keys are present.
struct VideoReport: Encodable {
    private let container: String
    private let codec: String
    @Nullable private var profile: String?
    @Nullable private var pixelFormat: String?
    private let bitDepth: Int
    private let width: Int
    private let height: Int
    private let displayWidth: Int
    private let displayHeight: Int
    private let pixelAspect: String
    /// As in Exif, 1 to 8; `nil` if frames are turned by an angle that is not a multiple of 90°.
    @Nullable private var orientation: Int?
    @Nullable private var framesPerSecond: Double?
    @Nullable private var durationSeconds: Double?
    @Nullable private var frames: Int?
    private let matrix: String
    private let range: String
    private let transfer: String
    private let primaries: String
    /// The properties that the stream does not declare and that are assumed.
    private let assumed: [String]
    private let hasAlpha: Bool
    /// Whether there is alpha that cannot be decoded.
    private let losesAlpha: Bool
    @Nullable private var fieldOrder: String?
    /// The index of the described stream.
    private let stream: Int
    private let isCover: Bool
    private let streams: [Stream]

    private struct Stream: Encodable {
        let kind: String
        let codec: String
        @Nullable var language: String?
        let isDefault: Bool
        let isCover: Bool
    }

    init(_ info: VideoInfo) {
        container = info.container
        codec = info.codec
        profile = info.profile
        pixelFormat = info.pixelFormat
        bitDepth = info.bitDepth
        width = info.size.width
        height = info.size.height
        displayWidth = info.displaySize.width
        displayHeight = info.displaySize.height
        pixelAspect = info.pixelAspect.description
        orientation = info.orientation?.rawValue
        framesPerSecond = info.rate.map { Double($0.frames) / Double($0.seconds) }
        durationSeconds = info.duration
        frames = info.frameCount
        let assumptions = info.isRGB ? [] : info.colors.assumptions
        matrix = info.isRGB ? "RGB" : info.colors.appliedMatrixName(for: info.size)
        range = info.isRGB || info.colors.isFullRange == true ? "full" : "limited"
        transfer = info.colors.transferName
        primaries = info.colors.primariesName
        assumed = assumptions.map(\.rawValue).sorted()
        hasAlpha = info.hasAlpha
        losesAlpha = info.losesAlpha
        fieldOrder = info.fields?.rawValue
        stream = info.index
        isCover = info.isCover
        streams = info.streams.map {
            Stream(
                kind: $0.kind, codec: $0.codec, language: $0.language, isDefault: $0.isDefault, isCover: $0.isCover)
        }
    }

    /// The report for people.
    ///
    /// - Parameters:
    ///   - name: of the file.
    ///   - lines: what follows.
    func text(_ name: String, byteCount: Int, _ lines: [String]) -> String {
        var facts = [
            "video", "\(displayWidth)×\(displayHeight)", codec + (profile.map { " (\($0))" } ?? ""),
            "\(bitDepth)-bit \(pixelFormat ?? "samples")",
        ]
        if let framesPerSecond { facts.append("\(Self.short(framesPerSecond)) fps") }
        if let durationSeconds { facts.append("\(Self.short(durationSeconds)) s") }
        if let frames { facts.append("\(frames) frames") }
        facts += [container, HumanReport.bytes(byteCount)]
        var text = ["\(name): " + facts.joined(separator: ", ")]
        text.append("  colours: matrix \(matrix), \(range) range, transfer \(transfer), primaries \(primaries)")
        if !assumed.isEmpty { text.append("  assumed: \(assumed.joined(separator: ", "))") }
        if (width, height) != (displayWidth, displayHeight) || orientation != 1 {
            let turn = orientation.map { "orientation \($0)" } ?? "turned by an angle that is not supported"
            text.append("  stored \(width)×\(height), pixels \(pixelAspect), \(turn)")
        }
        if hasAlpha { text.append("  with alpha") }
        if losesAlpha { text.append("  warning: the alpha cannot be decoded; FFmpeg lacks libvpx") }
        if let fieldOrder { text.append("  interlaced, \(fieldOrder == "topFirst" ? "top" : "bottom") field first") }
        for (index, stream) in streams.enumerated() where streams.count > 1 {
            let marks = [
                stream.language, stream.isDefault ? "default" : nil, stream.isCover ? "cover" : nil,
                index == self.stream ? "this one" : nil,
            ].compactMap { $0 }
            let suffix = marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))"
            text.append("  stream \(index): \(stream.kind), \(stream.codec)\(suffix)")
        }
        // Names come from the file and may contain control characters.
        return (text + lines).map(Console.printable).joined(separator: "\n")
    }

    /// Formats a number with at most three decimals.
    private static func short(_ value: Double) -> String {
        let thousandths = (value * 1000).rounded() / 1000
        return thousandths == thousandths.rounded() && abs(thousandths) < 1e15
            ? "\(Int(thousandths))" : "\(thousandths)"
    }
}
