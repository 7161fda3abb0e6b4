import TexelCodecs
import TexelCore
import TexelPixels

/// The kinds of results that a recipe can have. The raw values are part of the digests of cached results.
public enum ResultKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The bytes of an encoded image.
    case file = "encodedImage"
    /// Decoded pixels.
    case pixels = "pixelBuffer"
}

/// A result of a recipe: pixels, a file, or what a trim finds. Caches and children add what they need of one to this
/// protocol.
protocol RecipeOutput: Sendable {
    /// Carries out a plan.
    static func make(_ plan: Plan, _ context: RouteContext) throws(TexelError) -> Self

    /// Completes a plan whose image was decoded elsewhere.
    static func make(
        _ plan: Plan, _ context: RouteContext, from image: consuming DecodedImage
    ) throws(TexelError) -> Self
}

/// A result of two parts: a head, which becomes a message, and its bytes.
protocol HeadedOutput: RecipeOutput {
    /// The result without its bytes.
    associatedtype OutputHead: Codable

    var head: OutputHead { get }
}

extension PixelBuffer: RecipeOutput {
    static func make(_ plan: Plan, _ context: RouteContext) throws(TexelError) -> PixelBuffer {
        try plan.pixels(context)
    }

    static func make(
        _ plan: Plan, _ context: RouteContext, from image: consuming DecodedImage
    ) throws(TexelError) -> PixelBuffer {
        try plan.pixels(context, from: image)
    }
}

extension EncodedImage: RecipeOutput {
    static func make(_ plan: Plan, _ context: RouteContext) throws(TexelError) -> EncodedImage {
        try plan.file(context)
    }

    static func make(
        _ plan: Plan, _ context: RouteContext, from image: consuming DecodedImage
    ) throws(TexelError) -> EncodedImage {
        try plan.file(context, from: image)
    }
}
