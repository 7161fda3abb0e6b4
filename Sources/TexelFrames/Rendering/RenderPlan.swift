import TexelCodecs
import TexelPipeline
import TexelPixels

/// A recipe, planned once for all frames of one kind: which passes, each ready to run, and the memory between them.
///
/// Used by one worker. Rendering a frame allocates nothing.
///
/// Unchecked because of what changes: while its crew works, `work` stands still, and members touch only their own.
final class RenderPlan: BandJob, @unchecked Sendable {
    /// What the frames are that a plan is made for.
    enum Input: Hashable {
        case samples(SampleLayout)
        /// BGRA pixels in memory.
        case pixels(PixelSize, AlphaMode)
        /// Opaque pixels that are drawn.
        case drawn(PixelSize)

        var size: PixelSize {
            switch self {
            case .samples(let layout): layout.size
            case .pixels(let size, _), .drawn(let size): size
            }
        }

        var alphaMode: AlphaMode {
            switch self {
            case .samples(let layout): layout.alphaMode
            case .pixels(_, let alphaMode): alphaMode
            case .drawn: .opaque
            }
        }
    }

    let input: Input
    /// Of the result.
    let size: PixelSize
    let alphaMode: AlphaMode
    let byteCount: Int
    /// Make pixels of samples, each a part of the rows; none where the input is pixels.
    private let members: [Member]
    /// Where the first pixels go, unless straight into the frame.
    private let firstScratch: RasterScratch?
    private let steps: [Step]

    private let crew: BandCrew?
    /// What the crew works on.
    private var work: Work?

    /// One thread's own part of the plan.
    private final class Member {
        let front: any SampleFront
        var failure: FrameError?

        init(_ front: any SampleFront) { self.front = front }
    }

    private struct Work {
        var samples: SampleOrigin
        var frame: Int
        var destination: Raster
    }

    private struct Step {
        var part: RenderSteps.Part
        /// Where the result goes; `nil` is the frame itself.
        var scratch: RasterScratch?
    }

    /// Whether a frame of pixels comes out as it goes in.
    var isIdentity: Bool { members.isEmpty && steps.isEmpty }

    /// Whether nothing is left to do once samples have become pixels, so that threads can share all of it.
    var isShareable: Bool { !members.isEmpty && steps.isEmpty }

    /// - Parameter crew: shares the work of making pixels.
    /// - Throws: what the recipe cannot do with this size, `limitExceeded`, `outOfMemory`.
    init(_ recipe: Recipe, for input: Input, limits: Limits, crew: BandCrew? = nil) throws(FrameError) {
        let plan = try FrameError.wrapping { () throws(PixelBufferError) in
            try Planner.plan(
                recipe, for: ImageInfo(pixelsOf: input.size, hasAlpha: input.alphaMode != .opaque), format: .png,
                routes: [.streaming, .buffered])
        }
        try FrameError.wrapping { () throws(CodecError) in try limits.check(plan.largestSize) }
        var members: [Member] = []
        if case .samples(let layout) = input {
            for _ in 0..<(crew?.size ?? 1) {
                members.append(
                    Member(
                        try FrameError.wrapping { () throws(PixelBufferError) in
                            try SampleFrontMaker.front(for: layout, plan.load)
                        }))
            }
        }
        let front = members.first?.front
        let parts = try FrameError.wrapping { () throws(PixelBufferError) in
            var steps = RenderSteps(size: front?.size ?? input.size, alphaMode: input.alphaMode)
            if front == nil { try steps.add(plan.load) }
            for step in plan.steps { try steps.add(step) }
            return steps.finished()
        }
        self.input = input
        self.crew = crew
        self.members = members
        size = parts.last?.pass.size ?? front?.size ?? input.size
        alphaMode = parts.last?.pass.alphaMode ?? input.alphaMode
        let resultSize = size
        try FrameError.wrapping { () throws(CodecError) in try limits.check(resultSize) }
        byteCount = try Frame.byteCount(size)
        var steps: [Step] = []
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            steps.append(
                Step(part: part, scratch: isLast ? nil : try RasterScratch(part.pass.size, part.pass.alphaMode)))
        }
        self.steps = steps
        if case .pixels = input {
            firstScratch = nil
        } else {
            firstScratch = steps.isEmpty ? nil : try RasterScratch(front?.size ?? input.size, input.alphaMode)
        }
    }

    /// Renders samples into a raster of the result's size.
    func render(_ samples: SampleOrigin, frame: Int, into result: Raster) throws(FrameError) {
        let first = firstScratch?.raster ?? result
        if let crew {
            work = Work(samples: samples, frame: frame, destination: first)
            crew.run(self)
            work = nil
            for member in members {
                if let failure = member.failure.take() { throw failure }
            }
        } else if let front = members.first?.front {
            try front.run(samples, frame: frame, rows: 0..<first.size.height, into: first)
        }
        runSteps(on: first, into: result)
    }

    /// So many that nobody waits long for the last.
    var partCount: Int { 4 * members.count }

    func run(part: Int, member: Int) {
        guard let work else { return }
        let height = work.destination.size.height
        // Even numbers, as rows that share colour differences are made in pairs.
        func bound(_ part: Int) -> Int { part == partCount ? height : height * part / partCount / 2 * 2 }
        do throws(FrameError) {
            try members[member].front.run(
                work.samples, frame: work.frame, rows: bound(part)..<bound(part + 1), into: work.destination)
        } catch {
            members[member].failure = error
        }
    }

    /// Renders pixels into a raster of the result's size.
    func render(_ pixels: Raster, into result: Raster) {
        if steps.isEmpty { result.copyRows(from: pixels) } else { runSteps(on: pixels, into: result) }
    }

    /// Renders what `draw` draws into a raster of the result's size.
    func render(into result: Raster, drawing draw: (Raster) -> Void) {
        let first = firstScratch?.raster ?? result
        draw(first)
        runSteps(on: first, into: result)
    }

    private func runSteps(on first: Raster, into result: Raster) {
        var current = first
        for step in steps {
            let destination = step.scratch?.raster ?? result
            step.part.pass.run(from: current.cropped(to: step.part.window), to: destination)
            current = destination
        }
    }
}

