import CPixelKernels

// Compositing: the mode `normal` over each kind of backdrop, modes of each kind, and light.

func blends(_ kernels: texel_kernels, level: String) {
    let (source, backdrop) = (Rows.bytes, Rows.bytes)
    let coverage = Memory<UInt8>((0..<Rows.width).map { UInt8(truncatingIfNeeded: $0) })
    let toLight = Memory((0..<256).map { Float($0) / 255 })
    let fromLight = Memory((0..<32768).map { UInt8($0 / 129) })

    func measureBlend(_ name: String, _ mode: texel_blend_mode, _ alpha: texel_alpha, inLight: Bool = false) {
        var blend = texel_blend(
            mode: mode, backdrop: alpha, source: texel_alpha_straight, opacity: 0.75, to_light: nil, from_light: nil)
        measure("blend_row, \(name)", level: level) {
            if inLight {
                (blend.to_light, blend.from_light) = (UnsafePointer(toLight.base), UnsafePointer(fromLight.base))
            }
            kernels.blend_row(backdrop.base, source.base, Rows.width, &blend)
        }
    }
    measureBlend("normal", texel_blend_normal, texel_alpha_opaque)
    measureBlend("normal, straight", texel_blend_normal, texel_alpha_straight)
    measureBlend("normal, premultiplied", texel_blend_normal, texel_alpha_premultiplied)
    measureBlend("multiply", texel_blend_multiply, texel_alpha_opaque)
    measureBlend("soft-light", texel_blend_soft_light, texel_alpha_straight)
    measureBlend("luminosity", texel_blend_luminosity, texel_alpha_premultiplied)
    measureBlend("normal, light", texel_blend_normal, texel_alpha_opaque, inLight: true)
    measure("cover_row", level: level) {
        kernels.cover_row(backdrop.base, source.base, coverage.base, Rows.width, true)
    }
}
