package import TexelCodecs
import TexelFormats
package import TexelOperations

/// What a plan makes: pixels with their alpha, a file, or what a trim finds.
package enum PlanResult: Sendable, Hashable, Codable {
    case pixels
    case file(ImageFormat)
    /// What a trim keeps of the pixels.
    ///
    /// - Parameter inFrames: whether all frames of an animation are searched, not only the image that is shown for it.
    case content(TrimOperation, inFrames: Bool)

    /// The format of the file; `nil` for pixels.
    package var format: ImageFormat? {
        if case .file(let format) = self { format } else { nil }
    }

    /// Whether the frames of an animation are searched.
    var searchesFrames: Bool { if case .content(_, inFrames: true) = self { true } else { false } }

    /// What the result can hold. Pixels hold transparency and any colour space.
    var capabilities: CodecCapabilities {
        if let format { return format.capabilities }
        var capabilities = CodecCapabilities()
        (capabilities.hasAlpha, capabilities.isLossless, capabilities.storesCICP) = (true, true, true)
        return capabilities
    }
}
