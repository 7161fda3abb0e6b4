import Foundation
import TestSupport
import Testing
import Texel
import ToyCodec

@testable import TexelCLI

/// A worker in this process, which knows a format that the built program does not.
@Suite struct ToyWorkerTests {
    private func result(_ job: String) async throws -> [String: Any] {
        CodecRegistry.shared.register(ToyCodec())
        let pool = WorkerPool(width: 1, byteBudget: 64 << 20)
        let runner = JobRunner(defaults: try JobOptions(try .parse([])), pool: pool, stop: StopToken())
        let line = JobLine(number: 1, bytes: Array(job.utf8), isTooLong: false)
        let text = try #require(await runner.result(of: line)).text
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func jobs() async throws {
        CodecRegistry.shared.register(ToyCodec())
        let directory = try TemporaryDirectory()
        let image = try PixelBuffer.random(width: 30, height: 20, seed: 4)
        let encoding = try #require(ImageFormat.toy.encoding())
        try directory.add("in.toy", image.encoded(as: encoding))
        let (input, output) = (directory("in.toy"), directory("out.toy"))
        let information = try await result(#"{"command": "info", "input": "\#(input)"}"#)
        #expect(information["format"] as? String == "toy" && information["width"] as? Int == 30)
        let resized = try await result(
            #"{"command": "resize", "input": "\#(input)", "output": "\#(output)", "width": 15}"#)
        #expect(resized["error"] as? String == nil && resized["format"] as? String == "toy")
        let expected = try image.resized(to: PixelSize(width: 15, height: 10))
        let written = try ImageSource(InputBytes(try directory.bytes("out.toy"))).decodedAsStored().image
        #expect(written == expected)
        let png = try await result(
            #"{"command": "compress", "input": "\#(input)", "output": "\#(directory("out.png"))", "format": "png"}"#)
        #expect(png["format"] as? String == "png" && png["status"] as? String == "written")
    }
}
