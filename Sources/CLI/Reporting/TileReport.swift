import Texel
import TexelPyramids

/// The object that `texel tile --json` prints for one image. All keys are present; `null` if they do not apply.
struct TileReport: Encodable {
    private let result: PyramidResult
    private let layout: PyramidLayout

    init(_ result: PyramidResult, _ layout: PyramidLayout) {
        self.result = result
        self.layout = layout
    }

    private enum Key: String, CodingKey {
        case input, inputBase64, output, outputBase64, inputBytes, outputBytes, width, height, format
        case layout, levels, tiles, status, error, milliseconds, warnings
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(result.name, forKey: .input)
        try object.encode(result.input.base64UnlessText, forKey: .inputBase64)
        try object.encode(result.output.string, forKey: .output)
        try object.encode(result.output.base64UnlessText, forKey: .outputBase64)
        try object.encode(result.inputBytes, forKey: .inputBytes)
        try object.encode(result.outputBytes, forKey: .outputBytes)
        try object.encode(result.size?.width, forKey: .width)
        try object.encode(result.size?.height, forKey: .height)
        try object.encode(result.format?.rawValue, forKey: .format)
        try object.encode(layout.rawValue, forKey: .layout)
        try object.encode(result.levelCount, forKey: .levels)
        try object.encode(result.tileCount, forKey: .tiles)
        try object.encode(result.error == nil ? "written" : "failed", forKey: .status)
        try object.encode(result.error.map { ErrorText.sentence($0) }, forKey: .error)
        try object.encode(JSONLine.milliseconds(result.duration), forKey: .milliseconds)
        try object.encode(result.warnings, forKey: .warnings)
    }

    /// The report for people.
    var text: String {
        let tiles = result.tileCount == 1 ? "1 tile" : "\(result.tileCount) tiles"
        let levels = result.levelCount == 1 ? "1 level" : "\(result.levelCount) levels"
        return [
            Console.printable(result.output.string), result.size?.description, levels, tiles,
            HumanReport.bytes(result.outputBytes), HumanReport.milliseconds(result.duration),
        ].compactMap(\.self).joined(separator: "  ")
    }
}

/// The object that `texel tile --json` prints for an argument that is not an image.
struct TileFailure: Encodable {
    let input: String
    @Nullable var inputBase64: String?
    let status = "failed"
    let error: String
}

/// A line of `--progress json`: a tile was written.
struct TileProgress: Encodable {
    let event = "progress"
    let input: String
    /// The number of images that are done, and of all images.
    let done: Int
    let total: Int
    let tilesDone: Int
    let tileCount: Int
}
