import TexelCodecs
import TexelCore
import TexelPixels

extension ImagePipeline {
    /// Delivers images of the first scans of a progressive file: one if the file is complete, or one each time
    /// arriving bytes add a visible improvement. Returns when the final image can be made, so that no preview follows
    /// it.
    func deliverPreviews(
        of run: RecipeRun, _ urgency: Urgency, deliver: @escaping @Sendable (PixelBuffer) -> Void
    ) async throws(TexelError) {
        let (source, limits) = (run.input.source, run.policy.limits)
        guard let scans = source.scans(limit: limits.scans),
            let plan = try? Planner.plan(run.plan.recipe, for: source.info, to: .pixels)
        else { return }
        let render = { @Sendable (scans: any ImageScans, count: Int) in
            guard let image = scans.preview(after: count) else { return }
            let context = RouteContext(
                image, policy: DecodePolicy(limits: limits, strictness: .none), stop: run.stop)
            // Errors are ignored here; the final decode reports them.
            if let pixels = try? plan.pixels(context) { deliver(pixels) }
        }
        let isArriving = run.input.arrival.map { !$0.isComplete } ?? false
        if isArriving {
            // If all of these threads are busy, there are no previews.
            _ = try await arrivals.runIfFree(bytes: { plan.estimatedBytes }, urgency: urgency, stop: run.stop) {
                () throws(TexelError) in
                var (scans, isArriving) = (scans, true)
                while isArriving {
                    if scans.advance(), let last = scans.worthwhile.last { render(scans, last) }
                    isArriving = try source.waitForMore(run.stop)
                }
            }
        } else {
            try await workers.run(
                bytes: { plan.estimatedBytes + source.ownedByteCount }, urgency: urgency, stop: run.stop
            ) {
                var scans = scans
                scans.advance()
                if let first = scans.worthwhile.first { render(scans, first) }
            }
        }
    }
}
