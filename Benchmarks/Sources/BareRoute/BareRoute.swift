public import SystemPackage
public import TexelCodecs
public import TexelPipeline
import TexelPixels

/// What one picture costs without the pipeline: its bytes, its header, a plan, and the route that carries it out, one
/// after the other on the thread that calls. Nothing is shared, kept, queued, counted or cancelled.
public enum BareRoute {
    /// Reads a file, and carries a recipe out on it.
    public static func run(_ path: FilePath, _ recipe: Recipe) throws(PipelineError) -> EncodedImage {
        try run(try InputReader.read(path, limit: Limits().inputBytes), recipe)
    }

    /// Carries a recipe out on the bytes of a file.
    public static func run(_ bytes: InputBytes, _ recipe: Recipe) throws(PipelineError) -> EncodedImage {
        let source: ImageSource
        do throws(CodecError) { source = try ImageSource(bytes) } catch { throw .codec(error) }
        let plan: Plan
        do throws(PixelBufferError) {
            plan = try Planner.plan(recipe, for: source.info, format: recipe.output.format ?? source.info.format)
        } catch {
            throw .pixels(error)
        }
        return try Processor(source, recipe: recipe, plan: plan).run()
    }
}
