import TexelCodecs
import TexelCore
import TexelPixels

/// The frames of an image sequence. Each covers the canvas.
struct AVIFAnimation: ImageAnimation {
    let canvas: PixelSize
    let frames: [AnimationFrame]
    let playCount: Int
    let fault: TexelError?
    private let file: AVIFFile
    private let shared: AVIFFrames

    /// Waits for the whole file. Returns `nil` for a still image.
    ///
    /// - Throws: `truncated` if not even the first frame is complete.
    init?(_ file: AVIFFile, limits: Limits) throws(TexelError) {
        guard let track = file.track, track.samples.count > 1 else { return nil }
        self.file = file
        canvas = file.image.area.size
        playCount = track.playCount
        let byteCount = try file.bytes.wait(for: .max, nil)
        let isThere = track.samples.indices.map { index in
            track.samples[index].range.upperBound <= byteCount
                && (!file.alphaSamples.indices.contains(index)
                    || file.alphaSamples[index].range.upperBound <= byteCount)
        }
        let complete = isThere.prefix { $0 }.count
        let isCut = complete < track.samples.count
        if complete == 0 { throw .truncated(rowsRead: 0, rows: canvas.height) }
        fault =
            isCut
            ? .truncated(rowsRead: 0, rows: canvas.height)
            : track.timescale > 0 ? nil : .avif(.missing("time unit of the frames"))
        let area = PixelRectangle(covering: canvas)
        frames = track.samples.prefix(complete).map { sample in
            AnimationFrame(
                area: area, delay: FrameDelay(sample.duration, max(1, track.timescale)), disposal: .none,
                blending: .source)
        }
        var options = DecodeOptions()
        options.policy.limits = limits
        shared = AVIFFrames(file, options)
    }

    func decoder(of index: Int, _ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        var options = options
        options.shrink = 1
        return try AVIFDecoder(file, frame: index, shared, metadata: ImageMetadata(), options)
    }
}
