import CPixelKernels
package import TexelPixels

/// Blends rows of a source with rows of a backdrop in place.
///
/// A channel of the result is within 1 of 255 of the exact formula, and within 1.5 for a premultiplied source with an
/// opacity below 1.
package struct RowBlend {
    private let blend: texel_blend
    private let usesLinearLight: Bool
    private let premultiplies: Bool

    /// - Parameters:
    ///   - backdrop: the alpha mode of the backdrop, which is also that of the result.
    ///   - source: not `premultiplied` with linear light.
    ///   - opacity: a factor of the source's alpha, 0…1.
    ///   - usesLinearLight: whether light is blended (with sRGB's transfer curve undone first) instead of stored
    ///     values.
    package init(
        _ mode: BlendMode, backdrop: AlphaMode, source: AlphaMode, opacity: Double = 1, usesLinearLight: Bool = false
    ) {
        precondition(opacity >= 0 && opacity <= 1, "the opacity is \(opacity)")
        precondition(!usesLinearLight || source != .premultiplied, "the source's light is multiplied by alpha")
        self.usesLinearLight = usesLinearLight
        premultiplies = usesLinearLight && backdrop == .premultiplied
        blend = texel_blend(
            mode: mode.kernelMode, backdrop: premultiplies ? texel_alpha_straight : backdrop.kernelMode,
            source: source.kernelMode, opacity: Float(opacity), to_light: nil, from_light: nil)
    }

    /// Blends `width` pixels of a source with those of `backdrop`, which they replace.
    package func run(
        _ source: UnsafePointer<UInt32>, onto backdrop: UnsafeMutablePointer<UInt32>, width: Int
    ) {
        let kernels = texel_kernels_in_use().pointee
        let source = UnsafeRawPointer(source).assumingMemoryBound(to: UInt8.self)
        let backdrop = UnsafeMutableRawPointer(backdrop).assumingMemoryBound(to: UInt8.self)
        guard usesLinearLight else {
            withUnsafePointer(to: blend) { kernels.blend_row(backdrop, source, width, $0) }
            return
        }
        // A premultiplied colour is the same after it was straight.
        if premultiplies { kernels.unpremultiply_row(backdrop, backdrop, width) }
        LinearLight.fractions.withUnsafeBufferPointer { toLight in
            LinearLight.toByte.withUnsafeBufferPointer { fromLight in
                var blend = blend
                blend.to_light = toLight.baseAddress
                blend.from_light = fromLight.baseAddress
                kernels.blend_row(backdrop, source, width, &blend)
            }
        }
        if premultiplies { kernels.premultiply_row(backdrop, backdrop, width) }
    }
}

extension AlphaMode {
    /// The kernel's number.
    var kernelMode: texel_alpha {
        switch self {
        case .opaque: texel_alpha_opaque
        case .straight: texel_alpha_straight
        case .premultiplied: texel_alpha_premultiplied
        }
    }
}
