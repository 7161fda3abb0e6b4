import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

/// Builds animated PNGs chunk by chunk.
struct AnimatedPNG {
    struct Frame {
        var image: PixelBuffer
        var x = 0
        var y = 0
        var delay: (Int, Int) = (1, 10)
        var disposal = AnimationFrame.Disposal.none
        var blending = AnimationFrame.Blending.source
    }

    var canvas: PixelSize
    var frames: [Frame]
    var plays = 0
    /// A default image before the animation that is not part of it.
    var defaultImage: PixelBuffer?
    /// Added to the sequence number of the chunk with this index.
    var wrongSequence: Int?
    var declaredFrames: Int?
    /// The encoding options of all frames.
    var options = PNGOptions(reducesLosslessly: false)
    /// The number of chunks that each frame's data is split into.
    var parts = 1

    func bytes() throws -> [UInt8] {
        var result = PNGChunkWriter()
        var sequence = 0
        func number() -> [UInt8] {
            defer { sequence += 1 }
            return PNGChunkWriter.bigEndian(UInt32(sequence + (sequence == wrongSequence ? 1 : 0)))
        }
        func control(_ frame: Frame) -> [UInt8] {
            number()
                + [frame.image.width, frame.image.height, frame.x, frame.y].flatMap {
                    PNGChunkWriter.bigEndian(UInt32($0))
                } + [frame.delay.0 >> 8, frame.delay.0 & 255, frame.delay.1 >> 8, frame.delay.1 & 255].map(UInt8.init)
                + [UInt8(frame.disposal.rawValue), UInt8(frame.blending.rawValue)]
        }
        let first = try (defaultImage ?? frames.first?.image).orFail()
        let file = PNGFile(bytes: InputBytes(try first.encoded(as: .png(options))))
        for chunk in file.chunks where chunk.name != "IDAT" && chunk.name != "IEND" {
            result.append(chunk.name, Array(file.bytes[chunk.data]))
        }
        result.append(
            "acTL",
            [declaredFrames ?? frames.count, plays].flatMap { PNGChunkWriter.bigEndian(UInt32($0)) })
        if let defaultImage { for part in try pixels(of: defaultImage) { result.append("IDAT", part) } }
        for (index, frame) in frames.enumerated() {
            result.append("fcTL", control(frame))
            for part in try pixels(of: frame.image) {
                if index == 0, defaultImage == nil {
                    result.append("IDAT", part)
                } else {
                    result.append("fdAT", number() + part)
                }
            }
        }
        result.append("IEND", [])
        return result.bytes
    }

    private func pixels(of image: PixelBuffer) throws -> [[UInt8]] {
        let file = PNGFile(bytes: InputBytes(try image.encoded(as: .png(options))))
        let stream = file.chunks.filter { $0.name == "IDAT" }.flatMap { Array(file.bytes[$0.data]) }
        let length = max(1, (stream.count + parts - 1) / parts)
        return stride(from: 0, to: stream.count, by: length).map {
            Array(stream[$0..<min(stream.count, $0 + length)])
        }
    }

    /// The expected canvas of each frame (PNG specification, third edition, 11.3.6.2), by a simple reference
    /// implementation.
    func expectedFrames() -> [[UInt32]] {
        var canvas = [UInt32](repeating: 0, count: self.canvas.width * self.canvas.height)
        return frames.enumerated().map { index, frame in
            let before = canvas
            let places = (0..<frame.image.height).flatMap { y in (0..<frame.image.width).map { ($0, y) } }
            for (x, y) in places {
                let place = (frame.y + y) * self.canvas.width + frame.x + x
                let pixel = frame.image[x, y]
                canvas[place] = frame.blending == .source ? pixel : Self.blend(pixel, over: canvas[place])
            }
            let seen = canvas
            for (x, y) in places {
                let place = (frame.y + y) * self.canvas.width + frame.x + x
                switch frame.disposal {
                case .none: break
                case .background: canvas[place] = 0
                case .previous: canvas[place] = before[place]
                }
            }
            return seen
        }
    }

    private static func blend(_ above: UInt32, over below: UInt32) -> UInt32 {
        let (a, b) = (Int(above >> 24), Int(below >> 24))
        let (upper, lower) = (a * 255, (255 - a) * b)
        guard upper + lower > 0 else { return below }
        let alpha = (upper + lower + 127) / 255
        // A fully transparent source leaves the pixel unchanged.
        guard a > 0 else { return below }
        return [16, 8, 0].reduce(UInt32(alpha) << 24) { pixel, shift in
            let (c, d) = (Int(above >> UInt32(shift) & 255), Int(below >> UInt32(shift) & 255))
            let mixed = (2 * (c * upper + d * lower) + upper + lower) / (2 * (upper + lower))
            return pixel | UInt32(mixed) << UInt32(shift)
        }
    }
}
