import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// `texel tile`.
@Suite struct TileTests {
    private let workspace: Workspace
    private static let size = PixelSize(width: 300, height: 200)

    /// One line of `--json`.
    private struct Line: Decodable {
        var input: String
        var output: String?
        var inputBytes: Int?
        var outputBytes: Int?
        var width: Int?
        var height: Int?
        var format: String?
        var layout: String?
        var levels: Int?
        var tiles: Int?
        var status: String
        var error: String?
        var milliseconds: Double?
        var warnings: [String]?
    }

    init() throws {
        workspace = try Workspace()
        try workspace.add("in/map.png", try Sample.png(Self.size))
    }

    private func lines(_ outcome: RunningProgram.Outcome) throws -> [Line] {
        try outcome.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// The defaults are those of other programs: tiles of 254 pixels that overlap by 1, as JPEG.
    @Test func defaultsMakeADeepZoomPyramid() throws {
        let outcome = try workspace.texel("tile", "in/map.png", "-o", "tiles")
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.text.hasPrefix("tiles/map.dzi  300×200  10 levels  "), "\(outcome.text)")
        let description = String(decoding: try workspace.bytes("tiles/map.dzi"), as: UTF8.self)
        #expect(description.contains(#"Format="jpg" Overlap="1" TileSize="254""#), "\(description)")
        #expect(try workspace.info("tiles/map_files/9/0_0.jpg").size == PixelSize(width: 255, height: 200))
        #expect(try workspace.info("tiles/map_files/9/1_0.jpg").size == PixelSize(width: 47, height: 200))
        #expect(try workspace.info("tiles/map_files/0/0_0.jpg").size == PixelSize(width: 1, height: 1))
    }

    @Test func iiifTilesAreWrittenAndReported() throws {
        let outcome = try workspace.texel(
            "tile", "in", "-r", "-o", "tiles", "--layout", "iiif", "--tile-size", "128", "-f", "png", "--id",
            "https://example.org/iiif", "--json", "--progress", "json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let line = try #require(try lines(outcome).first)
        #expect(line.input == "in/map.png" && line.output == "tiles/map/info.json" && line.status == "written")
        #expect(line.width == 300 && line.height == 200 && line.format == "png" && line.layout == "iiif")
        // 3×2, 2×1 and 1 tiles.
        #expect(line.levels == 3 && line.tiles == 9 && line.error == nil && line.warnings == [])
        #expect(try line.inputBytes == workspace.bytes("in/map.png").count && line.milliseconds ?? 0 > 0)
        let files = try workspace.directory.contents().filter { $0.key.hasPrefix("tiles/") }
        #expect(line.outputBytes == files.values.reduce(0) { $0 + $1.count })
        #expect(files["tiles/map/256,128,44,72/44,72/0/default.png"] != nil, "\(files.keys.sorted())")
        let information = String(decoding: try workspace.bytes("tiles/map/info.json"), as: UTF8.self)
        #expect(information.contains(#""id" : "https://example.org/iiif/map""#), "\(information)")
        #expect(outcome.errorLines.count == 9)
        #expect(outcome.errorLines.last?.contains(#""tileCount":9,"tilesDone":9"#) ?? false, "\(outcome.errors)")
    }

    @Test func tilesAreMadeFromStandardInput() throws {
        let outcome = try RunningProgram(
            ["tile", "-", "-o", "tiles"], in: workspace.directory.path, input: try workspace.bytes("in/map.png")
        ).wait()
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(try workspace.files().contains("tiles/stdin.dzi"))
    }

    /// Child processes decode the same pixels.
    @Test func isolatedTilesAreIdentical() throws {
        #expect(try workspace.texel("tile", "in/map.png", "-o", "a", "--no-isolate").status == 0)
        #expect(try workspace.texel("tile", "in/map.png", "-o", "b", "--isolate", "--untrusted", "-j", "1").status == 0)
        let contents = try workspace.directory.contents()
        for (name, bytes) in contents where name.hasPrefix("a/") {
            #expect(contents["b/" + name.dropFirst(2)] == bytes, "\(name)")
        }
    }

    @Test func transparentTilesArePNGUnlessFlattened() throws {
        try workspace.add("in/clear.png", try Sample.translucentPNG())
        let outcome = try workspace.texel("tile", "in/clear.png", "-o", "tiles", "--json")
        #expect(try lines(outcome).first?.format == "png" && lines(outcome).first?.warnings == [])
        let flat = try workspace.texel("tile", "in/clear.png", "-o", "flat", "-f", "jpg", "--background", "#102030")
        #expect(flat.status == 0)
        #expect(
            flat.errors.contains("texel: in/clear.png: warning: transparent pixels were composited"), "\(flat.errors)")
    }