/// The passes of a plan, collected one after another.
struct RenderSteps {
    /// A pass, and the part of its source that it sees.
    struct Part {
        var window: PixelRectangle
        var pass: any RenderPass
    }

    private var parts: [Part] = []
    private var size: PixelSize
    private var alphaMode: AlphaMode
    /// What crops have left of the latest result.
    private var window: PixelRectangle

    init(size: PixelSize, alphaMode: AlphaMode) {
        self.size = size
        self.alphaMode = alphaMode
        window = PixelRectangle(covering: size)
    }

    /// What happens while a still picture is read happens to pixels in memory.
    mutating func add(_ load: Plan.Load) throws(PixelBufferError) {
        switch load {
        case .decode(let rectangle): window = rectangle
        case .resample(let resampling):
            window = resampling.bounds
            append(try ResizePass(resampling, of: window.size, alphaMode))
        }
    }

    mutating func add(_ step: Plan.Step) throws(PixelBufferError) {
        switch step {
        // Frames are sRGB.
        case .convertToSRGB, .labelAsSRGB: break
        case .crop(let rectangle):
            window = PixelRectangle(
                x: window.x + rectangle.x, y: window.y + rectangle.y, width: rectangle.width, height: rectangle.height)
        case .orient(let orientation): append(MovePass(orientation, of: window.size, alphaMode))
        case .resize(let resampling): append(try ResizePass(resampling, of: window.size, alphaMode))
        case .pad(let canvas, let place, let color): append(PadPass(canvas, place, color, alphaMode))
        case .rotate(let degrees, let filter, let background):
            append(
                WarpPass(
                    try Warp(rotating: window.size, by: degrees, filter: filter, background: background), alphaMode))
        case .turn(let attitude, let filter, let background):
            append(
                WarpPass(
                    try Warp(turning: window.size, to: attitude, filter: filter, background: background), alphaMode))
        case .flatten(let color): if alphaMode != .opaque { append(FlattenPass(color, of: window.size)) }
        }
    }

    /// All passes; a crop after the last one is one as well.
    consuming func finished() -> [Part] {
        if window != PixelRectangle(covering: size) { append(CopyPass(window.size, alphaMode)) }
        return parts
    }

    private mutating func append(_ pass: some RenderPass) {
        parts.append(Part(window: window, pass: pass))
        size = pass.size
        alphaMode = pass.alphaMode
        window = PixelRectangle(covering: size)
    }
}
