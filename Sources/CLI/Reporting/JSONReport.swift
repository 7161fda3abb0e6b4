import Texel

/// The object that `--json` prints for one file. All keys are present; `null` if they do not apply.
struct JSONReport: Encodable {
    private let result: FileResult

    init(_ result: FileResult) { self.result = result }

    private enum Key: String, CodingKey {
        case input, inputBase64, output, outputBase64, inputBytes, outputBytes, width, height
        case requestedWidth, requestedHeight, format, route, status, error, milliseconds, score, warnings
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(result.name, forKey: .input)
        try object.encode(result.input.base64UnlessText, forKey: .inputBase64)
        try object.encode(result.output?.string, forKey: .output)
        try object.encode(result.output?.base64UnlessText, forKey: .outputBase64)
        try object.encode(result.inputBytes, forKey: .inputBytes)
        try object.encode(result.outputBytes, forKey: .outputBytes)
        try object.encode(result.size?.width, forKey: .width)
        try object.encode(result.size?.height, forKey: .height)
        // Only if the result is smaller than that, because nothing was enlarged.
        try object.encode(result.requestedSize?.width, forKey: .requestedWidth)
        try object.encode(result.requestedSize?.height, forKey: .requestedHeight)
        try object.encode(result.format?.rawValue, forKey: .format)
        try object.encode(result.route?.rawValue, forKey: .route)
        try object.encode(result.status.rawValue, forKey: .status)
        try object.encode(result.error.map { ErrorText.sentence($0) }, forKey: .error)
        try object.encode(JSONLine.milliseconds(result.duration), forKey: .milliseconds)
        try object.encode(result.score, forKey: .score)
        try object.encode(result.warnings, forKey: .warnings)
    }

    var line: String { JSONLine.text(of: self) }
}
