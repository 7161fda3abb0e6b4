import Foundation
import TestSupport
import Testing
import Texel
import ToyCodec

/// The program with a format that it does not know by itself.
@Suite struct ToyWorkerTests {
    @Test func jobs() throws {
        CodecRegistry.shared.register(ToyCodec())
        let workspace = try Workspace()
        let image = try PixelBuffer.random(width: 30, height: 20, seed: 4)
        let encoding = try #require(ImageFormat.toy.encoding())
        try workspace.add("in.toy", image.encoded(as: encoding))
        let jobs = [
            #"{"command": "info", "input": "in.toy"}"#,
            #"{"command": "resize", "input": "in.toy", "output": "out.toy", "width": 15}"#,
            #"{"command": "compress", "input": "in.toy", "output": "out.png", "format": "png"}"#,
        ]
        let outcome = try RunningProgram(
            ["worker", "-j1"], in: workspace.directory.path, input: Array(jobs.map { $0 + "\n" }.joined().utf8),
            program: Program.built("ToyProgram")
        ).wait()
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        let results = try outcome.text.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }.sorted { ($0["line"] as? Int ?? 0) < ($1["line"] as? Int ?? 0) }
        try #require(results.count == 3)
        #expect(results[0]["format"] as? String == "toy" && results[0]["width"] as? Int == 30)
        #expect(results[1]["error"] as? String == nil && results[1]["format"] as? String == "toy")
        let expected = try image.resized(to: PixelSize(width: 15, height: 10))
        let written = try CodecRegistry.shared.open(InputBytes(try workspace.bytes("out.toy"))).decodedAsStored().image
        #expect(written == expected)
        #expect(results[2]["format"] as? String == "png" && results[2]["status"] as? String == "written")
    }
}
