import Synchronization
import Texel
import TexelText

/// A text to draw on images, in which `\n` starts a new line. It is drawn once for all images.
struct TextArgument: ArgumentValue {
    let text: String
    let drawn = DrawnText()

    init?(argument: String) {
        if argument.isEmpty { return nil }
        text = argument.replacing("\\n", with: "\n")
    }
}

/// A drawn text, made when it is first needed.
final class DrawnText: Sendable {
    private let latest = Mutex<(text: TextOptions, result: Result<OverlayImage, TexelError>)?>(nil)

    func image(_ text: TextOptions) throws(TexelError) -> OverlayImage {
        if let latest = latest.withLock({ $0 }), latest.text == text { return try latest.result.get() }
        let result = Result { () throws(TexelError) in try text.overlayImage() }
        latest.withLock { $0 = (text, result) }
        return try result.get()
    }
}

/// The outline of letters in the form WIDTH[,COLOR].
struct TextOutlineArgument: ArgumentValue {
    let outline: TextOptions.Outline

    init?(argument: String) {
        let parts = argument.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let width = Double(first), width > 0, width <= 1000,
            let color = parts.count == 2 ? PixelColor(argument: String(parts[1])) : .black
        else { return nil }
        outline = TextOptions.Outline(width: width, color: color)
    }
}

extension TextAlignment: NamedArgument {}
