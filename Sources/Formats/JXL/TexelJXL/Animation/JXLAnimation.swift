import CJXLShim
import TexelCodecs
import TexelCore
import TexelPixels

/// The displayed frames of an animation. Each covers the canvas.
struct JXLAnimation: ImageAnimation {
    let canvas: PixelSize
    let frames: [AnimationFrame]
    let playCount: Int
    let fault: TexelError?
    private let file: JXLFile
    private let shared: JXLFrames

    /// Reads the headers of all frames; waits for the whole file.
    ///
    /// - Returns: `nil` for a still image.
    /// - Throws: an error before the end of the first frame; `limitExceeded`, `missingLibrary`, `stopped`.
    init?(_ file: JXLFile, limits: Limits, stop: StopToken?) throws(TexelError) {
        guard let animation = file.header.animation else { return nil }
        self.file = file
        canvas = file.header.size
        playCount = animation.playCount
        shared = JXLFrames(file)
        let decoder = try JXLLibraryDecoder(
            file.bytes, file.codestream(limits: limits, stop: stop), TEXEL_JXL_READ_FRAMES, stop)
        var durations: [Int] = []
        var fault: TexelError?
        var isComplete = false
        do throws(TexelError) {
            reading: while true {
                switch try decoder.next() {
                case TEXEL_JXL_FRAME:
                    guard durations.count < limits.frames else {
                        throw .limitExceeded(.frames, value: durations.count + 1, allowed: limits.frames)
                    }
                    durations.append(decoder.duration)
                case TEXEL_JXL_END:
                    isComplete = true
                    break reading
                case TEXEL_JXL_NEEDS_BYTES: throw .truncated(rowsRead: 0, rows: canvas.height)
                default: break
                }
            }
        } catch {
            guard error.kind == .damaged || error.kind == .truncated else { throw error }
            fault = error
        }
        // The last frame is not complete unless the end of the codestream was found.
        if !isComplete, durations.count > 1 { durations.removeLast() }
        if durations.isEmpty { throw fault ?? .jxl(.missing("first frame")) }
        self.fault = fault
        let area = PixelRectangle(covering: canvas)
        frames = durations.map { ticks in
            AnimationFrame(
                area: area, delay: FrameDelay(ticks * animation.denominator, animation.numerator),
                disposal: .none, blending: .source)
        }
    }

    func decoder(of index: Int, _ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        try JXLDecoder(file, frame: index, shared, options)
    }
}
