public import SystemPackage
public import TexelCodecs
import TexelPipeline
import TexelPixels

/// Gives the pictures that come to a directory, as they become complete: those of a camera, or of another program.
///
/// Names are of no consequence but that they end like a picture's; hidden files are left alone. A file that is written
/// anew is a new frame. Files that are still being written are never read: on Linux the system tells when a file has
/// been closed or moved there; elsewhere, and on request, one is complete that two looks find unchanged. The time of a
/// frame is that at which it was given. The stream ends when it is stopped, and fails when the directory goes.
public final class DirectorySource: FrameSource {
    public let format: FrameFormat
    private let directory: FilePath
    private let clock: any FrameClock
    private let state: Monitor<State>

    private struct State {
        let watch: any DirectoryWatch
        /// The next is the last.
        var names: [String] = []
        var index = 0
        /// When the first frame was given.
        var start: Duration?
    }

    /// Waits for the first picture, so that its size is known, unless one is there.
    ///
    /// - Parameters:
    ///   - includesExisting: whether the pictures that are there come first, in natural order.
    ///   - interval: how often to look into the directory, where the system is not to tell, as it cannot for network
    ///     shares.
    ///   - stop: ends the waiting.
    /// - Throws: `file(.missing)`, `file(.cannotRead)`, `stopped`.
    public init(
        _ directory: FilePath, includesExisting: Bool = true, lookingEvery interval: Duration? = nil,
        limits: Limits = Limits(), clock: any FrameClock = SystemFrameClock(), stop: FrameStop = FrameStop()
    ) throws(FrameError) {
        self.directory = directory
        self.clock = clock
        var watch: (any DirectoryWatch)?
        #if canImport(Glibc)
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
            guard let names = try chosen.next(stop) else { throw .stopped }
            state.names.insert(contentsOf: names.reversed(), at: 0)
            // Pictures that cannot be read say nothing, and will be somebody else's trouble.
            for name in names where size == nil {
                size = try? ImageSequenceSource.size(of: directory.appending(name), limits: limits)
            }
        }
        format = FrameFormat(size: size ?? PixelSize(width: 1, height: 1), isLive: true, isEncoded: true)
        self.state = Monitor(state)
    }

    public func next(_ stop: FrameStop) throws(FrameError) -> SourceFrame? {
        try state.withLock { (state) throws(FrameError) -> SourceFrame? in
            while !stop.isStopped {
                guard let name = state.names.popLast() else {
                    guard let names = try state.watch.next(stop) else { return nil }
                    state.names = names.reversed()
                    continue
                }
                let path = directory.appending(name)
                // It may have been taken away since.
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
