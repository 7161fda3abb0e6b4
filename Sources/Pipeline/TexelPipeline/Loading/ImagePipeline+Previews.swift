import TexelCodecs
import TexelPixels

extension ImagePipeline {
    /// Delivers images of the first scans of a progressive file: one if the file is complete, or one each time
    /// arriving bytes add a visible improvement. Returns when the final image can be made, so that no preview follows
    /// it.
    func deliverPreviews(
        of run: RecipeRun, _ urgency: Urgency, deliver: @escaping @Sendable (PixelBuffer) -> Void
    ) async throws(PipelineError) {
        guard let scans = run.input.source.scans(limit: run.policy.limits.scans),
            let preview = try? Preview(run)
        else { return }
        let isArriving = run.input.arrival.map { !$0.isComplete } ?? false
        if isArriving {
            // If all of these threads are busy, there are no previews.
            _ = try await arrivals.runIfFree(bytes: { preview.estimatedBytes }, urgency: urgency, stop: run.stop) {
                () throws(PipelineError) in
                try preview.followArrival(scans, deliver)
            }
        } else {
            try await workers.run(
                bytes: { preview.estimatedBytes + run.input.source.ownedByteCount }, urgency: urgency, stop: run.stop
            ) {
                var scans = scans
                scans.advance()
                if let first = scans.worthwhile.first { preview.render(scans, after: first, deliver) }
            }
        }
    }
}

/// Applies a recipe to the first scans of an image.
private struct Preview: Sendable {
    private let run: RecipeRun
    private let plan: Plan

    init(_ run: RecipeRun) throws(PixelBufferError) {
        self.run = run
        let info = run.input.source.info
        plan = try Planner.plan(
            run.plan.image.recipe, for: info, to: .pixels)
    }

    var estimatedBytes: Int { plan.estimatedBytes }

    /// Renders a preview each time worthwhile scans have arrived, until all bytes are there.
    func followArrival(
        _ first: any ImageScans, _ deliver: (PixelBuffer) -> Void
    ) throws(PipelineError) {
        var scans = first
        let source = run.input.source
        var isArriving = true
        while isArriving {
            if scans.advance(), let last = scans.worthwhile.last { render(scans, after: last, deliver) }
            isArriving = try PipelineError.wrapping { () throws(CodecError) in
                try source.waitForMore(run.stop)
            }
        }
    }

    /// Renders one preview. Errors are ignored here; the final decode reports them.
    func render(_ scans: any ImageScans, after count: Int, _ deliver: (PixelBuffer) -> Void) {
        guard let source = scans.preview(after: count) else { return }
        let context = RouteContext(
            source, policy: DecodePolicy(limits: run.policy.limits, strictness: .none), stop: run.stop)
        if let image = try? plan.pixels(context) { deliver(image) }
    }
}
