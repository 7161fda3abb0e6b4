import TexelCodecs
import TexelPipeline
import TexelPixels

/// A recipe planned for all frames of one kind: the passes, ready to run, and the memory between them.
///
/// Used by one worker. Rendering a frame allocates nothing.
///
/// Unchecked because of the mutable state: `work` does not change while the crew runs, and each member accesses only
/// its own part.
final class RenderPlan: BandJob, @unchecked Sendable {
    /// The kind of frames that a plan is made for.
    enum Input: Hashable {
        case samples(SampleLayout)
        /// BGRA pixels in memory.
        case pixels(PixelSize, AlphaMode)
        /// Opaque pixels of a test pattern.
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
    /// The size of the result in pixels.
    let size: PixelSize
    let alphaMode: AlphaMode
    let byteCount: Int
    /// One for each thread, to convert samples to pixels; empty if the input is pixels.
    private let members: [Member]
    /// Receives the first pixels; `nil` if they go directly to the frame.
    private let firstScratch: RasterScratch?
    private let steps: [Step]

    private let crew: BandThreadGroup?
    /// The frame that the crew works on.
    private var work: Work?

    /// One thread's part of the plan.
    private final class Member {
        let front: any SampleLoader
        var failure: FrameError?

        init(_ front: any SampleLoader) { self.front = front }
    }

    private struct Work {
        var samples: SampleOrigin
        var frame: Int
        var destination: Raster
    }

    private struct Step {
        var part: RenderSteps.Part
        /// Receives the result; `nil` for the last step, which renders into the frame.
        var scratch: RasterScratch?
    }

    /// Whether a frame of pixels is returned unchanged.
    var isIdentity: Bool { members.isEmpty && steps.isEmpty }

    /// Whether the conversion of samples is the only work, so that threads can share all of it.
    var isShareable: Bool { !members.isEmpty && steps.isEmpty }

    /// Plans a recipe.
    ///
    /// - Parameters:
    ///   - recipe: The recipe.
    ///   - input: The kind of frames.
    ///   - limits: The limits for sizes.
    ///   - crew: Threads that share the conversion of samples.
    /// - Throws: `pixels` if the recipe cannot be applied to this size; `codec(.limitExceeded)`, `outOfMemory`.
    init(_ recipe: Recipe, for input: Input, limits: Limits, crew: BandThreadGroup? = nil) throws(FrameError) {
        let operations = try FrameError.wrapping { () throws(PixelBufferError) in
            try JoinedOperations(
                recipe.operations, of: input.size, background: recipe.output.background ?? .transparent)
        }
        try FrameError.wrapping { () throws(CodecError) in try limits.check(operations.largestSize) }
        var members: [Member] = []
        if case .samples(let layout) = input {
            for _ in 0..<(crew?.size ?? 1) {
                members.append(
                    Member(
                        try FrameError.wrapping { () throws(PixelBufferError) in
                            try SampleLoaderFactory.front(for: layout, operations.load)
                        }))
            }
        }
        let front = members.first?.front
        let parts = try FrameError.wrapping { () throws(PixelBufferError) in
            var steps = RenderSteps(size: front?.size ?? input.size, alphaMode: input.alphaMode)
            if front == nil { try steps.add(operations.load) }
            for step in operations.steps { try steps.add(step) }
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

    /// Several parts for each thread, so that threads finish at about the same time.
    var partCount: Int { 4 * members.count }

    func run(part: Int, member: Int) {
        guard let work else { return }
        let height = work.destination.size.height
        // Even, since rows that share chroma samples are converted in pairs.
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

/// Collects the passes of a plan.
struct RenderSteps {
    /// A pass and the rectangle of its source that it reads.
    struct Part {
        var window: PixelRectangle
        var pass: any RenderPass
    }

    private var parts: [Part] = []
    private var size: PixelSize
    private var alphaMode: AlphaMode
    /// The rectangle of the latest result that crops have left.
    private var window: PixelRectangle

    init(size: PixelSize, alphaMode: AlphaMode) {
        self.size = size
        self.alphaMode = alphaMode
        window = PixelRectangle(covering: size)
    }

    /// Adds the crop or resize that the still image pipeline applies while decoding.
    mutating func add(_ load: PixelLoad) throws(PixelBufferError) {
        switch load {
        case .decode(let rectangle): window = rectangle
        case .resample(let resampling):
            window = resampling.bounds
            append(try ResizePass(resampling, of: window.size, alphaMode))
        }
    }

    mutating func add(_ step: Plan.Step) throws(PixelBufferError) {
        switch step {
        // Frames are always sRGB.
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

    /// Returns all passes, with a copy for a crop that follows the last one.
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
