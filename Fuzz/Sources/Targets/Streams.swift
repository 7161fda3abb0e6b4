import TexelCore
import TexelPipeline
import TexelPixels

@testable import TexelCodecs
@testable import TexelFrames

extension FuzzTarget {
    static let y4m = stream("y4m") { stream, options, stop throws(TexelError) in
        try Y4MSource(stream, options: options, stop: stop)
    }

    static let mjpeg = stream("mjpeg") { stream, options, stop throws(TexelError) in
        try JPEGStreamSource(stream, options: options, stop: stop)
    }

    /// Frames by FFmpeg's libraries, of which only the fences are instrumented. Of a pipe they may be others: an index
    /// at the end of a file cannot be read from it.
    static let video = FuzzTarget("video", maximumLength: 1 << 16) { bytes, _ in
        guard let file = MemoryFile.file(bytes) else { return }
        _ = StreamOutcome(file) { stream, options, stop throws(TexelError) in
            try VideoSource(stream, name: nil, options: options, stop: stop)
        }
    }

    private typealias Open =
        @Sendable (consuming ByteStream, StreamOptions, StopToken) throws(TexelError) -> any FrameSource

    private static func stream(_ name: String, _ open: @escaping Open) -> FuzzTarget {
        FuzzTarget(name, maximumLength: 1 << 15) { compare($0, open) }
    }

    /// Compares the frames read from a file with those read from a pipe.
    private static func compare(_ bytes: [UInt8], _ open: Open) {
        guard let file = MemoryFile.file(bytes), let pipe = MemoryFile.pipe(bytes) else { return }
        let (ofFile, ofPipe) = (StreamOutcome(file, open), StreamOutcome(pipe, open))
        expect(ofFile == ofPipe, "a file gives \(ofFile), a pipe \(ofPipe)")
    }
}

/// The frames of a stream up to its end or first error.
private struct StreamOutcome: Equatable {
    private struct Image: Equatable {
        var size: PixelSize
        var time: Duration
        var index: Int
        var checksum: UInt64
    }

    private var images: [Image] = []
    /// The errors of frames that could not be rendered.
    private var refusals: [TexelError] = []
    private var error: TexelError?

    private static let frameLimit = 12

    init(
        _ input: MemoryFile,
        _ open: (consuming ByteStream, StreamOptions, StopToken) throws(TexelError) -> any FrameSource
    ) {
        var options = StreamOptions()
        options.limits = .fuzzing
        options.limits.pixels = 1 << 16
        // The pipe has no writer left, so a reader that waits would never continue.
        options.stallLimit = .seconds(2)
        let stop = StopToken()
        do throws(TexelError) {
            let stream = try ByteStream(.descriptor(input.descriptor), stallLimit: options.stallLimit)
            let source = try open(stream, options, stop)
            expect((source.format.size.pixelCount ?? .max) <= options.limits.pixels, "pixels are limited")
            let renderer = FrameRenderer(Recipe(), policy: DecodePolicy(limits: options.limits, strictness: .none))
            let pool = FramePool(capacity: 2)
            while images.count + refusals.count < Self.frameLimit, let frame = try source.nextFrame(stop) {
                try read(frame, renderer, pool)
            }
        } catch {
            expectSentence(error)
            self.error = error
        }
    }

    private mutating func read(
        _ frame: borrowing SourceFrame, _ renderer: FrameRenderer, _ pool: FramePool
    ) throws(TexelError) {
        guard let lease = try pool.leaseIfFree(byteCount: 1) else { return expect(false, "frames come back") }
        do throws(TexelError) {
            let result = try renderer.render(frame, arrival: .zero, into: lease)
            let (size, bytesPerRow) = (result.size, result.bytesPerRow)
            let checksum = result.withUnsafeBytes { bytes in
                (0..<size.height).reduce(UInt64(0)) { sum, y in
                    bytes[(y * bytesPerRow)..<(y * bytesPerRow + 4 * size.width)].reduce(sum) { $0 &* 31 &+ UInt64($1) }
                }
            }
            images.append(Image(size: size, time: frame.time, index: frame.index, checksum: checksum))
        } catch {
            expectSentence(error)
            refusals.append(error)
        }
    }
}
