package import TexelCodecs
import TexelFormats
package import TexelPixels

/// What a plan is made for: a file whose header has been read, or pixels in memory.
package enum PlanInput: Sendable {
    case file(ImageInfo)
    /// Upright sRGB pixels.
    case pixels(PixelSize, hasAlpha: Bool)

    /// The header; `nil` for pixels.
    var info: ImageInfo? {
        if case .file(let info) = self { info } else { nil }
    }

    /// The size as stored.
    var size: PixelSize {
        switch self {
        case .file(let info): info.size
        case .pixels(let size, _): size
        }
    }

    var hasAlpha: Bool {
        switch self {
        case .file(let info): info.hasAlpha
        case .pixels(_, let hasAlpha): hasAlpha
        }
    }

    /// The transform from the stored rows to the displayed image.
    var orientation: Orientation { info?.orientation ?? .identity }

    var colorSpace: ColorSpace { info?.colorSpace ?? .sRGB }

    /// Whether the file holds more than one image.
    var isAnimation: Bool { info?.isAnimation ?? false }
}

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
