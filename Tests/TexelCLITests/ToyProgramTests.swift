import Foundation
import TestSupport
import Testing
import Texel
import ToyCodec

/// The program with a format and an operation that it does not know by itself, and their own parameters.
@Suite struct ToyProgramTests {
    private let workspace: Workspace
    private let image: PixelBuffer

    init() throws {
        workspace = try Workspace()
        image = try PixelBuffer.random(width: 30, height: 20, seed: 4)
        try workspace.add("in.png", image.encoded(as: .png(PNGOptions(effort: .fast))))
    }

    private func run(_ arguments: [String], input: String = "") throws -> RunningProgram.Outcome {
        try RunningProgram(
            arguments, in: workspace.directory.path, input: Array(input.utf8), program: Program.built("ToyProgram")
        ).wait()
    }

    /// The bytes of a toy, made without the program.
    private func toy(_ image: PixelBuffer, depth: Int? = nil) throws -> [UInt8] {
        var settings = EncodingSettings()
        settings.parameters[.toyDepth] = depth
        return try image.encoded(as: ImageEncoding(#require(ToyCodec().options(for: settings))))
    }

    @Test func jobsUseTheAddedFormatAndOperation() throws {
        try workspace.add("in.toy", toy(image))
        let jobs = [
            #"{"command": "info", "input": "in.toy"}"#,
            #"{"command": "resize", "input": "in.toy", "output": "out.toy", "width": 15}"#,
            #"{"command": "compress", "input": "in.toy", "output": "out.png", "format": "png"}"#,
            #"{"command": "compress", "input": "in.png", "output": "rough.toy", "toyDepth": 3}"#,
            #"{"command": "rotate", "input": "in.png", "output": "other.toy", "toyBits": 15, "negate": true}"#,
        ]
        let outcome = try run(["worker", "-j1"], input: jobs.map { $0 + "\n" }.joined())
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        let results = try outcome.text.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }.sorted { ($0["line"] as? Int ?? 0) < ($1["line"] as? Int ?? 0) }
        try #require(results.count == 5)
        #expect(results[0]["format"] as? String == "toy" && results[0]["width"] as? Int == 30)
        #expect(results[1]["error"] as? String == nil && results[1]["format"] as? String == "toy")
        #expect(try workspace.bytes("out.toy") == toy(image.resized(to: PixelSize(width: 15, height: 10))))
        #expect(results[2]["format"] as? String == "png" && results[2]["status"] as? String == "written")
        #expect(try workspace.bytes("rough.toy") == toy(image, depth: 3))
        #expect(try workspace.bytes("other.toy") == toy(image(inverting: 0xF0F0F0)))
    }

    private func image(inverting bits: UInt32) -> PixelBuffer {
        var result = image
        result.withUnsafeMutablePixels { pixels in
            for index in pixels.indices { pixels[index] ^= bits }
        }
        return result
    }

    @Test func operationHasAFlagAndAKeyOfRecipeFiles() throws {
        let expected = try toy(image(inverting: 0x070707))
        let flag = try run(["resize", "in.png", "-o", "a.toy", "--toy-bits", "7"])
        #expect(flag.status == 0, "\(flag.errors)")
        #expect(try workspace.bytes("a.toy") == expected)
        try workspace.add("texel.toml", "toy-bits = 7".utf8)
        _ = try run(["compress", "in.png", "-o", "b.toy"])
        #expect(try workspace.bytes("b.toy") == expected)
    }

    @Test func namesAreValuesOfAFlag() throws {
        for (arguments, color) in [
            (["--toy-paint", "green"], UInt32(0xFF00)), (["--toy-paint", "red", "--toy-level", "3"], 0x3_0000),
        ] {
            let outcome = try run(["compress", "in.png", "-o", "a.png", "--lossless", "--overwrite"] + arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let mask: UInt32 = color > 0xFFFF ? 0xFF_0000 : 0xFF00
            let painted = try workspace.image("a.png")
            #expect(painted.pixels == image.pixels.map { $0 & ~mask | color })
        }
    }

    @Test func flagAndKeyOfRecipeFilesChangeTheBytes() throws {
        let whole = try run(["compress", "in.png", "-o", "a.toy"])
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(try workspace.bytes("a.toy") == toy(image))
        let rough = try run(["compress", "in.png", "-o", "b.toy", "--toy-depth", "3"])
        #expect(rough.status == 0, "\(rough.errors)")
        #expect(try workspace.bytes("b.toy") == toy(image, depth: 3))
        try workspace.add("texel.toml", "toy-depth = 3".utf8)
        _ = try run(["compress", "in.png", "-o", "c.toy"])
        _ = try run(["compress", "in.png", "-o", "d.toy", "--toy-depth", "5"])
        #expect(try workspace.bytes("c.toy") == workspace.bytes("b.toy"))
        #expect(try workspace.bytes("d.toy") == toy(image, depth: 5))
    }

    @Test(arguments: [
        (["compress", "in.png", "-o", "out.toy", "--toy-depth", "9"], "--toy-depth 9 is not between 1 and 8"),
        (["compress", "in.png", "-o", "out.toy", "--toy-bits", "0"], "--toy-bits 0 is not between 1 and 255"),
        (["compress", "in.png", "-o", "out.toy", "--toy-depth", "all"], "--toy-depth \"all\" is not an integer"),
        (
            ["compress", "in.png", "-f", "png", "--toy-depth", "4"],
            "--toy-depth has no effect on a PNG; use --format toy"
        ),
        (
            ["compress", "in.png", "-o", "out.toy", "--toy-paint", "pink"],
            "--toy-paint \"pink\" is not red, green or blue"
        ),
        (["compress", "in.png", "-o", "out.toy", "--toy-level", "4"], "--toy-level requires --toy-paint"),
        (["compress", "in.png", "-o", "out.toy", "--alpha-quality", "4"], "--alpha-quality has no effect on a TOY"),
    ])
    func uselessValuesAreRefused(arguments: [String], sentence: String) throws {
        let outcome = try run(arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test(arguments: [
        (["help", "compress", "--all"], "--toy-depth <depth>     Bits of each sample that a toy keeps, 1 to 8."),
        (["help", "rotate", "--all"], "--toy-bits <bits>       Invert these bits of each colour, 1 to 255."),
        (["help", "resize", "--manual"], "toy\\-depth"),
        (["help", "--reference"], "| `--toy-bits <bits>` | Invert these bits of each colour, 1 to 255. |"),
        (["--generate-completion-script", "bash"], "--toy-bits"),
        (["--generate-completion-script", "fish"], "red green blue"),
        (
            ["help", "--reference"],
            "| `--toy-depth <depth>` | Bits of each sample that a toy keeps, 1 to 8. (default: 8) |"
        ),
        (["--generate-completion-script", "bash"], "--toy-depth"),
        (["--generate-completion-script", "zsh"], "--toy-depth"),
        (["--generate-completion-script", "fish"], "toy-depth"),
    ])
    func helpNamesTheParameters(arguments: [String], words: String) throws {
        let text = try run(arguments).text
        #expect(text.contains(words), "\(text.split(separator: "\n").filter { $0.contains("toy") })")
    }
}
