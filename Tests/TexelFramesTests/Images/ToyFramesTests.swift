import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelFormats
import TexelPipeline
import TexelPixels
import ToyCodec

@testable import TexelFrames

/// Images of a registered format are frames, as inputs and as outputs.
@Suite struct ToyFramesTests {
    @Test func sequencesUseARegisteredCodec() throws {
        CodecRegistry.shared.register(ToyCodec())
        let directory = try TemporaryDirectory()
        let encoding = try #require(ImageFormat.toy.encoding())
        let images = try (1...3).map { try PixelBuffer.random(width: 20, height: 10, seed: UInt64($0)) }
        for (index, image) in images.enumerated() {
            try directory.add("in\(index + 1).toy", image.encoded(as: encoding))
        }
        let source = try ImageSequenceSource(directory("in%d.toy"))
        let names = try #require(NumberedPath(directory("out%d.toy")))
        try FramePipeline(from: source, Recipe(), into: ImageSequenceSink(names, as: encoding)).start().wait()
        for (index, image) in images.enumerated() {
            let bytes = InputBytes(try directory.bytes("out\(index + 1).toy"))
            #expect(try CodecRegistry.shared.open(bytes).decodedAsStored().image == image)
        }
    }
}
