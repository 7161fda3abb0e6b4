import TexelCodecs
import TexelCore
import TexelPixels

/// Writes an animated WebP.
///
/// Frames with loss are also encoded as an animation without loss, as long as they have few colours, as drawings and
/// the frames of a GIF do; the smaller one is the result.
final class WebPAnimationEncoder: AnimationEncoder {
    private let properties: AnimationProperties
    private let context: EncodingContext
    private let requested: WebPFrames
    private var lossless: WebPFrames?
    private var clock = FrameTicks(ticksPerSecond: 1000)
    /// The start of the next frame in milliseconds.
    private var time = 0

    init(
        _ options: WebPOptions, _ properties: AnimationProperties, _ context: EncodingContext
    ) throws(TexelError) {
        guard max(properties.size.width, properties.size.height) <= WebPEncoder.maximumSide else {
            throw .cannotEncode(
                "a side of a WebP has at most \(WebPEncoder.maximumSide) pixels; the image is \(properties.size)")
        }
        try LoadedLibrary.webP.require()
        try LoadedLibrary.webPMux.require()
        requested = try WebPFrames(options, properties, context)
        if !options.isLossless {
            let effort = options.effort == .fast ? Effort.fast : .balanced
            lossless = try WebPFrames(WebPOptions(isLossless: true, effort: effort), properties, context)
        }
        (self.properties, self.context) = (properties, context)
    }

    func append(_ frame: consuming PixelBuffer, delay: FrameDelay) throws(TexelError) {
        let pixels = try WebPEncoder.prepared(frame)
        guard pixels.size == properties.size else {
            throw .cannotEncode("a frame of \(pixels.size) pixels in an animation of \(properties.size)")
        }
        if lossless != nil, !FewColors.suffice(for: pixels) { lossless = nil }
        let (encodings, time) = ([lossless, requested].compactMap(\.self), time)
        try ParallelJobs.forEach(encodings.count, threads: context.parallelism) { number throws(TexelError) in
            try encodings[number].append(pixels, at: time)
        }
        // libwebpmux refuses frames that take no time.
        self.time += max(1, clock.ticks(for: delay))
    }

    func finish() throws(TexelError) -> [UInt8] {
        let lossy = try file(of: requested)
        guard let lossless else { return lossy }
        let exact = try file(of: lossless)
        return exact.count <= lossy.count ? exact : lossy
    }

    private func file(of frames: WebPFrames) throws(TexelError) -> [UInt8] {
        try WebPFile(try frames.finish(at: time), limits: Limits(), stop: nil).rewritten(
            metadata: context.metadata, profile: try WebPEncoder.profile(of: properties.colorSpace), nil)
    }
}

/// Recognises images that may be smaller without loss than with it.
private enum FewColors {
    /// Photographs have far more; a frame of a GIF may show those of several tables.
    static let largestCount = 1024

    /// Whether an image has at most ``largestCount`` colours.
    static func suffice(for image: PixelBuffer) -> Bool {
        // Open addressing, at most a quarter full. 0 marks an empty slot; the colour 0 is not counted.
        var slots = [UInt32](repeating: 0, count: largestCount * 4)
        var (count, last): (Int, UInt32) = (0, 0)
        return image.withUnsafePixels { pixels in
            for y in 0..<image.height {
                for index in (y * image.pixelsPerRow)..<(y * image.pixelsPerRow + image.width) {
                    let color = pixels[index]
                    if color == last { continue }
                    last = color
                    var slot = Int((color &* 0x9E37_79B1) >> 20)
                    while slots[slot] != 0, slots[slot] != color { slot = (slot + 1) & (slots.count - 1) }
                    if slots[slot] == color { continue }
                    slots[slot] = color
                    count += 1
                    if count > largestCount { return false }
                }
            }
            return true
        }
    }
}
