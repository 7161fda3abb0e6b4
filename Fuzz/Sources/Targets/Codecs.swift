import TexelPixels
import TexelWebP

@testable import TexelCodecs

extension FuzzTarget {
    /// WebP files, still and animated.
    static let webp = codec("webp", WebPCodec())

    /// Reads files of one format in all ways: header, pixels, frames, other metadata.
    private static func codec(_ name: String, _ codec: any ImageCodec) -> FuzzTarget {
        let registry = CodecRegistry([codec])
        return FuzzTarget(name, maximumLength: 1 << 15) { bytes, choices in
            var options = DecodeOptions(&choices)
            do throws(CodecError) {
                let source = try ImageSource(InputBytes(bytes), codecs: registry, limits: options.policy.limits)
                let info = source.info
                if !info.decodeScales.contains(options.shrink) { options.shrink = 1 }
                let image = try source.decodedAsStored(options).image
                image.expectSound()
                if options.shrink == 1 { expect(image.size == info.size, "an image has the header's size") }
                expect(info.hasAlpha || image.alphaMode == .opaque, "an image without alpha is opaque")
                try expectFrames(of: source, options)
                let plain = try source.rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
                guard options.policy.strictness != .none else { return }
                let copy = try ImageSource(InputBytes(plain), codecs: registry, limits: options.policy.limits)
                expect(try copy.decodedAsStored(options).image == image, "other metadata leave the pixels")
                expect(copy.info.metadata.exif == nil && copy.info.metadata.xmp == nil, "metadata are gone")
            } catch {
                expectSentence(error)
            }
        }
    }

    /// Draws the frames of an animation.
    private static func expectFrames(of source: ImageSource, _ options: DecodeOptions) throws(CodecError) {
        guard let animation = try source.animation(limits: options.policy.limits) else { return }
        expect((1...options.policy.limits.frames).contains(animation.frames.count), "frames are limited")
        let canvas = try AnimationCanvas(animation)
        for (index, frame) in animation.frames.enumerated() {
            expect(frame.area.isInside(animation.canvas), "a frame is inside the canvas")
            expect(frame.delay.denominator > 0, "a delay is a number")
            try canvas.draw(index, options)
        }
    }
}
