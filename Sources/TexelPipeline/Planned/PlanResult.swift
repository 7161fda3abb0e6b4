package import TexelCodecs
import TexelFormats

/// What a plan makes: pixels with their alpha, or a file.
package enum PlanResult: Sendable, Hashable, Codable {
    case pixels
    case file(ImageFormat)

    /// The format of the file; `nil` for pixels.
    package var format: ImageFormat? {
        if case .file(let format) = self { format } else { nil }
    }

    /// What the result can hold. Pixels hold transparency and any colour space.
    var capabilities: CodecCapabilities {
        if let format { return format.capabilities }
        var capabilities = CodecCapabilities()
        (capabilities.hasAlpha, capabilities.isLossless, capabilities.storesCodePoints) = (true, true, true)
        return capabilities
    }
}
