import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelGIF

extension FuzzTarget {
    /// Decodes all frames of a GIF, writes the file with other metadata, and encodes its first frame again.
    static let gif = FuzzTarget("gif", maximumLength: 1 << 14) { bytes, choices in
        var options = DecodeOptions(&choices)
        options.shrink = 1
        do throws(TexelError) {
            let codecs = CodecRegistry([GIFCodec()])
            let source = try codecs.open(InputBytes(bytes), limits: options.policy.limits)
            let copy = try source.rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            if let animation = try source.animation(limits: options.policy.limits) {
                expect((1...options.policy.limits.frames).contains(animation.frames.count), "frames are limited")
                let canvas = try AnimationCanvas(animation)
                for (index, frame) in animation.frames.enumerated() {
                    expect(frame.area.isInside(animation.canvas), "a frame is on the canvas")
                    try canvas.draw(index, options)
                }
            }
            let image = try source.decodedAsStored(options).image
            image.expectSound()
            expect(image.size == source.info.size, "the image has the size that the header says")
            let same = try? codecs.open(InputBytes(copy), limits: options.policy.limits)
                .decodedAsStored(options).image
            expect(same?.pixels == image.pixels || options.policy.strictness == .none, "metadata change no pixel")
            guard image.width * image.height < 1 << 14, Set(image.pixels).count <= 256 else { return }
            let again = try image.encoded(as: .gif(GIFOptions(effort: choices.one(of: Effort.allCases))))
            let returned = try codecs.open(InputBytes(again)).decodedAsStored().image
            expect(returned.pixels == image.pixels, "few colours are kept")
        } catch {
            expectSentence(error)
        }
    }
}
