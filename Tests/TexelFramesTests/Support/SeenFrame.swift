import SystemPackage
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

/// The properties of a source's frame that tests check.
struct SeenFrame: Equatable {
    enum Image: Equatable {
        case pattern(Int)
        case file(FilePath)
        case pixels(PixelSize, [UInt32])
        case encoded([UInt8])
        case other
    }

    var index: Int
    var time: Duration
    var duration: Duration?
    var fields: FieldOrder?
    var image: Image
    /// The alpha mode of finished pixels.
    var alphaMode: AlphaMode?
    var overlay: Image?
    var overlayFields: FieldOrder?
    var weight: Int?

    init(_ frame: consuming SourceFrame) throws {
        (index, time, duration, fields) = (frame.index, frame.time, frame.duration, frame.fields)
        image = try Image(frame.content)
        alphaMode = AlphaMode(frame.content)
        if let overlay = frame.overlay.take() {
            (weight, overlayFields) = (overlay.weight, overlay.fields)
            self.overlay = try Image(overlay.content)
        }
    }
}

extension SeenFrame.Image {
    init(_ content: borrowing FrameContent) throws {
        switch content {
        case .pattern(let pattern): self = .pattern(pattern.step)
        case .file(let path): self = .file(path)
        case .pixels(let frame): self = .pixels(frame.size, try frame.pixelBuffer().pixels)
        case .encoded(let bytes): self = .encoded(bytes.lease.withUnsafeBytes { Array($0[..<bytes.count]) })
        default: self = .other
        }
    }
}

extension AlphaMode {
    init?(_ content: borrowing FrameContent) {
        switch content {
        case .pixels(let frame): self = frame.alphaMode
        default: return nil
        }
    }
}

extension FrameSource {
    func nextSeen(_ stop: StopToken = StopToken()) throws -> SeenFrame? {
        guard let frame = try next(stop) else { return nil }
        return try SeenFrame(frame)
    }

    /// Returns up to `limit` frames of the stream.
    func seenFrames(atMost limit: Int = .max) throws -> [SeenFrame] {
        let stop = StopToken()
        var frames: [SeenFrame] = []
        while frames.count < limit, let frame = try nextSeen(stop) { frames.append(frame) }
        return frames
    }
}
