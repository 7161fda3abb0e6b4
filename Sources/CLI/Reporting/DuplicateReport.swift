import SystemPackage
import Texel

/// A group of images that look alike, as `texel duplicates` prints it.
struct DuplicateReport: Encodable {
    private let status = "done"
    /// The number of the group, from 1.
    private let group: Int
    private let images: [Image]

    private struct Image: Encodable {
        let input: String
        @Nullable var inputBase64: String?
        let inputBytes: Int
        let format: String
        let width: Int
        let height: Int
        let perceptualHash: String
        /// How many bits of the hash differ from that of the first image of the group.
        let distance: Int
        let warnings: [String]
    }

    /// - Parameter images: the images, the largest first.
    init(_ images: [DuplicateSearch.Image], number: Int) {
        group = number
        self.images = images.map { image in
            Image(
                input: image.item.name, inputBase64: image.item.path.base64UnlessText, inputBytes: image.byteCount,
                format: image.format.rawValue, width: image.size.width, height: image.size.height,
                perceptualHash: image.hash.description,
                distance: images.first.map { image.hash.distance(to: $0.hash) } ?? 0, warnings: image.warnings)
        }
    }

    /// The report for people: one line for each image, those after the first indented.
    var text: String {
        images.enumerated().map { index, image in
            let name = Console.printable(image.input)
            let indent = index > 0 ? "  " : ""
            return "\(indent)\(name)  \(image.width)×\(image.height)  \(HumanReport.bytes(image.inputBytes))"
        }.joined(separator: "\n")
    }

    /// The columns of the last line.
    static func sum(
        of groups: [[DuplicateSearch.Image]], imageCount: Int, failureCount: Int, elapsed: Duration
    ) -> [String] {
        let others = groups.map { $0.dropFirst() }
        let count = others.reduce(0) { $0 + $1.count }
        let bytes = others.joined().reduce(0) { $0 + $1.byteCount }
        var columns = ["\(count) \(count == 1 ? "duplicate" : "duplicates")"]
        if count > 0 {
            columns.append("\(groups.count) \(groups.count == 1 ? "group" : "groups")")
            columns.append(HumanReport.bytes(bytes))
        }
        columns.append("\(imageCount) \(imageCount == 1 ? "image" : "images")")
        columns.append(HumanReport.milliseconds(elapsed))
        if failureCount > 0 { columns.append("\(failureCount) failed") }
        return columns
    }
}

/// The object that `texel duplicates --json` prints for a file that cannot be read.
struct DuplicateFailure: Encodable {
    let name: String
    let path: FilePath
    let error: TexelError

    private enum Key: String, CodingKey {
        case input, inputBase64, status, error
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(name, forKey: .input)
        try object.encode(path.base64UnlessText, forKey: .inputBase64)
        try object.encode("failed", forKey: .status)
        try object.encode(ErrorText.sentence(error), forKey: .error)
    }
}

/// A line of `--progress json`: an image has been read.
struct DuplicateProgress: Encodable {
    let event = "finished"
    let input: String
    let done: Int
    let total: Int
    let inputBytes: Int
}
