public import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelFormats
public import TexelPipeline
import TexelPixels

/// Processes one image without the pipeline: reads bytes and header, plans, and runs the route, all on the calling
/// thread. Nothing is shared, cached, queued, counted or cancellable.
public enum BareRoute {
    /// Applies a recipe to a file.
    public static func run(_ path: FilePath, _ recipe: Recipe) throws(TexelError) -> EncodedImage {
        try run(try InputReader.read(path, limit: Limits().inputBytes), recipe)
    }

    /// Applies a recipe to the bytes of a file.
    public static func run(_ bytes: InputBytes, _ recipe: Recipe) throws(TexelError) -> EncodedImage {
        let source = try CodecRegistry.shared.open(bytes)
        let plan = try Planner.plan(
            recipe, for: source.info, to: .file(recipe.output.format ?? source.info.format))
        return try plan.file(RouteContext(source))
    }
}