    @Test func existingPyramidsAreReplacedOnlyOnRequest() throws {
        #expect(try workspace.texel("tile", "in/map.png", "-o", "tiles", "-q", "50").status == 0)
        try workspace.expectFailure(
            "tile", "in/map.png", "-o", "tiles", status: 73, naming: "in/map.png", saying: "replace it with --overwrite"
        )
        let before = try workspace.bytes("tiles/map_files/9/0_0.jpg")
        #expect(try workspace.texel("tile", "in/map.png", "-o", "tiles", "--overwrite", "-q", "95").status == 0)
        #expect(try workspace.bytes("tiles/map_files/9/0_0.jpg").count > before.count)
    }

    @Test func failedInputsOfTileAreReported() throws {
        try workspace.expectFailure(
            "tile", "gone.png", "-o", "t", status: 66, naming: "gone.png", saying: "no such file")
        try workspace.expectFailure("tile", "in", "-o", "t", status: 64, naming: "in", saying: "-r")
        try workspace.add("bad.png", try Sample.png().prefix(60))
        try workspace.expectFailure("tile", "bad.png", "-o", "t", status: 65, naming: "bad.png", saying: "truncated")
        try workspace.expectFailure(
            "tile", "in/map.png", "-o", "t", "--limit-pixels", "1000", status: 69, naming: "in/map.png",
            saying: "raise it with --limit-pixels")
        let outcome = try workspace.texel("tile", "bad.png", "in/map.png", "gone.png", "-o", "t")
        #expect(outcome.status == 1 && outcome.errorLines.count == 2, "\(outcome.errors)")
        #expect(outcome.lines.last?.hasPrefix("1 pyramid  ") ?? false, "\(outcome.text)")
        let json = try lines(try workspace.texel("tile", "bad.png", "gone.png", "-o", "t", "--json"))
        #expect(Set(json.map(\.input)) == ["bad.png", "gone.png"])
        #expect(json.allSatisfy { $0.status == "failed" && $0.error != nil })
    }

    @Test func invalidCallsOfTileAreRefused() throws {
        let calls: [([String], String)] = [
            (["--tile-size", "0"], "--tile-size 0"), (["--tile-size", "9000"], "--tile-size 9000"),
            (["--overlap", "254"], "--overlap 254"), (["--layout", "iiif", "--overlap", "1"], "do not overlap"),
            (["-q", "0"], "--quality 0"), (["-f", "png", "-q", "80"], "no effect on png"),
            (["-f", "gif"], "another palette"), (["--id", "https://a.example"], "--id has no effect"),
            (["--layout", "iiif", "--id", "somewhere"], "is not a URL"), (["--metadata", "all"], "all"),
            (["--frame", "1", "--page", "1"], "exclude each other"), (["--page", "0"], "--page 0"),
        ]
        for (arguments, words) in calls {
            let outcome = try workspace.run(["tile", "in/map.png", "-o", "t"] + arguments)
            #expect(outcome.status == 64 && outcome.text == "", "\(arguments)")
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
        try workspace.expectUsageError("tile", "in/map.png", "-o", "-", saying: "--output must be a directory")
    }

    /// An interruption leaves no unfinished pyramid. The second image takes much longer than the signal.
    @Test func interruptionsLeaveNoUnfinishedPyramid() throws {
        let image = try PixelBuffer.random(width: 1500, height: 1500)
        try workspace.add("in/noise.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        let process = try RunningProgram(
            ["tile", "in/map.png", "in/noise.png", "-o", "tiles", "--tile-size", "8"], in: workspace.directory.path)
        #expect(try process.readLine().hasPrefix("tiles/map.dzi"))
        process.send(SIGINT)
        let outcome = try process.wait()
        let names = try Set(FileManager.default.contentsOfDirectory(atPath: workspace.directory("tiles")))
        if outcome.status == 130 {
            #expect(names == ["map.dzi", "map_files"] && outcome.errors == "", "\(names) \(outcome.errors)")
        } else {
            #expect(outcome.status == 0 && names == ["map.dzi", "map_files", "noise.dzi", "noise_files"], "\(names)")
        }
    }
}
