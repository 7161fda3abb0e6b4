import Synchronization
import Texel
import TexelSheets

/// Reports failed images and written pages.
final class SheetRun: Sendable {
    private let isJSON: Bool
    private let error = Mutex<PipelineError?>(nil)

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// The error of the first image that failed.
    var firstError: PipelineError? { error.withLock { $0 } }

    func fail(_ name: String, _ failure: PipelineError) {
        error.withLock { $0 = $0 ?? failure }
        if isJSON {
            Console.write(JSONLine.text(of: ["input": name, "error": ErrorText.sentence(failure)]) + "\n", to: .output)
        } else {
            report("\(name): \(ErrorText.sentence(failure))")
        }
    }

    /// Prints an error of the whole sheet.
    func report(_ fault: String) { Console.complain(fault) }

    func report(_ page: SheetReport) {
        Console.write((isJSON ? JSONLine.text(of: page) : page.text) + "\n", to: .output)
    }
}

/// A report of a written page.
struct SheetReport: Encodable {
    private let output: String
    private let outputBytes: Int
    private let images: Int
    /// The size of a contact sheet; `nil` for a gallery.
    private let width: Int?
    private let height: Int?

    private enum CodingKeys: String, CodingKey {
        case output, outputBytes, width, height
        case images = "pictures"
    }

    init(_ page: ContactSheet.Page) {
        output = page.path.string
        outputBytes = page.byteCount
        images = page.imageCount
        (width, height) = (page.size.width, page.size.height)
    }

    init(_ gallery: Gallery.Outcome) {
        output = gallery.path.string
        outputBytes = gallery.byteCount
        images = gallery.imageCount
        (width, height) = (nil, nil)
    }

    var text: String {
        let counted = images == 1 ? "1 image" : "\(images) images"
        let size = width.flatMap { width in height.map { "  \(width)×\($0)" } } ?? ""
        return "\(Console.printable(output))  \(counted)\(size)  \(HumanReport.bytes(outputBytes))"
    }
}

extension ExitStatus {
    init(_ error: SheetError) {
        self =
            switch error {
            case .noFonts, .unusableFont, .unknownFamily: .inputMissing
            case .pageTooLarge: .limitExceeded
            case .unknownPlaceholder: .usage
            case .image(let error): ExitStatus(error)
            }
    }
}
