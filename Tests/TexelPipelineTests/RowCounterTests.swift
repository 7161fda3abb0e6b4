import Synchronization
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// The progress of the work on one image.
@Suite(.timeLimit(.minutes(30))) struct RowCounterTests {
    /// Collects reports, with a clock that the test controls.
    private final class Watch: Sendable {
        private let storage = Mutex<[RowProgress]>([])
        private let milliseconds = Atomic(0)

        var reports: [RowProgress] { storage.withLock { $0 } }
        var rows: [Int] { reports.map(\.rowsDone) }

        func wait(_ milliseconds: Int) { self.milliseconds.add(milliseconds, ordering: .relaxed) }

        func counter(every interval: Duration) -> RowCounter {
            RowCounter(
                { progress in self.storage.withLock { $0.append(progress) } }, every: interval,
                elapsed: { .milliseconds(self.milliseconds.load(ordering: .relaxed)) })
        }
    }

    @Test func nowAndThenAndAtTheEnd() {
        let watch = Watch()
        let counter = watch.counter(every: .milliseconds(50))
        counter.expect(100)
        for _ in 0..<9 {
            watch.wait(20)
            counter.advance(by: 10)
        }
        #expect(watch.rows == [30, 60, 90])
        counter.finish()
        #expect(watch.reports.last == RowProgress(rowsDone: 100, rowCount: 100))
        counter.finish()
        #expect(watch.reports.count == 4)
    }

    @Test func quickWorkIsReportedOnce() {
        let watch = Watch()
        let counter = watch.counter(every: .milliseconds(50))
        counter.expect(10)
        for _ in 0..<10 { counter.advance(by: 1) }
        #expect(watch.reports.isEmpty && counter.progress.fraction == 1)
        counter.finish()
        #expect(watch.rows == [10])
    }

    /// The number of finished rows never exceeds the total.
    @Test func neverMoreThanAll() {
        let watch = Watch()
        let counter = watch.counter(every: .zero)
        counter.advance(by: 3)
        #expect(counter.progress.fraction == 0 && watch.reports.isEmpty)
        counter.expect(10)
        counter.advance(by: 20)
        #expect(watch.reports == [RowProgress(rowsDone: 10, rowCount: 10)])
        counter.finish()
        #expect(watch.reports.count == 1)
    }

    @Test func rowsOfManyThreadsAreCounted() async {
        let watch = Watch()
        let counter = watch.counter(every: .zero)
        counter.expect(4000)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<1000 { counter.advance(by: 1) } }
            }
        }
        counter.finish()
        #expect(watch.rows == watch.rows.sorted() && Set(watch.rows).count == watch.rows.count)
        #expect(watch.rows.last == 4000)
    }

    // MARK: Real images

    private static let size = PixelSize(width: 208, height: 640)

    /// An operation with its route and number of rows: those read, and those written, each of which counts several
    /// times for slow encoders.
    struct Case: Sendable, CustomTestStringConvertible {
        var route: Route
        var format = ImageFormat.jpeg
        var recipe = Recipe()
        var read = RowCounterTests.size.height
        var written = 0

        var testDescription: String { route.rawValue }
    }

    private static func lossless(_ recipe: Recipe = Recipe()) -> Recipe {
        var recipe = recipe
        recipe.output.compresses = false
        return recipe
    }

    @Test(arguments: [
        Case(route: .planar, recipe: Recipe().resizing(width: 180), written: 4 * 554),
        Case(route: .planar, recipe: Recipe().resizing(width: 52), read: 320, written: 4 * 160),
        Case(route: .streaming, format: .png, recipe: Recipe().resizing(width: 104), written: 8 * 320),
        Case(route: .buffered, format: .png, recipe: Recipe().rotating(by: 90), written: 8 * 208),
        Case(route: .losslessTransform, recipe: lossless(Recipe().rotating(by: 180)), read: 0, written: 640),
        Case(route: .passthrough, recipe: lossless(), read: 80),
    ]) func everyRouteReportsItsRows(_ work: Case) throws {
        let image = try PixelBuffer.smooth(Self.size)
        let source = try Input.source(image, work.format)
        let plan = try source.plan(work.recipe)
        try #require(plan.route == work.route)
        let watch = Watch()
        let counter = watch.counter(every: .zero)
        _ = try plan.file(RouteContext(source, rowCounter: counter))

        #expect(watch.reports.allSatisfy { $0.rowCount == work.read + work.written })
        #expect(watch.rows == watch.rows.sorted())
        #expect(watch.rows.last == work.read + work.written)
        // Several reports, up to the number of rows read.
        #expect(work.read == 0 || watch.rows.filter { $0 <= work.read }.count >= 3)
        #expect(work.read == 0 || watch.rows.contains(work.read))
        // And during encoding.
        #expect(work.route != .planar || watch.rows.filter { $0 > work.read }.count >= 10)
    }

    @Test func failuresAreNeverDone() throws {
        let image = try PixelBuffer.smooth(Self.size)
        let bytes = try image.encoded(as: .jpeg(JPEGOptions()))
        let source = try CodecRegistry.shared.open(InputBytes(Array(bytes.prefix(bytes.count / 2))))
        let recipe = Recipe().resizing(width: 180)
        let watch = Watch()
        let counter = watch.counter(every: .zero)
        #expect(throws: TexelError.self) {
            try source.plan(recipe).file(RouteContext(source, rowCounter: counter))
        }
        #expect(counter.progress.fraction < 1 && watch.reports.allSatisfy { $0.fraction < 1 })
    }
}
