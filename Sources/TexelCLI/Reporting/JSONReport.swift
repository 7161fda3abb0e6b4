import Texel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The object that `--json` prints for one file. All keys are present; `null` if they do not apply.
struct JSONReport: Encodable {
    private let result: FileResult

    init(_ result: FileResult) { self.result = result }

    private enum Key: String, CodingKey {
        case input, output, inputBytes, outputBytes, width, height, format, route, status, error, milliseconds, score
        case warnings
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(result.name, forKey: .input)
        try object.encode(result.output?.string, forKey: .output)
        try object.encode(result.inputBytes, forKey: .inputBytes)
        try object.encode(result.outputBytes, forKey: .outputBytes)
        try object.encode(result.size?.width, forKey: .width)
        try object.encode(result.size?.height, forKey: .height)
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

/// Encodes a value as one line of JSON.
enum JSONLine {
    static func text(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only non-finite numbers cannot be encoded, and reports contain none.
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Rounded to microseconds.
    static func milliseconds(_ duration: Duration) -> Double { (duration / .microseconds(1)).rounded() / 1000 }
}
