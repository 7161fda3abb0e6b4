public import SystemPackage
public import TexelCodecs
public import TexelCore
import TexelPipeline
import TexelPixels

/// Yields the images that are written to a directory, for example by a camera, as soon as each is complete.
///
/// A file counts as an image if it has an image's file name extension and is not hidden. A rewritten file is a new
/// frame. Incomplete files are not read: on Linux, inotify reports when a file has been closed or moved into the
/// directory. Elsewhere, and if an interval is given, a file is complete once two scans find it unchanged. The time of
/// a frame is when it was returned. The stream ends when it is stopped and fails when the directory is removed.
public final class DirectorySource: FrameSource {
    /// Properties of the stream; the size is that of the first image.
    public let format: FrameFormat
    private let directory: FilePath
    private let clock: any FrameClock
    private let state: Monitor<State>

    private struct State {
        let watch: any DirectoryWatch
        /// In reverse order: the last name is the next frame.
        var names: [String] = []
        var index = 0
        /// When the first frame was returned.
        var start: Duration?
    }

    /// Starts to watch a directory; blocks until the size of one image is known.
    ///
    /// - Parameters:
    ///   - directory: The directory to watch, without its subdirectories.
    ///   - includesExisting: Whether the images already there come first, in natural order.
    ///   - interval: How often to scan the directory instead of using inotify, which does not report changes on network
    ///     shares; `nil` uses inotify where possible, else scans every 200 ms.
    ///   - limits: The limits for reading the size of the first image.
    ///   - clock: The clock for the times of frames.
    ///   - stop: Ends the wait.
    /// - Throws: `missingFile`, `cannotRead`, `stopped`.
    public init(
        _ directory: FilePath, includesExisting: Bool = true, lookingEvery interval: Duration? = nil,
        limits: Limits = Limits(), clock: any FrameClock = SystemFrameClock(), stop: StopToken = StopToken()
    ) throws(TexelError) {
        self.directory = directory
        self.clock = clock
        var watch: (any DirectoryWatch)?
        #if os(Linux)
            if interval == nil { watch = try InotifyWatch(directory, includesExisting: includesExisting) }
        #endif
        let chosen: any DirectoryWatch
        if let watch {
            chosen = watch
        } else {
            chosen = try PollingWatch(
                directory, includesExisting: includesExisting, every: interval ?? .milliseconds(200), clock: clock)
        }
        var state = State(watch: chosen)
        var size: PixelSize?
        while size == nil {
            guard let names = try chosen.next(stop) else { throw .stopped(.cancelled) }
            state.names.insert(contentsOf: names.reversed(), at: 0)
            // Skip unreadable images here; the decoder reports them later.
            for name in names where size == nil {
                size = try? ImageSequenceSource.size(of: directory.appending(name), limits: limits)
            }
        }
        format = FrameFormat(size: size ?? PixelSize(width: 1, height: 1), isLive: true, isEncoded: true)
        self.state = Monitor(state)
    }

    public func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        try state.withLock { (state) throws(TexelError) -> SourceFrame? in
            while !stop.isStopped {
                guard let name = state.names.popLast() else {
                    guard let names = try state.watch.next(stop) else { return nil }
                    state.names = names.reversed()
                    continue
                }
                let path = directory.appending(name)
                // The file may have been removed since.
                guard FileStamp(path) != nil else { continue }
                let now = clock.now
                let start = state.start ?? now
                state.start = start
                defer { state.index += 1 }
                return SourceFrame(.file(path), time: now - start, index: state.index)
            }
            return nil
        }
    }
}
