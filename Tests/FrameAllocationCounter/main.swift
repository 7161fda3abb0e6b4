// Counts the allocations per frame once a pipeline runs, and the memory growth over an hour of frames. Prints a name
// and a number per line. Tests run it as a separate program, because it replaces the allocator.

import CAllocationCount
import Synchronization
import SystemPackage
import TexelCodecs
import TexelCore
import TexelFrames
import TexelPipeline
import TexelPixels

/// Reads the allocation counter at two frames and releases all frames.
final class CountingSink: FrameSink {
    static let first = 100
    static let last = 500
    private let marks = Marks()

    /// Unchecked: frames are written one at a time, and the marks are read after the last.
    private final class Marks: @unchecked Sendable {
        var first = 0
        var last = 0
    }

    private let inner: (any FrameSink)?

    init(_ inner: (any FrameSink)? = nil) { self.inner = inner }

    var count: Int { marks.last - marks.first }
    var framesKept: Int { inner?.framesKept ?? 0 }

    func finish() throws(TexelError) { try inner?.finish() }

    func makePool(for stream: FrameStream, capacity: Int) throws(TexelError) -> FramePool {
        guard let inner else { return FramePool(capacity: capacity) }
        return try inner.makePool(for: stream, capacity: capacity)
    }

    func makeWriter(for stream: FrameStream) throws(TexelError) -> any FrameWriter {
        Writer(marks, try inner?.makeWriter(for: stream))
    }

    private final class Writer: FrameWriter {
        let marks: Marks
        let inner: (any FrameWriter)?

        init(_ marks: Marks, _ inner: (any FrameWriter)?) {
            self.marks = marks
            self.inner = inner
        }

        func prepare(_ frame: borrowing Frame) throws(TexelError) { try inner?.prepare(frame) }

        func write(_ frame: borrowing Frame) throws(TexelError) {
            if frame.index == CountingSink.first { marks.first = allocation_count() }
            if frame.index == CountingSink.last { marks.last = allocation_count() }
            try inner?.write(frame)
        }
    }
}

func measure(
    _ name: String, _ source: any FrameSource, _ recipe: Recipe = Recipe(), into inner: (any FrameSink)? = nil,
    workers: Int = 2
) throws {
    let sink = CountingSink(inner)
    var options = FramePipelineOptions()
    options.workers = workers
    options.policy = .block
    try FramePipeline(from: source, recipe, into: sink, options: options).start().wait()
    print("\(name): \(sink.count)")
}

let size = PixelSize(width: 96, height: 64)
let frames = CountingSink.last + 20
let clip = FilePath(CommandLine.arguments[1])

func pattern(_ size: PixelSize = size) throws -> any FrameSource { try PatternSource(size: size, count: frames) }

try measure("write Y4M", try pattern(), into: try Y4MSink(.file(clip, replaces: true)))
try measure("Y4M file", try Y4MSource(.file(clip)))
try measure("Y4M file, resized", try Y4MSource(.file(clip)), Recipe().resizing(width: 40))
try measure("Y4M file, halved", try Y4MSource(.file(clip)), Recipe().resizing(width: 48, filter: .box))
try measure("Y4M file, turned", try Y4MSource(.file(clip)), Recipe().resizing(width: 40).rotating(by: 90))
try measure("Y4M file, rotated", try Y4MSource(.file(clip)), Recipe().rotating(by: 7.5))
try measure(
    "Y4M file, in perspective", try Y4MSource(.file(clip)),
    Recipe().appending(.turn(Rotation3D(yaw: 30, pitch: 10, roll: 5))))
try measure(
    "crossfade",
    CrossfadeSource(
        try pattern(), try Y4MSource(.file(clip)), at: .seconds(1), duration: .seconds(60)))
try measure("pattern", try pattern())
try measure("pattern, one worker", try pattern(), workers: 1)
try measure("raw BGRA", try pattern(), into: try RawSink(.file("/dev/null"), format: .bgra))
try measure("registry", try pattern(), into: RegistrySink(TextureRegistry()))
try measure("shared by threads", try pattern(PixelSize(width: 2048, height: 1040)))

// MARK: An hour

/// A clock that jumps to any requested time, so that an hour of frames takes only their computing time.
final class JumpingClock: FrameClock, Sendable {
    private let nanoseconds = Atomic(Int64(0))

    var now: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }

    func sleep(until time: Duration, stop: StopToken) {
        let (seconds, attoseconds) = time.components
        nanoseconds.max(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, ordering: .relaxed)
    }
}

/// The resident memory of the process, in kilobytes.
func residentKilobytes() throws -> Int {
    let file = try FileDescriptor.open("/proc/self/statm", .readOnly)
    defer { try? file.close() }
    let text = try String(unsafeUninitializedCapacity: 256) {
        try file.read(into: UnsafeMutableRawBufferPointer($0))
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4
}

do {
    let clock = JumpingClock()
    let rate = FrameRate(60) ?? .standard
    let hour = 3600 * 60
    let registry = TextureRegistry()
    let sink = RegistrySink(registry)
    var options = FramePipelineOptions()
    options.policy = .block
    options.clock = clock
    let run = try FramePipeline(
        from: try PatternSource(size: size, rate: rate, count: hour).paced(clock: clock),
        Recipe().resizing(width: 40), into: sink, options: options
    ).start()
    var seen = 0
    var begin: Int?
    while run.isRunning, let next = registry.waitForFrame(sink.id, after: seen, atMost: .seconds(1)) {
        seen = next
        _ = registry.copyPixelBuffer(sink.id)
        if begin == nil, seen > 10_000 { begin = try residentKilobytes() }
    }
    let statistics = try run.wait()
    guard statistics.framesOut == hour, clock.now >= .seconds(3599), let begin else { fatalError("no hour passed") }
    print("an hour at 60 frames a second, KB more: \(try residentKilobytes() - begin)")
}
