import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG
@testable import TexelPipeline

@Suite struct PixelRouteTests {
    /// A stop after the last decoded row ends the work before the next step.
    @Test(arguments: [Recipe().rotating(by: 12), Recipe().resizing(width: 20).rotating(by: 90)])
    func stopsBetweenSteps(recipe: Recipe) throws {
        let size = PixelSize(width: 40, height: 70)
        let source = try Input.source(try .smooth(size))
        let plan = try Planner.plan(recipe, for: source.info, to: .pixels)
        let rows = RowCounter()
        rows.expect(size.height)
        _ = try plan.pixels(RouteContext(source, rowCounter: rows))
        #expect(rows.progress.rowsDone == size.height)

        let counted = RowCounter()
        counted.expect(size.height)
        let stop = StopToken { counted.progress.rowsDone == size.height ? .cancelled : nil }
        #expect(throws: TexelError.stopped(.cancelled)) {
            try plan.pixels(RouteContext(source, stop: stop, rowCounter: counted))
        }
    }
}
