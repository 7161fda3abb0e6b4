import Synchronization
import Texel
import TexelCore
import TexelFrames

/// The frames of a video as inputs of a contact sheet.
enum VideoCells {
    /// Whether an item is a video, by its first bytes.
    static func isVideo(_ item: InputItem) -> Bool {
        #if Video
            (try? ImageFormat(sniffing: InputReader.head(of: item.path))) == .video
        #else
            false
        #endif
    }

    /// Returns one frame per interval. An item's name is the video's with the time, from which captions are made.
    ///
    /// - Throws: the error of the video; frames before it are lost with it.
    static func items(
        of item: InputItem, every interval: Duration, _ work: WorkOptions, stop: StopToken
    ) async throws(TexelError) -> [InputItem] {
        let cells = Mutex<[InputItem]>([])
        let (path, stem) = (item.path, item.path.stem ?? "video")
        // At their own size, which captions name; a sheet makes them smaller by its own rules.
        let encoding = ImageEncoding.jpeg(JPEGOptions(quality: 95))
        try await BlockingWork.run { () throws(TexelError) in
            var options = StreamOptions()
            options.limits = work.limits.limits
            options.isolation = work.limits.isolation
            let stop = StopToken(parent: stop, timeout: work.limits.timeLimit)
            let source = try FrameSourceFactory.open(path.string, options: options, stop: stop).sampled(every: interval)
            let sink = HandlerSink { frame in
                let (time, image) = (frame.time, try frame.pixelBuffer())
                let bytes = try image.encoded(as: encoding, background: .white)
                let name = "\(stem) \(clockTime(time))"
                cells.withLock { $0.append(InputItem(BytesSource(bytes, name: name), fileName: name)) }
            }
            var settings = FramePipelineOptions()
            settings.decodePolicy = work.policy
            let run = try FramePipeline(from: source, into: sink, options: settings).start()
            stop.whenCancelled { run.stop() }
            try run.wait()
            if stop.isStopped { throw .stopped(.cancelled) }
        }
        return cells.withLock { $0 }
    }

    /// A time as minutes and seconds, with hours where there are some: "1:05", "1:00:05", "0:00.5".
    static func clockTime(_ time: Duration) -> String {
        let milliseconds = Int((time / .milliseconds(1)).rounded())
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000)
        let hours = seconds / 3600
        let start = hours > 0 ? "\(hours):\(two(seconds / 60 % 60))" : "\(seconds / 60)"
        let tenths = rest == 0 ? "" : ".\(String(1000 + rest).dropFirst())"
        return "\(start):\(two(seconds % 60))\(tenths)"
    }
}
