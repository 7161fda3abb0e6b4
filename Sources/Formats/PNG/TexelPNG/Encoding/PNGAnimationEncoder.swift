import TexelCodecs
import TexelCore
import TexelPixels

/// Writes an animated PNG (PNG specification, third edition, 4.9). Of each frame, only the rectangle that differs from
/// the frame before is stored.
final class PNGAnimationEncoder: AnimationEncoder {
    private let options: PNGOptions
    private let properties: AnimationProperties
    private let context: EncodingContext
    private let format: PNGPixelFormat
    /// The chunks before the animation.
    private var file = PNGChunkWriter()
    /// The chunks of the frames.
    private var frames = PNGChunkWriter(bytes: [])
    private var frameCount = 0
    /// The frame that is displayed.
    private var last: PixelBuffer?
    /// The number of fcTL and fdAT chunks so far.
    private var sequenceNumber: UInt32 = 0

    init(
        _ options: PNGOptions, _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) {
        guard options.palette == nil else {
            throw .cannotEncode("the colours of an animated PNG cannot be reduced")
        }
        self.options = options
        self.properties = properties
        self.context = context
        format = PNGPixelFormat(unreduced: properties.hasAlpha ? .straight : .opaque)
        let encoder = PNGEncoder(
            options, metadata: context.metadata, stop: context.stop, parallelism: context.parallelism)
        file = try encoder.begun(properties.size, format, properties.colorSpace)
    }

    func append(_ frame: consuming PixelBuffer, delay: FrameDelay) throws(TexelError) {
        guard frame.size == properties.size else {
            throw .cannotEncode("a frame of \(frame.size) pixels in an animation of \(properties.size)")
        }
        let straight = frame.alphaMode == .premultiplied ? try frame.unpremultiplied() : frame
        var area = PixelRectangle(covering: properties.size)
        if let last {
            // A frame that changes nothing still takes time, and a frame has at least one pixel.
            area = straight.changedRectangle(since: last) ?? PixelRectangle(x: 0, y: 0, width: 1, height: 1)
        }
        let parts = try compressed(straight, area)
        appendControl(area, delay)
        if last == nil {
            frames.append(pixels: parts)
        } else {
            for part in parts { frames.append("fdAT", nextNumber() + part) }
        }
        last = straight
        frameCount += 1
    }

    func finish() throws(TexelError) -> [UInt8] {
        file.append(
            "acTL", [frameCount, properties.playCount].flatMap { PNGChunkWriter.bigEndian(UInt32(clamping: $0)) })
        file.append(copy: frames.bytes)
        file.append("IEND", [])
        return file.bytes
    }

    private func compressed(_ image: PixelBuffer, _ area: PixelRectangle) throws(TexelError) -> [[UInt8]] {
        let part = try image.cropped(to: area)
        return try PNGSearch(
            pixels: .buffer(part), reductions: [format], options: options.withoutReductions, stop: context.stop,
            parallelism: context.parallelism
        ).smallest().parts
    }

    /// Appends fcTL: the frame replaces what is in its area, and stays.
    private func appendControl(_ area: PixelRectangle, _ delay: FrameDelay) {
        let numbers = [area.width, area.height, area.x, area.y].flatMap { PNGChunkWriter.bigEndian(UInt32($0)) }
        let time = delay.fitting(UInt16.max)
        let delays = [time.numerator, time.denominator].flatMap { [UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
        frames.append("fcTL", nextNumber() + numbers + delays + [0, 0])
    }

    private func nextNumber() -> [UInt8] {
        defer { sequenceNumber += 1 }
        return PNGChunkWriter.bigEndian(sequenceNumber)
    }
}
