import Synchronization
import Texel

/// Reports failed images and written pages.
final class SheetReporter: Sendable {
    private let isJSON: Bool
    private let error = Mutex<TexelError?>(nil)

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// The error of the first image that failed.
    var firstError: TexelError? { error.withLock { $0 } }

    func fail(_ name: String, _ failure: TexelError) {
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
        if !isJSON { for warning in page.warnings { report("\(page.name): warning: \(warning)") } }
        Console.write((isJSON ? JSONLine.text(of: page) : page.text) + "\n", to: .output)
    }
}
