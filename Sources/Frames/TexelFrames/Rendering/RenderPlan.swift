import TexelCodecs
import TexelCore
import TexelOperations
import TexelPipeline
import TexelPixels

/// A recipe planned for all frames of one kind: the passes, ready to run, and the memory between them.
///
/// Used by one worker. Rendering a frame allocates nothing.
///
/// Unchecked because of the mutable state: `work` does not change while the threads run, and each member accesses only
/// its own part.
final class RenderPlan: BandJob, @unchecked Sendable {
    /// The kind of frames that a plan is made for.
    enum Input: Hashable {
        /// Samples, how the image that they store is displayed, and how its rows are made of those of the samples.
        case samples(SampleLayout, Orientation = .identity, FrameScan = .progressive)
        /// BGRA pixels in memory.
        case pixels(PixelSize, AlphaMode)
        /// Opaque pixels of a test pattern.
        case drawn(PixelSize)

        /// The stored image.
        var shape: RasterShape {
            switch self {
            case .samples(let layout, _, _): RasterShape(size: layout.size, alphaMode: layout.alphaMode)
            case .pixels(let size, let alphaMode): RasterShape(size: size, alphaMode: alphaMode)
            case .drawn(let size): RasterShape(size: size, alphaMode: .opaque)
            }
        }
    }

    let input: Input
    /// The result.
    let shape: RasterShape
    let byteCount: Int
    /// One for each thread that converts samples to pixels; empty if the input is pixels.
    private let members: [Member]
    /// Receives the first pixels; `nil` if they go directly to the frame.
    private let firstScratch: RasterScratch?
    /// The first pixels, before the steps.
    private let firstShape: RasterShape
    private let steps: StepSequence
    /// The memory between the steps.
    private let scratch: [RasterScratch]
    /// Views of `scratch`.
    private let intermediates: [Raster]

    private let threadGroup: BandThreadGroup?
    /// The frame that the threads work on.
    private var work: Work?

    /// One thread's part of the plan.
    private final class Member {
        let loader: any SampleLoader
        /// The steps, if the threads share them.
        let steps: StepSequence?
        var failure: TexelError?

        init(_ loader: any SampleLoader, _ steps: StepSequence?) {
            self.loader = loader
            self.steps = steps
        }
    }

    private struct Work {
        var samples: SampleOrigin
        var frame: Int
        var destination: Raster
    }

    /// Whether a frame of pixels is returned unchanged.
    var isIdentity: Bool { members.isEmpty && steps.isEmpty }

    /// Whether threads can share all the work: the conversion of samples, and steps in its rows.
    var isShareable: Bool { !members.isEmpty && steps.isDivisible }

    /// Plans a recipe.
    ///
    /// - Parameters:
    ///   - recipe: The recipe.
    ///   - input: The kind of frames.
    ///   - limits: The limits for sizes.
    ///   - threadGroup: Threads that share the conversion of samples, and the steps if they can be divided.
    /// - Throws: errors of pixels if the recipe cannot be applied to this size; `limitExceeded`, `outOfMemory`.
    init(_ recipe: Recipe, for input: Input, limits: Limits, threadGroup: BandThreadGroup? = nil) throws(TexelError) {
        let source = input.shape
        let (orientation, aspect) =
            if case .samples(let layout, let orientation, _) = input { (orientation, layout.aspect) } else {
                (Orientation.identity, PixelAspect.square)
            }
        // The recipe is for square pixels; the load makes them.
        let squareSize = aspect.applied(to: source.size)
        let operations = try JoinedOperations(
            recipe.operations, of: squareSize, orientation: orientation,
            background: recipe.output.background ?? .transparent)
        try limits.checkWhole(operations.largestSize)
        var loaders: [any SampleLoader] = []
        if case .samples(let layout, _, let scan) = input {
            let load = operations.load.applied(to: source.size, shownAs: squareSize)
            for _ in 0..<(threadGroup?.size ?? 1) {
                loaders.append(
                    try SampleLoaderFactory.loader(for: layout, scan, load))
            }
        }
        // Loaders of samples have done the load already.
        let loaded = loaders.first.map { RasterShape(size: $0.size, alphaMode: source.alphaMode) }
        func makeSteps() throws(TexelError) -> StepSequence {
            let steps = try operations.stepsInMemory(isLoaded: loaded != nil, in: .sRGB)
            return try StepSequence(steps, for: loaded ?? source)
        }
        let steps = try makeSteps()
        let sharesSteps = threadGroup != nil && steps.isDivisible && !steps.isEmpty
        var members: [Member] = []
        for loader in loaders { members.append(Member(loader, sharesSteps ? try makeSteps() : nil)) }
        self.input = input
        self.threadGroup = threadGroup
        self.members = members
        self.steps = steps
        shape = steps.shape
        try limits.checkWhole(steps.shape.size)
        byteCount = try Frame.byteCount(steps.shape.size)
        scratch = try steps.intermediateShapes.map { shape throws(TexelError) in try RasterScratch(shape) }
        intermediates = scratch.map(\.raster)
        firstShape = loaded ?? source
        if case .pixels = input {
            firstScratch = nil
        } else {
            firstScratch = steps.runsInPlace ? nil : try RasterScratch(firstShape)
        }
    }

    /// Renders samples into a raster of the result's size.
    func render(_ samples: SampleOrigin, frame: Int, into result: Raster) throws(TexelError) {
        let first = firstRaster(result)
        if let threadGroup {
            work = Work(samples: samples, frame: frame, destination: first)
            threadGroup.run(self)
            work = nil
            for member in members {
                if let failure = member.failure.take() { throw failure }
            }
            if members.first?.steps != nil { return }
        } else if let loader = members.first?.loader {
            try loader.run(samples, frame: frame, rows: 0..<first.size.height, into: first)
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
        let (rows, member) = (bound(part)..<bound(part + 1), members[member])
        do throws(TexelError) {
            try member.loader.run(work.samples, frame: work.frame, rows: rows, into: work.destination)
            member.steps?.run(rows: rows, of: work.destination)
        } catch {
            member.failure = error
        }
    }

    /// Renders pixels into a raster of the result's size.
    func render(_ pixels: Raster, into result: Raster) {
        if steps.isEmpty { result.copyRows(from: pixels) } else { runSteps(on: pixels, into: result) }
    }

    /// Renders what `draw` draws into a raster of the result's size.
    func render(into result: Raster, drawing draw: (Raster) -> Void) {
        let first = firstRaster(result)
        draw(first)
        runSteps(on: first, into: result)
    }

    /// The memory for the first pixels.
    private func firstRaster(_ result: Raster) -> Raster {
        firstScratch?.raster
            ?? Raster(
                base: result.base, bytesPerRow: result.bytesPerRow, size: firstShape.size,
                alphaMode: firstShape.alphaMode)
    }

    private func runSteps(on first: Raster, into result: Raster) {
        if !steps.isEmpty { steps.run(from: first, through: intermediates, to: result) }
    }
}
