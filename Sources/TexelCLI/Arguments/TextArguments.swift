import ArgumentParser
import Synchronization
import Texel
import TexelText

/// A text to draw on images, in which `\n` starts a new line. It is drawn once for all images.
struct TextArgument: ExpressibleByArgument {
    let text: String
    let drawn = DrawnText()

    init?(argument: String) {
        if argument.isEmpty { return nil }
        text = argument.replacing("\\n", with: "\n")
    }
}

/// What is drawn, where, and how.
struct TextPlacement: Hashable {
    var text: TextOptions
    var gravity: Gravity
    var offset: OffsetArgument
    var opacity: Double
    var blendMode: BlendMode
    var tileSpacing: Int?
}

/// The operation that draws a text, made when it is first needed.
final class DrawnText: Sendable {
    private let latest = Mutex<(placement: TextPlacement, result: Result<PixelOperation, TextError>)?>(nil)

    func operation(_ placement: TextPlacement) throws(TextError) -> PixelOperation {
        if let latest = latest.withLock({ $0 }), latest.placement == placement { return try latest.result.get() }
        let result = Result { () throws(TextError) in
            try PixelOperation.text(
                placement.text, gravity: placement.gravity, offsetX: placement.offset.x, offsetY: placement.offset.y,
                opacity: placement.opacity, blendMode: placement.blendMode, tileSpacing: placement.tileSpacing)
        }
        latest.withLock { $0 = (placement, result) }
        return try result.get()
    }
}

/// The outline of letters in the form WIDTH[,COLOR].
struct TextOutlineArgument: ExpressibleByArgument {
    let outline: TextOptions.Outline

    init?(argument: String) {
        let parts = argument.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let width = Double(first), width > 0, width <= 1000,
            let color = parts.count == 2 ? PixelColor(argument: String(parts[1])) : .black
        else { return nil }
        outline = TextOptions.Outline(width: width, color: color)
    }
}

extension TextAlignment: ExpressibleByArgument {}
