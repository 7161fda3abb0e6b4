import Synchronization
public import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelFormats
public import TexelPixels

/// The frames of an animation as displayed, one after another; of another image, its only frame.
///
///     for try await frame in try await AnimatedImage(contentsOf: "clip.gif") {
///         await show(frame.pixels, for: frame.duration)
///     }
///
/// A frame is composed when it is asked for, on a thread of its own. Memory does not depend on the number of
/// frames, but for a playback that goes backwards, where it grows with the logarithm. Each iteration begins with the
/// first frame.
public struct AnimatedImage: AsyncSequence, Sendable {
    /// A frame of an animation.
    public struct Element: Sendable {
        /// The whole image, as displayed.
        public var pixels: PixelBuffer
        /// When the frame begins, from the start of the animation.
        public var time: Duration
        /// How long the frame is shown: 100 ms if the file says at most 10 ms, as in browsers; zero for a still image.
        public var duration: Duration
    }

    /// The header of the file.
    public let info: ImageInfo
    /// The number of frames.
    public var frameCount: Int { entries.count }
    /// The number of times that the animation is played; 0 for endless.
    public let playCount: Int
    private let bytes: InputBytes
    private let source: any ImageFile
    private let policy: DecodePolicy
    private let entries: [FrameSchedule.Entry]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - playback: Which frames, in which order, and how fast.
    ///   - policy: The policy for decoding.
    /// - Throws: errors of the file and of the codec; `missingFrame`, `invalidParameter`.
    public init(
        contentsOf path: FilePath, playback: Playback = Playback(), policy: DecodePolicy = DecodePolicy()
    ) async throws(TexelError) {
        self = try await BlockingWork.run { () throws(TexelError) in
            let bytes = try InputReader.read(path, limit: policy.limits.inputBytes)
            return try AnimatedImage(bytes, playback: playback, policy: policy)
        }
    }

    /// Opens the bytes of a file, with the same parameters as for a path.
    public init(
        decoding bytes: some Collection<UInt8>, playback: Playback = Playback(), policy: DecodePolicy = DecodePolicy()
    ) throws(TexelError) {
        try self.init(InputBytes(Array(bytes)), playback: playback, policy: policy)
    }

    private init(_ bytes: InputBytes, playback: Playback, policy: DecodePolicy) throws(TexelError) {
        source = try CodecRegistry.shared.open(bytes, limits: policy.limits)
        (info, self.bytes, self.policy) = (source.info, bytes, policy)
        try playback.check(for: info)
        guard let animation = try source.animation(limits: policy.limits) else {
            (playCount, entries) = (
                1, [FrameSchedule.Entry(frame: 0, delay: FrameDelay(0, 1), shownDelay: FrameDelay(0, 1))]
            )
            return
        }
        let schedule = try FrameSchedule(animation, playback, frameLimit: policy.limits.frames)
        (playCount, entries) = (schedule.playCount, schedule.entries)
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Composes the frames of an animation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let image: AnimatedImage
        private let frames = Frames()
        private var index = 0
        private var time = FrameDelay(0, 1)

        fileprivate init(_ image: AnimatedImage) { self.image = image }

        /// Composes the next frame; `nil` after the last.
        ///
        /// - Throws: errors of the codec; `stopped` if the task is cancelled.
        public mutating func next() async throws(TexelError) -> Element? {
            guard index < image.entries.count else { return nil }
            let entry = image.entries[index]
            let (image, frames) = (image, frames)
            let pixels = try await BlockingWork.run { () throws(TexelError) in
                try frames.pixels(of: entry.frame, of: image)
            }
            if Task.isCancelled { throw .stopped(.cancelled) }
            defer {
                index += 1
                time = time.adding(entry.shownDelay)
            }
            return Element(pixels: pixels, time: time.duration, duration: entry.shownDelay.duration)
        }
    }

    /// The frames that an iterator composes.
    private final class Frames: Sendable {
        private let composed = Mutex<ComposedFrames?>(nil)

        func pixels(of frame: Int, of image: AnimatedImage) throws(TexelError) -> PixelBuffer {
            try composed.withLock { (composed) throws(TexelError) in
                let context = RouteContext(image.source, policy: image.policy)
                guard image.info.isAnimation else {
                    return try PixelBuffer(from: image.bytes, Recipe(), policy: image.policy)
                }
                let frames: ComposedFrames
                if let begun = composed {
                    frames = begun
                } else {
                    frames = try ComposedFrames(context)
                }
                composed = frames
                return try frames.frame(frame)
            }
        }
    }
}
