import CPixelKernels
import TexelPixels

/// How the colours of two images are mixed where both are opaque, as defined by W3C Compositing and Blending Level 1
/// (https://www.w3.org/TR/compositing-1/) and named as in CSS's `mix-blend-mode`.
///
/// The backdrop is the image below, the source the one that is laid over it.
public enum BlendMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// The source.
    case normal
    /// The product: at least as dark as both.
    case multiply
    /// The product of the inverted colours, inverted: at least as light as both.
    case screen
    /// `multiply` or `screen`, depending on the backdrop: `hardLight` with the images exchanged.
    case overlay
    /// The darker of each channel.
    case darken
    /// The lighter of each channel.
    case lighten
    /// Brightens the backdrop to reflect the source; black changes nothing.
    case colorDodge = "color-dodge"
    /// Darkens the backdrop to reflect the source; white changes nothing.
    case colorBurn = "color-burn"
    /// `multiply` or `screen`, depending on the source: like a harsh spotlight.
    case hardLight = "hard-light"
    /// Darkens or lightens, depending on the source: like a diffused spotlight.
    case softLight = "soft-light"
    /// The absolute difference.
    case difference
    /// Like `difference`, with lower contrast.
    case exclusion
    /// The hue of the source with the saturation and luminosity of the backdrop.
    case hue
    /// The saturation of the source with the hue and luminosity of the backdrop.
    case saturation
    /// The hue and saturation of the source with the luminosity of the backdrop.
    case color
    /// The luminosity of the source with the hue and saturation of the backdrop.
    case luminosity

    /// The kernel's number.
    var kernelMode: texel_blend_mode {
        switch self {
        case .normal: texel_blend_normal
        case .multiply: texel_blend_multiply
        case .screen: texel_blend_screen
        case .overlay: texel_blend_overlay
        case .darken: texel_blend_darken
        case .lighten: texel_blend_lighten
        case .colorDodge: texel_blend_color_dodge
        case .colorBurn: texel_blend_color_burn
        case .hardLight: texel_blend_hard_light
        case .softLight: texel_blend_soft_light
        case .difference: texel_blend_difference
        case .exclusion: texel_blend_exclusion
        case .hue: texel_blend_hue
        case .saturation: texel_blend_saturation
        case .color: texel_blend_color
        case .luminosity: texel_blend_luminosity
        }
    }
}
