import Texel
import TexelSheets

/// A report of a written page.
struct SheetReport: Encodable {
    private let output: String
    private let outputBytes: Int
    private let images: Int
    /// The size of a contact sheet; `nil` for a gallery.
    private let width: Int?
    private let height: Int?
    let warnings: [String]

    private enum CodingKeys: String, CodingKey {
        case output, outputBytes, width, height, warnings
        case images = "pictures"
    }

    init(_ page: ContactSheet.Page) {
        output = page.path.string
        outputBytes = page.byteCount
        images = page.imageCount
        (width, height) = (page.size.width, page.size.height)
        warnings = page.warnings
    }

    init(_ gallery: Gallery.Outcome) {
        output = gallery.path.string
        outputBytes = gallery.byteCount
        images = gallery.imageCount
        (width, height) = (nil, nil)
        warnings = gallery.warnings
    }

    /// The name that messages begin with.
    var name: String { output }

    var text: String {
        let counted = images == 1 ? "1 image" : "\(images) images"
        let size = width.flatMap { width in height.map { "  \(width)×\($0)" } } ?? ""
        return "\(Console.printable(output))  \(counted)\(size)  \(HumanReport.bytes(outputBytes))"
    }
}
