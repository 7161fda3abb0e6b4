package import TexelCodecs
package import TexelCore
import TexelFormats
package import TexelPixels

extension PixelBuffer {
    /// Decodes a file and applies a recipe to it, without encoding; alpha is kept.
    package init(
        from bytes: InputBytes, _ recipe: Recipe, policy: DecodePolicy
    ) throws(TexelError) {
        let source = try CodecRegistry.shared.open(bytes, limits: policy.limits).page(
            of: recipe.frame, limits: policy.limits)
        let plan = try Planner.plan(recipe, for: source.info, to: .pixels, limits: policy.limits)
        self = try plan.pixels(RouteContext(source, policy: policy))
    }
}
